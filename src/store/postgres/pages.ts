import type { Pet } from '../../contract/pet.ts';
import { type NameQuery, namePageStatement } from '../name-page.ts';
import type { PageQuery } from '../store.ts';
import { arrayOf } from './arrays.ts';
import type { Db } from './connection.ts';
import type { Table } from './table.ts';

/** A page of a table, newest first, in one round trip. Each combination of filters is prepared once per connection. */
export async function readPage<T>(sql: Db, table: Table<T>, query: PageQuery<string>): Promise<T[]> {
  const { limit, status, before, ids } = query;
  const values: (string | bigint | number)[] = [limit];
  const where: string[] = [];
  // A literal, because the planner uses a partial index only if it can prove the condition when it plans.
  if (status !== undefined) where.push(`status = '${plainWord(status)}'`);
  if (before !== undefined) where.push(`id < $${values.push(before)}`);
  if (ids !== undefined) where.push(`id = ANY ($${values.push(arrayOf(ids))}::int8[])`);
  const condition = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  const statement = `${table.select} ${condition} ORDER BY id DESC LIMIT $1`;
  return (await sql.unsafe(statement, values, { prepare: true })).map(table.fromRow);
}

/** A page of animals by name. */
export async function readNamePage(sql: Db, { list, fromRow }: Table<Pet>, query: NameQuery): Promise<Pet[]> {
  const values: (string | bigint | number)[] = [];
  const parameter = (value: string | bigint | number) => `$${values.push(value)}`;
  const isOneOf = (ids: readonly bigint[]) => `id = ANY (${parameter(arrayOf(ids))}::int8[])`;
  const statement = namePageStatement(query, { list, parameter, count: parameter, isOneOf });
  return (await sql.unsafe(statement, values, { prepare: true })).map(fromRow);
}

function plainWord(text: string): string {
  if (!/^[a-z]+$/.test(text)) throw new Error('a status must be a plain word');
  return text;
}
