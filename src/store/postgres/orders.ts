import { isByCompletion } from '../../contract/bounded-filters.ts';
import type { Order } from '../../contract/order.ts';
import { completionList, orderList } from '../lists.ts';
import { isOrderSearch } from '../search.ts';
import type { OrderQuery, Page } from '../store.ts';
import { tables } from '../tables.ts';
import type { Db } from './pool/connection.ts';
import { pageReader, searchReader } from './reads/lists.ts';
import { defineTable } from './table.ts';

export const orderTable = defineTable(tables.orders);

const readPage = pageReader(orderTable, orderList);
const searchPage = searchReader(orderTable, orderList);
const byCompletion = searchReader(orderTable, completionList);

export function listOrders(sql: Db, query: OrderQuery): Promise<Page> {
  if (isByCompletion(query)) return byCompletion(sql, query);
  return (isOrderSearch(query) ? searchPage : readPage)(sql, query);
}

const ONE_ORDER = `${orderTable.select} WHERE id = $1::int8`;

export async function getOrder(sql: Db, id: bigint): Promise<Order | undefined> {
  const [row] = await sql.query(ONE_ORDER, [id]);
  return row && orderTable.fromRow(row);
}
