import type { Row } from 'postgres';
import type { PageQuery } from '../store.ts';
import { arrayOf } from './arrays.ts';
import type { Db } from './connection.ts';

/** A page of a table, newest first, in one round trip; each combination of filters is prepared once a connection. */
export async function readPage(sql: Db, select: string, query: PageQuery<string>): Promise<Row[]> {
  const { limit, status, before, ids } = query;
  const values: (string | bigint | number)[] = [limit];
  const where: string[] = [];
  // Written out, because an index of one status serves no statement that leaves the status open.
  if (status !== undefined) where.push(`status = '${word(status)}'`);
  if (before !== undefined) where.push(`id < $${values.push(before)}`);
  if (ids !== undefined) where.push(`id = ANY ($${values.push(arrayOf(ids))}::int8[])`);
  const condition = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  return sql.unsafe(`${select} ${condition} ORDER BY id DESC LIMIT $1`, values, { prepare: true });
}

function word(text: string): string {
  if (!/^[a-z]+$/.test(text)) throw new Error('a status is a plain word');
  return text;
}
