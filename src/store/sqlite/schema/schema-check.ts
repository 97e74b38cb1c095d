import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../store.ts';
import { pragma } from '../connection.ts';
import { contentProblems } from './content-check.ts';
import { createReference } from './migrate.ts';

/**
 * What is not as the migrations up to the version of the file and the program make it, a line each; empty if nothing: the schema and,
 * if that is right, the content. Tables, views and indexes of the operator are allowed, but nothing that changes what a write does.
 */
export function schemaProblems(db: DatabaseSync): string[] {
  const reference = createReference(Number(pragma(db, 'user_version')));
  try {
    const problems = differences(entriesOf(reference), entriesOf(db));
    if (problems.length > 0) return problems;
    return [...wrongRowCounts(db, reference), ...contentProblems(db)];
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

function wrongRowCounts(db: DatabaseSync, reference: DatabaseSync): string[] {
  return filledTables(reference).flatMap(({ table, rows }) => {
    const found = countOf(db, table);
    return found === rows ? [] : `the table ${table} has ${found} rows instead of ${rows}`;
  });
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
