import { Key } from '../contract/key.ts';
import type { ApiKey } from '../store/store.ts';

const FIELDS = Object.keys(Key.pipe[0].entries) as (keyof Key)[];

/** What is shown of a key: the fields of the contract. Its digest, for one, would let anyone recognise it. */
export const shownKey = (key: ApiKey): Partial<Pick<ApiKey, keyof Key>> =>
  Object.fromEntries(FIELDS.map((field) => [field, key[field]]));
