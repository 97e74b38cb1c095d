import type { Row } from 'postgres';
import type { PageQuery } from '../store.ts';
import { arrayOf } from './arrays.ts';
import type { Db } from './connection.ts';

/** A page of a table, newest first, in one round trip; each combination of filters is prepared once a connection. */
export async function readPage(sql: Db, select: string, query: PageQuery<string>): Promise<Row[]> {
  const { limit, status, before, ids } = query;
  const values: (string | bigint | number)[] = [limit];
  const where: string[] = [];
  const filter = (condition: (place: string) => string, value: string | bigint | undefined) => {
    if (value !== undefined) where.push(condition(`$${values.push(value)}`));
  };
  filter((place) => `status = ${place}`, status);
  filter((place) => `id < ${place}`, before);
  filter((place) => `id = ANY (${place}::int8[])`, ids && arrayOf(ids));
  const condition = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  return sql.unsafe(`${select} ${condition} ORDER BY id DESC LIMIT $1`, values, { prepare: true });
}
