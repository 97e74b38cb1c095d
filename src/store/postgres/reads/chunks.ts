import { CHUNK_ROWS } from '../../tools/dump.ts';
import type { Db, TextRow, Value } from '../pool/connection.ts';

/** All rows of a SELECT, in chunks of bounded size. Must run inside a transaction. */
export async function* chunksOf(
  sql: Db,
  select: string,
  values?: readonly Value[],
): AsyncGenerator<TextRow[], void, undefined> {
  await sql.query(`DECLARE chunks CURSOR FOR ${select}`, values);
  for (;;) {
    const rows = await sql.query(`FETCH ${CHUNK_ROWS} FROM chunks`);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql.query('CLOSE chunks');
}
