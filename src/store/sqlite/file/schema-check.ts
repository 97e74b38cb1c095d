import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../store.ts';
import { pragma } from '../connection.ts';
import { createReference } from '../migrate.ts';

/**
 * What is not as the migrations up to the version of the file make it, a line each; empty if nothing: the schema, the rows that
 * the migrations insert, the animals of orders, gaps in the events, and counts. Tables, views and indexes of the operator are allowed, but nothing that changes
 * what a write does. Reads every order and indexes of all animals and events.
 */
export function schemaProblems(db: DatabaseSync): string[] {
  const reference = createReference(Number(pragma(db, 'user_version')));
  try {
    const problems = differences(entriesOf(reference), entriesOf(db));
    // Without the tables there is nothing to count.
    return problems.length > 0 ? problems : contentProblems(db, reference);
  } finally {
    reference.close();
  }
}

export const altered = (path: string, how: string) =>
  new StoreError(
    `${path} is not as this program creates it (${how}): restore an earlier backup, or undo what was changed in it`,
  );

interface Entry {
  readonly what: string;
  readonly sql: string;
}

/** SQLite's own tables and indexes have names that begin with sqlite_. */
function entriesOf(db: DatabaseSync): Map<string, Entry> {
  const rows = db.prepare(
    "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  );
  return new Map(
    rows.all().map(({ type, name, sql }) => {
      const what = `${type} ${name}`;
      return [what, { what, sql: String(sql).replace(/\s+/g, ' ') }];
    }),
  );
}

function differences(expected: Map<string, Entry>, found: Map<string, Entry>): string[] {
  const added = [...found.values()].filter(
    ({ what, sql }) => !expected.has(what) && changesWrites(what, sql),
  );
  return [
    ...[...expected.values()].flatMap(({ what, sql }) => {
      const other = found.get(what);
      if (!other) return `the ${what} is missing`;
      return other.sql === sql ? [] : `the ${what} is different`;
    }),
    ...added.map(({ what }) => `the ${what} is not part of it`),
  ];
}

const changesWrites = (what: string, sql: string): boolean =>
  what.startsWith('trigger ') || /^CREATE UNIQUE /i.test(sql);

function contentProblems(db: DatabaseSync, reference: DatabaseSync): string[] {
  const has = (table: string) => entriesOf(reference).has(`table ${table}`);
  return [
    ...filledTables(reference).flatMap(({ table, rows }) => {
      const found = countOf(db, table);
      return found === rows ? [] : `the table ${table} has ${found} rows instead of ${rows}`;
    }),
    ...ordersWithoutAnimal(db, has),
    ...(has('events') ? missingEvents(db) : []),
    ...(has('inventory') ? wrongCounts(db) : []),
  ];
}

/** Tables in which the migrations insert rows, whose number never changes. */
function filledTables(reference: DatabaseSync) {
  const tables = [...entriesOf(reference).keys()].filter((what) => what.startsWith('table '));
  return tables
    .map((what) => what.slice('table '.length))
    .map((table) => ({ table, rows: countOf(reference, table) }))
    .filter(({ rows }) => rows > 0);
}

const countOf = (db: DatabaseSync, table: string): number =>
  Number(db.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows);

/** An animal that is removed moves to another table, and its orders stay. */
function ordersWithoutAnimal(db: DatabaseSync, has: (table: string) => boolean): string[] {
  if (!has('orders')) return [];
  const animals = ['pets', 'removed_pets'].filter(has);
  const conditions = animals.map(
    (table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.id = orders.pet_id)`,
  );
  const { orders } =
    db.prepare(`SELECT count(*) AS orders FROM orders WHERE ${conditions.join(' AND ')}`).get() ?? {};
  return orders === 0 ? [] : [`orders without an animal: ${orders}`];
}

/** Events are numbered without gaps, and only the oldest are deleted. */
function missingEvents(db: DatabaseSync): string[] {
  const { missing } =
    db.prepare('SELECT max(id) - min(id) + 1 - count(*) AS missing FROM events HAVING count(*) > 0').get() ??
    {};
  return missing === undefined || missing === 0 ? [] : [`events are missing: ${missing}`];
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
