import type { DatabaseSync } from 'node:sqlite';
import {
  countStatement,
  KEY_SCOPES,
  MISSING_EVENTS,
  missingEvents,
  WRONG_CATEGORY_COUNTS,
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
    ...(has('category_inventory', 'sold') ? wrongCategoryCounts(db) : []),
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

function wrongCategoryCounts(db: DatabaseSync): string[] {
  const { count, first } =
    db
      .prepare(
        `SELECT count(*) AS count, min(category_id) AS first FROM (
           SELECT category_id FROM (
             SELECT category_id, available, pending, sold FROM category_inventory
             UNION ALL
             SELECT category_id, -sum(status = 'available'), -sum(status = 'pending'), -sum(status = 'sold')
             FROM pets GROUP BY category_id)
           GROUP BY category_id HAVING sum(available) <> 0 OR sum(pending) <> 0 OR sum(sold) <> 0)`,
      )
      .get() ?? {};
  return wrongRows(WRONG_CATEGORY_COUNTS, count, first);
}

function countAll(db: DatabaseSync, kinds: readonly Parameters<typeof countStatement>[0][]): string[] {
  return kinds.flatMap((kind) => {
    const { count, first } = db.prepare(countStatement(kind)).get() ?? {};
    return wrongRows(kind.what, count, first);
  });
}
