import { invalidArgument } from './errors.ts';
import type { CategoryQuery, EventQuery, KeyQuery, OrderQuery, PetQuery } from './types.ts';

type KeysOf<Query> = Record<keyof Query, true>;

const PAGE = { limit: true, cursor: true } satisfies KeysOf<KeyQuery>;

/** What the query of each list may contain. The compiler compares it with the types, in both directions. */
const QUERY_KEYS = {
  '/pets': {
    ...PAGE,
    status: true,
    id: true,
    categoryId: true,
    name: true,
    removed: true,
  } satisfies KeysOf<PetQuery>,
  '/categories': { ...PAGE, name: true } satisfies KeysOf<CategoryQuery>,
  '/store/orders': {
    ...PAGE,
    petId: true,
    status: true,
    completedFrom: true,
    completedBefore: true,
    note: true,
  } satisfies KeysOf<OrderQuery>,
  '/events': {
    limit: true,
    after: true,
    order: true,
    petId: true,
    type: true,
    keyId: true,
  } satisfies KeysOf<EventQuery>,
  '/keys': PAGE,
};

export type ListPath = keyof typeof QUERY_KEYS;

export function checkQuery(path: ListPath, query: object): void {
  rejectUnknown(
    'query',
    Object.keys(query).filter((key) => !Object.hasOwn(QUERY_KEYS[path], key)),
  );
}

/** Ignored, a misspelt filter would return every animal, and a `signal` in the wrong place would abort nothing. */
export function rejectUnknown(argument: 'query' | 'options', [key]: readonly string[]): void {
  if (key !== undefined) throw invalidArgument(`${argument} must not contain ${JSON.stringify(key)}.`);
}
