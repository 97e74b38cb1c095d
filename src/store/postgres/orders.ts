import type { Order } from '../../contract/order.ts';
import type { OrderQuery, Page } from '../store.ts';
import { tables } from '../tables.ts';
import type { Db } from './pool/connection.ts';
import { pageReader } from './reads/pages.ts';
import { defineTable } from './table.ts';

export const orderTable = defineTable(tables.orders);

const { readPage } = pageReader(orderTable);

export function listOrders(sql: Db, query: OrderQuery): Promise<Page> {
  return readPage(sql, query);
}

export async function getOrder(sql: Db, id: bigint): Promise<Order | undefined> {
  const [row] = await sql`SELECT * FROM orders WHERE id = ${id}`;
  return row && orderTable.fromRow(row);
}
