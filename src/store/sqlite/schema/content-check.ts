import type { DatabaseSync } from 'node:sqlite';
import { parseScopes } from '../../../contract/key.ts';

/**
 * What in the rows the program would never write, a line each; empty if nothing. The schema is one of this program, of any version.
 * Reads every order, key and event, and indexes of all animals.
 */
export function contentProblems(db: DatabaseSync): string[] {
  const has = (table: string, column: string) => hasColumn(db, table, column);
  return [
    ...(has('orders', 'pet_id') ? orderProblems(db, has('removed_pets', 'id')) : []),
    ...(has('api_keys', 'scopes') ? unknownScopes(db) : []),
    ...(has('events', 'id') ? eventProblems(db) : []),
    ...(has('inventory', 'pets') ? wrongCounts(db) : []),
  ];
}

/** A schema of another version may lack it. */
export const hasColumn = (db: DatabaseSync, table: string, column: string): boolean =>
  db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined;

/** An animal that is removed moves to another table, and its orders stay. None of them is open. */
function orderProblems(db: DatabaseSync, canRemove: boolean): string[] {
  const isRemoved = canRemove ? 'EXISTS (SELECT 1 FROM removed_pets WHERE id = pet_id)' : 'false';
  const isThere = 'EXISTS (SELECT 1 FROM pets WHERE id = pet_id)';
  const isPending = "EXISTS (SELECT 1 FROM pets WHERE id = pet_id AND status = 'pending')";
  return [
    ...countOf(db, 'orders without an animal', `orders WHERE NOT ${isThere} AND NOT ${isRemoved}`),
    ...countOf(
      db,
      'open orders of an animal that is not pending',
      `orders WHERE status = 'placed' AND (${isThere} OR ${isRemoved}) AND NOT ${isPending}`,
    ),
  ];
}

/** A service would not know what such a key may do. */
function unknownScopes(db: DatabaseSync): string[] {
  const scopes = db.prepare('SELECT scopes, count(*) AS keys FROM api_keys GROUP BY scopes').all();
  return scopes
    .filter(({ scopes }) => parseScopes(String(scopes).split(' ')) === undefined)
    .map(
      ({ scopes, keys }) => `API keys with the scopes "${scopes}", which this version does not know: ${keys}`,
    );
}

/** Events are numbered without gaps, and only the oldest are deleted. */
function eventProblems(db: DatabaseSync): string[] {
  const range = db.prepare(
    'SELECT max(id) - min(id) + 1 - count(*) AS missing FROM events HAVING count(*) > 0',
  );
  const missing = Number(range.get()?.missing ?? 0);
  return [
    ...(missing === 0 ? [] : [`events are missing: ${missing}`]),
    ...countOf(
      db,
      'events whose content is not a JSON object',
      "events WHERE substr(content, 1, 1) <> '{' OR NOT json_valid(content)",
    ),
  ];
}

function wrongCounts(db: DatabaseSync): string[] {
  const counts = db.prepare(
    `SELECT status, inventory.pets AS counted, (SELECT count(*) FROM pets WHERE pets.status = inventory.status) AS rows
     FROM inventory WHERE counted <> rows`,
  );
  return counts
    .all()
    .map(({ status, counted, rows }) => `the inventory counts ${counted} ${status}, but there are ${rows}`);
}

/** `what: 3` if there are three such rows. */
function countOf(db: DatabaseSync, what: string, rows: string): string[] {
  const { count } = db.prepare(`SELECT count(*) AS count FROM ${rows}`).get() ?? {};
  return count === 0 ? [] : [`${what}: ${count}`];
}
