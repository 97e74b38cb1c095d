import { parseScopes } from '../../contract/key.ts';
import { isAscii } from '../../contract/name-key.ts';
import { isName } from '../../contract/validate.ts';
import type { Resource } from '../tables.ts';
import { tableOfItems } from './dump.ts';

// What no version of this program writes, for both stores: the rules, and the lines in which `doctor` and `restore` report them.

type Row = Readonly<Record<string, unknown>>;

/** A SELECT, and the lines about the rows that it returns. */
interface Check {
  readonly select: string;
  readonly lines: (rows: readonly Row[]) => string[];
}

/** The line for rows that are wrong, if there are any. */
const wrongRows = (what: string, count: unknown, first: unknown): string[] =>
  Number(count) === 0 ? [] : [`${what}: ${count}, the first is ${first}`];

/** The same line, from the ids of these rows in any order. */
export const wrongIds = (what: string, ids: bigint[]): string[] =>
  wrongRows(what, ids.length, ids.sort((a, b) => (a < b ? -1 : 1))[0]);

/** A check by a SELECT of one row: how many rows are wrong, as `count`, and the id of the first of them, as `first`. */
const counting = (what: string, select: string): Check => ({
  select,
  lines: ([row]) => wrongRows(what, row?.count, row?.first),
});

/** `categoryIds` is a SELECT of the ids of the categories that are counted wrongly, in any order. */
export const wrongCategoryCounts = (categoryIds: string): Check =>
  counting(
    'categories whose animals are counted wrongly',
    `SELECT count(DISTINCT category_id) AS count, min(category_id) AS first FROM (${categoryIds}) AS wrong`,
  );

const existsIn = (table: string, and = '') =>
  `EXISTS (SELECT 1 FROM ${table} WHERE ${table}.id = pet_id${and})`;
const HAS_ANIMAL = `(${existsIn('pets')} OR ${existsIn('removed_pets')})`;
const wrongOrders = (what: string, condition: string): Check =>
  counting(what, `SELECT count(*) AS count, min(id) AS first FROM orders WHERE ${condition}`);

/** In SQL that both databases understand. */
export const checks: readonly Check[] = [
  // An animal that is removed moves to another table, and its orders stay. None of them is open.
  wrongOrders('orders without an animal', `NOT ${HAS_ANIMAL}`),
  wrongOrders(
    'open orders of an animal that is not pending',
    `status = 'placed' AND ${HAS_ANIMAL} AND NOT ${existsIn('pets', " AND pets.status = 'pending'")}`,
  ),
  {
    // A service would not know what a key with other scopes may do.
    select: 'SELECT scopes, count(*) AS keys FROM api_keys GROUP BY scopes ORDER BY scopes',
    lines: (rows) =>
      rows
        .filter(({ scopes }) => parseScopes(String(scopes).split(' ')) === undefined)
        .map(
          ({ scopes, keys }) =>
            `API keys with the scopes "${scopes}", which this version does not know: ${keys}`,
        ),
  },
  {
    // Events are numbered without gaps, and only the oldest are deleted.
    select:
      'SELECT max(id) - min(id) + 1 - count(*) AS missing FROM events HAVING max(id) - min(id) + 1 > count(*)',
    lines: (rows) => rows.map(({ missing }) => `events are missing: ${missing}`),
  },
];

/** A check of every row of a table that is made by the program, not by a SELECT. */
export interface RowCheck {
  readonly what: string;
  readonly table: string;
  /** Columns of text that is given to the program. */
  readonly texts: readonly string[];
  /** Columns of text that the program derives from the others. */
  readonly derived: readonly string[];
  /** Whether the program would have written these values of `texts` and then `derived`. */
  readonly isRight: (values: readonly (string | null)[]) => boolean;
}

/** The tables with text that people have written. */
const WRITTEN = {
  pets: 'animals whose name is damaged',
  removedPets: 'removed animals whose name or reason is damaged',
  categories: 'categories whose name is damaged',
  orders: 'orders whose note or key name is damaged',
  keys: 'API keys whose name is damaged',
} satisfies Partial<Record<Resource, string>>;

/**
 * Whether the text was folded by a version of Unicode in which one of its letters had no upper case yet: folding it again leads to the expected
 * form. The other columns that are derived from such a text differ as well.
 */
const isOlderForm = (
  stored: string | null,
  expected: string | null,
  derive: (item: never) => string | null,
) => stored !== null && !isAscii(stored) && derive({ name: stored, note: stored } as never) === expected;

/** The texts must be valid, and the columns that are derived from them must be what the program computes. */
function textCheck(resource: Resource, what: string): RowCheck {
  const { name: table, columns, derived = {} } = tableOfItems(resource);
  const texts = Object.entries(columns).filter(([, { kind }]) => kind === 'text');
  const derivations = Object.values(derived);
  return {
    what,
    table,
    texts: texts.map(([, { name }]) => name),
    derived: Object.keys(derived),
    isRight(values) {
      const item: Record<string, string> = {};
      for (const [i, [field]] of texts.entries()) {
        const text = values[i];
        if (text == null) continue;
        if (!isName(text)) return false;
        item[field] = text;
      }
      for (const [i, derive] of derivations.entries()) {
        const [expected, stored] = [derive(item as never), values[texts.length + i] ?? null];
        if (stored !== expected) return isOlderForm(stored, expected, derive);
      }
      return true;
    },
  };
}

export const rowChecks: readonly RowCheck[] = [
  ...Object.entries(WRITTEN).map(([resource, what]) => textCheck(resource as Resource, what)),
  {
    what: 'events whose content is not a JSON object',
    table: 'events',
    texts: ['content'],
    derived: [],
    isRight: ([content]) => isObject(String(content)),
  },
];

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
