import { parseScopes } from '../contract/key.ts';

// What no version of this program writes, for both stores: the rules, and the lines in which `doctor` and `restore` report them.

/** Rows that are wrong: what they are, and a table with a condition, in SQL that both databases understand. */
interface WrongRows {
  readonly what: string;
  readonly rows: string;
}

/** An animal that is removed moves to another table, and its orders stay. None of them is open. */
export function wrongOrders(animalTables: readonly string[]): WrongRows[] {
  const exists = animalTables.map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE ${table}.id = pet_id)`);
  const hasAnimal = `(${exists.join(' OR ')})`;
  const isPending = "EXISTS (SELECT 1 FROM pets WHERE pets.id = pet_id AND pets.status = 'pending')";
  return [
    { what: 'orders without an animal', rows: `orders WHERE NOT ${hasAnimal}` },
    {
      what: 'open orders of an animal that is not pending',
      rows: `orders WHERE status = 'placed' AND ${hasAnimal} AND NOT ${isPending}`,
    },
  ];
}

/** How many rows there are, as `count`, and the id of the first of them, as `first`. */
export const countStatement = ({ rows }: WrongRows): string =>
  `SELECT count(*) AS count, min(id) AS first FROM ${rows}`;

/** The line for rows that are wrong, if there are any. */
export const wrongRows = (what: string, count: unknown, first: unknown): string[] =>
  Number(count) === 0 ? [] : [`${what}: ${count}, the first is ${first}`];

export const WRONG_CONTENT = 'events whose content is not a JSON object';

export const WRONG_CATEGORY_COUNTS = 'categories whose animals are counted wrongly';

/** Events are numbered without gaps, and only the oldest are deleted. The result has no row if there are no events. */
export const MISSING_EVENTS =
  'SELECT max(id) - min(id) + 1 - count(*) AS missing FROM events HAVING count(*) > 0';

export const missingEvents = (missing: unknown): string[] =>
  Number(missing ?? 0) === 0 ? [] : [`events are missing: ${missing}`];

/** The scopes of all keys, as they are stored. */
export const KEY_SCOPES = 'SELECT scopes, count(*) AS keys FROM api_keys GROUP BY scopes ORDER BY scopes';

/** A service would not know what a key with other scopes may do. */
export const wrongScopes = (rows: readonly Readonly<Record<string, unknown>>[]): string[] =>
  rows
    .filter(({ scopes }) => parseScopes(String(scopes).split(' ')) === undefined)
    .map(
      ({ scopes, keys }) => `API keys with the scopes "${scopes}", which this version does not know: ${keys}`,
    );
