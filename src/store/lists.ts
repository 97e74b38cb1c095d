import { searchWords } from '../contract/folded-text.ts';
import { OrderStatus } from '../contract/order.ts';
import { PetStatus } from '../contract/pet.ts';
import type { OrderQuery, PetQuery, RemovedPetQuery } from './store.ts';

/** A value to compare with. Each dialect has its own form of ids and times. */
type FilterValue = string | bigint | Date | readonly (string | bigint)[];

interface Filter<Query> {
  readonly column: string;
  /**
   * `from` is where a page begins: its columns are those by which the list is ordered, descending. With `each`, every value has ranges of its own;
   * a search compares with the values instead, because it would have to read as much of each range as of the whole list.
   */
  readonly is: 'equal' | 'oneOf' | 'each' | 'atLeast' | 'before' | 'from' | 'containing';
  readonly value: (query: Query) => FilterValue | undefined;
  /** Whether no index of the list has the column, so that rows are looked at one after the other. */
  readonly isSearched?: true;
  /** Every value of a column that is between another column and the id in an index: without a filter on it, each value is a range. */
  readonly values?: readonly string[];
}
/** The filters of a list, in the order of the columns of its indexes. */
export type List<Query> = readonly Filter<Query>[];

/** Whether a query has a filter that no index answers. */
export const isSearchIn = <Query>(list: List<Query>, query: Query): boolean =>
  list.some(({ isSearched, value }) => isSearched && value(query) !== undefined);

const contains = <Query>(column: string, textOf: (query: Query) => string | undefined): Filter<Query> => ({
  column,
  is: 'containing',
  isSearched: true,
  value(query) {
    const text = textOf(query);
    return text === undefined ? undefined : searchWords(text);
  },
});

export const petList: List<PetQuery> = [
  { column: 'id', is: 'oneOf', value: ({ ids }) => ids },
  { column: 'category_id', is: 'equal', value: ({ categoryId }) => categoryId },
  { column: 'status', is: 'equal', value: ({ status }) => status, values: PetStatus.options },
  { column: 'id', is: 'from', value: ({ from }) => from?.id },
  contains('folded_name', ({ name }) => name),
];

/** The position counts removals. */
export const removedPetList: List<RemovedPetQuery> = [
  { column: 'id', is: 'oneOf', value: ({ ids }) => ids },
  { column: 'removal', is: 'from', value: ({ from }) => from?.id },
  contains('folded_name', ({ name }) => name),
];

export const orderList: List<OrderQuery> = [
  // A single animal is left to the next filter.
  { column: 'pet_id', is: 'each', value: ({ petIds }) => (petIds?.length === 1 ? undefined : petIds) },
  { column: 'pet_id', is: 'equal', value: ({ petIds }) => (petIds?.length === 1 ? petIds[0] : undefined) },
  { column: 'status', is: 'equal', value: ({ status }) => status, values: OrderStatus.options },
  { column: 'id', is: 'from', value: ({ from }) => from?.id },
  contains('folded_note', ({ note }) => note),
];

/** Orders that were completed in a period, the latest first. */
export const completionList: List<OrderQuery> = [
  { column: 'completed_at', is: 'atLeast', value: ({ completedFrom }) => completedFrom },
  { column: 'completed_at', is: 'before', value: ({ completedBefore }) => completedBefore },
  { column: 'completed_at', is: 'from', value: ({ from }) => from && new Date(Number(from.key)) },
  { column: 'id', is: 'from', value: ({ from }) => from?.id },
  { column: 'pet_id', is: 'each', value: ({ petIds }) => petIds, isSearched: true },
  { column: 'status', is: 'equal', value: ({ status }) => status, isSearched: true },
  contains('folded_note', ({ note }) => note),
];

/** A filter that a query has, with its value in SQL: a placeholder or a literal. */
export interface Condition {
  readonly column: string;
  readonly is: Filter<never>['is'];
  readonly sql: string;
}

const OPERATORS = { equal: '=', atLeast: '>=', before: '<' };

