import { isUtf8 } from 'node:buffer';
import type { DatabaseSync } from 'node:sqlite';
import { primaryCode } from '../../file-errors.ts';
import { newestVersion } from '../../migrations.ts';
import {
  checks,
  type RowCheck,
  rowChecks,
  wrongCategoryCounts,
  wrongIds,
} from '../../tools/content-problems.ts';
import { pragma, writeStatement } from '../connection.ts';
import { chunksOf, rowStatement } from '../table.ts';
import { FOLDER } from './migrate.ts';

const SQLITE_ERROR = 1;
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

const WRONG_COUNTS = {
  select: `
    WITH given (status) AS (VALUES ('available'), ('pending'), ('sold'))
    SELECT given.status, coalesce(inventory.pets, 'no') AS counted, (SELECT count(*) FROM pets WHERE status = given.status) AS rows
    FROM given LEFT JOIN inventory USING (status) WHERE counted IS NOT rows`,
  lines: (found: readonly Readonly<Record<string, unknown>>[]) =>
    found.map(
      ({ status, counted, rows }) => `the inventory counts ${counted} ${status}, but there are ${rows}`,
    ),
};

const WRONG_CATEGORY_COUNTS = wrongCategoryCounts(`
  SELECT category_id FROM (
    SELECT category_id, available, pending, sold FROM category_inventory
    UNION ALL
    SELECT category_id, -sum(status = 'available'), -sum(status = 'pending'), -sum(status = 'sold')
    FROM pets GROUP BY category_id)
  GROUP BY category_id HAVING sum(available) <> 0 OR sum(pending) <> 0 OR sum(sold) <> 0`);

/** A line for each kind of content that the program would never write. Reads everything but idempotency keys. */
export function contentProblems(db: DatabaseSync): string[] {
  try {
    return [
      ...[...checks, WRONG_COUNTS, WRONG_CATEGORY_COUNTS].flatMap(({ select, lines }) =>
        lines(writeStatement(db, select).all()),
      ),
      ...rowChecks.flatMap((check) => wrongRowsIn(db, check)),
    ];
  } catch (error) {
    // A table or a column is missing, perhaps because a later version adds it.
    if (primaryCode(error) !== SQLITE_ERROR) throw error;
    if (Number(pragma(db, 'user_version')) < newestVersion(FOLDER)) return [];
    return [`it cannot be read: ${(error as Error).message}`];
  }
}

/** The driver replaces what is not valid UTF-8, so the bytes of a text with a replacement character are looked at as well. */
function wrongRowsIn(db: DatabaseSync, { what, table, texts, derived, isRight }: RowCheck): string[] {
  const wrong: bigint[] = [];
  const blobs = texts.map((column) => `CAST(${column} AS BLOB)`);
  const bytes = rowStatement(db, `SELECT ${blobs.join(', ')} FROM ${table} WHERE id = ?`);
  const isText = (id: bigint) =>
    (bytes.get(id) as unknown as (Uint8Array | null)[]).every((value) => value === null || isUtf8(value));
  for (const rows of chunksOf(db, `SELECT id, ${[...texts, ...derived].join(', ')} FROM ${table}`))
    for (const [id, ...values] of rows as [bigint, ...(string | null)[]][])
      if (!isRight(values) || (values.some((text) => text?.includes('\ufffd')) && !isText(id)))
        wrong.push(id);
  return wrongIds(what, wrong);
}
