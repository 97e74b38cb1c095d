import type { DatabaseSync } from 'node:sqlite';
import { CHUNK_ROWS } from '../../tools/dump.ts';
import { type Row, rowStatement } from '../table.ts';

/** All rows of a SELECT, in chunks of bounded size. */
export function* chunksOf(db: DatabaseSync, select: string): Generator<Row[], void, undefined> {
  let rows: Row[] = [];
  for (const row of rowStatement(db, select).iterate()) {
    if (rows.push(row as unknown as Row) < CHUNK_ROWS) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}
