import * as v from 'valibot';
import { INT64_MAX, Int64 } from '../contract/int64.ts';
import { Pet } from '../contract/pet.ts';

const LARGEST_ID = INT64_MAX - 1n;

/** An animal that keeps its id. Ids begin at 1, and one must remain for the next animal. */
export const KeptPet = v.object({
  ...Pet.entries,
  id: v.pipe(
    Int64,
    v.check((id) => id >= 1n && id <= LARGEST_ID, `must be from 1 to ${LARGEST_ID}`),
  ),
});
