import type { DatabaseSync } from 'node:sqlite';
import {
  countStatement,
  KEY_SCOPES,
  MISSING_EVENTS,
  missingEvents,
  WRONG_CONTENT,
  wrongOrders,
  wrongRows,
  wrongScopes,
} from '../../content-problems.ts';

/**
 * What in the rows the program would never write, a line each; empty if nothing. The schema is one of this program, of any version.
 * Reads every order, key and event, and indexes of all animals.
 */
export function contentProblems(db: DatabaseSync): string[] {
  const has = (table: string, column: string) => hasColumn(db, table, column);
  const animalTables = ['pets', 'removed_pets'].filter((table) => has(table, 'id'));
  return [
    ...(has('orders', 'pet_id') ? countAll(db, wrongOrders(animalTables)) : []),
    ...(has('api_keys', 'scopes') ? wrongScopes(db.prepare(KEY_SCOPES).all()) : []),
    ...(has('events', 'id') ? eventProblems(db) : []),
    ...(has('inventory', 'pets') ? wrongCounts(db) : []),
  ];
}

/** A schema of another version may lack it. */
export const hasColumn = (db: DatabaseSync, table: string, column: string): boolean =>
  db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined;

const eventProblems = (db: DatabaseSync): string[] => [
  ...missingEvents(db.prepare(MISSING_EVENTS).get()?.missing),
  ...countAll(db, [
    { what: WRONG_CONTENT, rows: "events WHERE substr(content, 1, 1) <> '{' OR NOT json_valid(content)" },
  ]),
];

function wrongCounts(db: DatabaseSync): string[] {
  const counts = db.prepare(
    `SELECT status, inventory.pets AS counted, (SELECT count(*) FROM pets WHERE pets.status = inventory.status) AS rows
     FROM inventory WHERE counted <> rows`,
  );
  return counts
    .all()
    .map(({ status, counted, rows }) => `the inventory counts ${counted} ${status}, but there are ${rows}`);
}

function countAll(db: DatabaseSync, kinds: readonly Parameters<typeof countStatement>[0][]): string[] {
  return kinds.flatMap((kind) => {
    const { count, first } = db.prepare(countStatement(kind)).get() ?? {};
    return wrongRows(kind.what, count, first);
  });
}
