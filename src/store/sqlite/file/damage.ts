import type { DatabaseSync } from 'node:sqlite';

const HEADING = /^\*\*\* in database/;

/**
 * What SQLite finds wrong with the structure of a database, a line each; empty if nothing. `integrity_check` also compares every
 * index with its table, which takes several times as long.
 */
export function damageIn(db: DatabaseSync, check: 'quick_check' | 'integrity_check', max: number): string[] {
  const texts = db
    .prepare(`PRAGMA ${check}(${max})`)
    .all()
    .map((row) => String(row[check]));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => !HEADING.test(line));
  return lines.filter((line) => line !== 'ok').slice(0, max);
}
