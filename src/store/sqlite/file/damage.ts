import type { DatabaseSync } from 'node:sqlite';

const HEADING = /^\*\*\* in database/;

/** What SQLite finds wrong with the pages, rows and indexes of a database, a line each; empty if nothing. */
export function damageIn(db: DatabaseSync, max: number): string[] {
  const texts = db
    .prepare(`PRAGMA integrity_check(${max})`)
    .all()
    .map((row) => String(row.integrity_check));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => !HEADING.test(line));
  return lines.filter((line) => line !== 'ok').slice(0, max);
}
