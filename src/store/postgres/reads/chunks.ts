import type { Row } from 'postgres';
import { CHUNK_ROWS } from '../../tools/dump.ts';
import type { Db } from '../pool/connection.ts';

/**
 * All rows of a SELECT, in chunks of bounded size. Must run inside a transaction. Does not use the driver's cursor: when the connection is lost
 * between two chunks, that cursor ends as if there were no more rows, and leaving its loop ends the process.
 */
export async function* chunksOf(
  sql: Db,
  select: string,
  values: string[] = [],
): AsyncGenerator<Row[], void, undefined> {
  await sql.unsafe(`DECLARE chunks CURSOR FOR ${select}`, values);
  for (;;) {
    const rows = await sql.unsafe(`FETCH ${CHUNK_ROWS} FROM chunks`);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql.unsafe('CLOSE chunks');
}
