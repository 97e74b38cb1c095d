import { isByCompletion } from '../../contract/bounded-filters.ts';
import { foldText } from '../../contract/folded-text.ts';
import type { Order } from '../../contract/order.ts';
import type { OrderQuery, Page } from '../store.ts';
import { tables } from '../tables.ts';
import type { Db } from './pool/connection.ts';
import { pageReader, rangesOf } from './reads/pages.ts';
import { candidatesIn, contains, type Parameter, searchPage } from './reads/search.ts';
import { defineTable } from './table.ts';

export const orderTable = defineTable(tables.orders);

const { readPage } = pageReader(orderTable);

export function listOrders(sql: Db, query: OrderQuery): Promise<Page> {
  const { note } = query;
  if (isByCompletion(query))
    return searchPage(sql, orderTable, query, (parameter, from) =>
      completionSearch({ ...query, from }, parameter),
    );
  if (note === undefined) return readPage(sql, query);
  return searchPage(sql, orderTable, query, (parameter, from) => ({
    candidates: candidatesIn('orders', rangesOf({ ...query, from }, parameter)),
    matches: contains('folded_note', parameter(foldText(note))),
    text: 'folded_note',
  }));
}

/** A range of the index on the time of completion. A position has the time in milliseconds, which every time is stored to. */
function completionSearch(query: OrderQuery, parameter: Parameter) {
  const { completedFrom, completedBefore, from, status, petId, note } = query;
  const range = ['completed_at IS NOT NULL'];
  if (completedFrom) range.push(`completed_at >= ${parameter(completedFrom.toISOString())}::timestamptz`);
  if (completedBefore) range.push(`completed_at < ${parameter(completedBefore.toISOString())}::timestamptz`);
  if (from) {
    const at = new Date(Number(from.key)).toISOString();
    range.push(`(completed_at, id) <= (${parameter(at)}::timestamptz, ${parameter(from.id)}::int8)`);
  }
  const matches = ['true'];
  if (status !== undefined) matches.push(`status = ${parameter(status)}`);
  if (petId !== undefined) matches.push(`pet_id = ${parameter(petId)}::int8`);
  if (note !== undefined) matches.push(contains('folded_note', parameter(foldText(note))));
  const order = 'completed_at DESC, id DESC';
  return {
    candidates: candidatesIn('orders', [{ where: range.join(' AND '), order }]),
    matches: matches.join(' AND '),
    text: 'folded_note',
    key: '(extract(epoch FROM completed_at) * 1000)::int8',
    positionOf: (id: bigint, key: bigint) => ({ id, key: `${key}` }),
  };
}

export async function getOrder(sql: Db, id: bigint): Promise<Order | undefined> {
  const [row] = await sql`SELECT * FROM orders WHERE id = ${id}`;
  return row && orderTable.fromRow(row);
}
