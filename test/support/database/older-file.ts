import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { createReference } from '../../../src/store/sqlite/schema/migrate.ts';
import type { OlderRow } from './older-content.ts';

/** Creates an SQLite file of an older version, with what `fill` puts into it, in the journal mode that the program uses. */
export function olderFile(file: string, version: number, fill: (db: DatabaseSync) => void): void {
  const old = createReference(version);
  fill(old);
  old.prepare('VACUUM INTO ?').run(file);
  old.close();
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL');
  db.close();
}

/** Inserts rows of that version in one transaction. */
export const insertInto = (rows: Iterable<OlderRow>) => (db: DatabaseSync) => {
  const prepared = new Map<string, StatementSync>();
  db.exec('BEGIN');
  for (const [table, row] of rows) {
    const places = Object.keys(row).map(() => '?');
    const sql = `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`;
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    statement.setReadBigInts(true);
    statement.run(...Object.values(row).map((value) => (value instanceof Date ? value.getTime() : value)));
  }
  db.exec('COMMIT');
};