export const compare = ({ column, is, sql }: Condition): string =>
  `${column} ${OPERATORS[is as keyof typeof OPERATORS]} ${sql}`;

/** The condition that the columns, compared as one row, are not greater than these values; no condition without values. */
export const upTo = (values: readonly Condition[]): string[] =>
  values.length === 0
    ? []
    : [`(${values.map(({ column }) => column).join(', ')}) <= (${values.map(({ sql }) => sql).join(', ')})`];

export const allOf = (conditions: readonly string[]): string => conditions.join(' AND ') || 'true';

export const descending = (columns: readonly string[]): string =>
  columns.map((column) => `${column} DESC`).join(', ');

/** The rows for a combination of filters. */
export interface Selection {
  /** The columns by which they are ordered, descending. */
  readonly order: readonly string[];
  /** Each is a range of an index, in that order; or the rows with given ids. */
  readonly ranges: readonly (readonly Condition[])[];
  /** A list of values, if each of them has these ranges, in which it is `each_value`. */
  readonly each: string | undefined;
  /** The condition that each row is checked for. */
  readonly matches: string;
  /** How many words to look for. */
  readonly words: string | undefined;
  /** The column of the text in which they are looked for. */
  readonly text: string | undefined;
  /** The placeholder after those of the filters. */
  readonly limit: string;
}

export interface Dialect<Value> {
  /** How a placeholder begins. */
  readonly sign: '?' | '$';
  readonly isOneOf: (column: string, list: string) => string;
  /** The condition that a folded text contains every word of a list. */
  readonly contains: (column: string, words: string) => string;
  readonly countOf: (words: string) => string;
  readonly toValue: (value: FilterValue) => Value;
}

function selectionOf<Query>(
  list: List<Query>,
  given: List<Query>,
  { sign, isOneOf, contains, countOf }: Dialect<unknown>,
): Selection {
  const conditions = given.map((filter, i) => ({ ...filter, sql: `${sign}${i + 1}` }));
  const sqlOf = (is: Condition['is']) => conditions.find((condition) => condition.is === is)?.sql;
  const text = conditions.find(({ is }) => is === 'containing');
  const words = text && countOf(text.sql);
  const isSearch = given.some(({ isSearched }) => isSearched);
  const searched = conditions.filter(({ is, isSearched }) => isSearched || (isSearch && is === 'each'));
  const range = conditions
    .filter((one) => !searched.includes(one))
    .map((one): Condition => (one.is === 'each' ? { ...one, is: 'equal', sql: 'each_value' } : one));
  const has = (is: Condition['is']) => range.some((condition) => condition.is === is);
  const split = list.find((filter) => filter.values && !given.includes(filter));
  const values = split && has('equal') && !has('oneOf') ? split.values : undefined;
  return {
    order: list.filter(({ is }) => is === 'from').map(({ column }) => column),
    ranges: values?.map((value) => [...range, { ...(split as Filter<Query>), sql: `'${value}'` }]) ?? [range],
    each: isSearch ? undefined : sqlOf('each'),
    matches: allOf(
      searched.map((one) => {
        if (one.is === 'containing') return contains(one.column, one.sql);
        return one.is === 'each' ? isOneOf(one.column, one.sql) : compare(one);
      }),
    ),
    words,
    text: text?.column,
    limit: `${sign}${given.length + 1}`,
  };
}

/** Makes the statement for each combination of the filters of a list once. */
export function perCombination<Query, Statement, Value>(
  list: List<Query>,
  dialect: Dialect<Value>,
  make: (selection: Selection) => Statement,
): (query: Query) => { readonly statement: Statement; readonly values: Value[] } {
  const made: Statement[] = [];
  return (query) => {
    const values: Value[] = [];
    let combination = 0;
    for (let i = 0; i < list.length; i++) {
      const value = list[i]?.value(query);
      if (value === undefined) continue;
      combination |= 1 << i;
      values.push(dialect.toValue(value));
    }
    const given = () => list.filter((_, i) => combination & (1 << i));
    const statement = made[combination] ?? make(selectionOf(list, given(), dialect));
    made[combination] = statement;
    return { statement, values };
  };
}
