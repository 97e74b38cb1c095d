import * as v from 'valibot';
import { INT64_MAX, Int64 } from '../contract/int64.ts';
import { NewPet, PetUpdate } from '../contract/pet.ts';
import { nameOf } from '../contract/validate.ts';

interface Row extends PetUpdate {
  readonly id?: bigint | undefined;
  readonly category?: string | undefined;
}

const { categoryId } = PetUpdate.entries;
const category = v.optional(nameOf('The name of the category, instead of its identifier.'));

/** The category has an identifier or a name. The store decides whether those of a row with both belong together. */
const eitherCategory = (row: Row) => ({ 'categoryId or category': row.categoryId ?? row.category });

/** An animal to add. */
export const AddedPet = {
  ...v.pipe(v.object({ ...NewPet.entries, categoryId, category }), requires(eitherCategory)),
  eitherColumn: ['categoryId', 'category'],
};

/** Ids that must remain for new animals: at 1,000 a second, they last for 30 years. */
const RESERVED = 1_000_000_000_000n;
const LARGEST_ID = INT64_MAX - RESERVED;

/** An animal to add with its id. Ids begin at 1. */
export const KeptPet = {
  ...v.pipe(
    v.object({
      id: v.pipe(
        Int64,
        v.check(
          (id) => id >= 1n && id <= LARGEST_ID,
          `must be from 1 to ${LARGEST_ID}, so that ids remain for new animals`,
        ),
      ),
      ...AddedPet.entries,
    }),
    requires(eitherCategory),
  ),
  eitherColumn: AddedPet.eitherColumn,
};

/** The fields to change of the animal with this id; without an id, an animal to add. */
export const ChangedPet = v.pipe(
  v.object({ id: v.optional(Int64), ...PetUpdate.entries, category }),
  requires((row) => (row.id === undefined ? { name: row.name, ...eitherCategory(row) } : {})),
  v.transform((row) => (row.id === undefined ? { status: 'available' as const, ...row } : row)),
);

/** Checks that each of these values is present. */
function requires<T extends Row>(valuesOf: (row: Row) => Readonly<Record<string, unknown>>) {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    const input = dataset.value as Row & Record<string, unknown>;
    for (const [key, value] of Object.entries(valuesOf(input)))
      if (value === undefined)
        addIssue({
          message: 'is required',
          path: [{ type: 'object', origin: 'value', input, key, value }],
        });
  });
}
