import * as v from 'valibot';
import { CURSOR } from './cursor.ts';
import { Int64, int64FromText } from './int64.ts';
import { isPrefixText, SEARCH_TEXT } from './name-key.ts';
import { nameOf } from './validate.ts';

/**
 * The identifiers of every example in the OpenAPI document: those of a new store with sample data (`animal-store seed 50`), where the
 * examples of all operations succeed when they are sent in their order. Animal 3 is for sale and category 4 has animals. The other
 * three are those that the examples create. Keys have text for an identifier.
 */
export const exampleIds = { pet: 3, petCategory: 4, category: 7, order: 1, key: '2' } as const;

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;
const IDS_MAX = 100;
const REASON_MAX = 200;

const isLimit = (text: string): boolean =>
  /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= LIMIT_MAX;

const Limit = v.pipe(
  v.string('must be given once'),
  v.check(isLimit, `must be a whole number from 1 to ${LIMIT_MAX}, in plain digits`),
  v.transform(Number),
  v.description('Maximum number of items returned. A value out of bounds is rejected, never clamped.'),
  v.metadata({ type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT }),
);

const Cursor = v.pipe(
  v.string('must be given once'),
  v.check((text) => CURSOR.test(text), 'is malformed: copy it unchanged from a Link header'),
  v.description('Where the page begins: the opaque value from the `Link` header of the previous page.'),
  v.metadata({ 'x-stability': 'experimental' }),
);

/** The parameters of every list, in addition to its filters. */
export const paging = {
  limit: v.optional(Limit, `${LIMIT_DEFAULT}`),
  cursor: v.optional(Cursor),
};

const isIds = (given: unknown): boolean => {
  const texts = [given].flat();
  return texts.length <= IDS_MAX && texts.every((text) => int64FromText(String(text)) !== undefined);
};

/** `?id=7&id=9`; each id once, in ascending order. */
const idsFilter = (name: string, description: string) =>
  v.pipe(
    v.custom<string | string[]>(isIds, `must be 1 to ${IDS_MAX} whole numbers, such as ${name}=7&${name}=9`),
    v.transform((given) => [...new Set([given].flat().map(BigInt))].sort((a, b) => (a < b ? -1 : 1))),
    v.description(`${description} Repeat it for each one: \`${name}=7&${name}=9\`.`),
    v.metadata({
      type: 'array',
      items: { type: 'integer', format: 'int64' },
      minItems: 1,
      maxItems: IDS_MAX,
      'x-stability': 'experimental',
    }),
  );

export const Ids = idsFilter('id', 'Restricts the result to the animals with these identifiers.');
export const PetIds = idsFilter(
  'petId',
  'Restricts the result to the orders of these animals, even removed ones.',
);

/** `?reason=died` */
export const Reason = v.pipe(
  nameOf('Why the animal is removed.', REASON_MAX, 'must be given once'),
  v.metadata({ example: 'died', 'x-stability': 'experimental' }),
);

/** `?name=re` */
export const namePrefix = (description: string, example: string) =>
  v.pipe(
    v.string('must be given once'),
    v.check(isPrefixText, `must be 1 to ${SEARCH_TEXT.maxLength} characters, without NUL or lone surrogates`),
    v.description(description),
    v.metadata({ ...SEARCH_TEXT, example, 'x-stability': 'experimental' }),
  );

/** `?categoryId=7` */
const int64Filter = (description: string, example: number) =>
  v.pipe(
    v.string('must be given once'),
    v.check((text) => int64FromText(text) !== undefined, 'must be one whole number, in plain digits'),
    v.transform((text) => BigInt(text)),
    v.description(description),
    v.metadata({ type: 'integer', format: 'int64', example, 'x-stability': 'experimental' }),
  );

export const HistoryFilter = int64Filter(
  'Restricts the result to the history of this animal: its own events and those of its orders, even if it was removed.',
  exampleIds.pet,
);
export const CategoryIdFilter = int64Filter(
  'Restricts the result to animals of this category.',
  exampleIds.petCategory,
);
export const CountedCategory = int64Filter(
  'Counts only the animals of this category, named or not.',
  exampleIds.petCategory,
);

/** `?removed=true` */
export const Removed = v.pipe(
  v.string('must be given once'),
  v.check((text) => text === 'true' || text === 'false', 'must be true or false'),
  v.transform((text) => text === 'true'),
  v.description(
    '`true` lists the animals that were removed, the latest removal first, each as a `ListedPet` with `removedAt` and perhaps a `reason`. It can be combined with `id` and `name`, and with no other filter.',
  ),
  v.metadata({ type: 'boolean', default: false, 'x-stability': 'experimental' }),
);

/** The filters that `removed=true` can be combined with. */
const REMOVED_FILTERS = ['id', 'name'];

/** Refuses `removed=true` together with any other filter. Unlike a check, it also runs when a parameter has a problem of its own. */
export const removedAlone = <Query extends { readonly removed?: boolean | undefined }>() =>
  v.rawCheck<Query>(({ dataset, addIssue }) => {
    const { removed, ...others } = dataset.value as Query;
    const filters = Object.entries(others).filter(
      ([name]) => !REMOVED_FILTERS.includes(name) && !Object.hasOwn(paging, name),
    );
    if (removed !== true || filters.every(([, value]) => value === undefined)) return;
    addIssue({
      message: `can be combined with ${REMOVED_FILTERS.join(' and ')} only: leave the other filters out`,
      path: [{ type: 'object', origin: 'value', input: others, key: 'removed', value: removed }],
    });
  });

export const statusFilter = <T extends v.GenericSchema>(status: T, items: string) =>
  v.optional(v.pipe(status, v.description(`Restricts the result to ${items} with this status.`)));

/** A parameter of a path. It needs an example: otherwise, tools and snippets send its name in braces. */
const identifierOf = <T extends v.GenericSchema>(schema: T, item: string, example: number | string) =>
  v.pipe(schema, v.description(`Identifier of the ${item}.`), v.metadata({ example }));

export const petIdParameter = identifierOf(Int64, 'animal', exampleIds.pet);
export const categoryIdParameter = identifierOf(Int64, 'category', exampleIds.category);
export const keyIdParameter = identifierOf(v.string(), 'API key', exampleIds.key);
export const orderIdParameter = identifierOf(Int64, 'order', exampleIds.order);
