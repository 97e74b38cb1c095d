import type { DatabaseSync } from 'node:sqlite';
import { isByCompletion } from '../../contract/bounded-filters.ts';
import type { Order } from '../../contract/order.ts';
import type { OrdersOfPet } from '../../contract/rules/pets.ts';
import { completionList, orderList } from '../lists.ts';
import type { OrderQuery } from '../store.ts';
import { tables } from '../tables.ts';
import { pageReader, searchReader } from './reads/lists.ts';
import { defineTable, insertInto, itemWhere, updateIn } from './table.ts';

export const orderTable = defineTable(tables.orders);

export function orderReads(db: DatabaseSync) {
  const byNote = searchReader(db, orderTable, orderList);
  const byCompletion = searchReader(db, orderTable, completionList);

  return {
    listOrders: pageReader(db, orderTable, orderList),
    searchOrders: (query: OrderQuery) => (isByCompletion(query) ? byCompletion : byNote)(query),
    getOrder: itemWhere(db, orderTable, 'id = ?'),
  };
}

export function orderRows(db: DatabaseSync) {
  const insert = insertInto(db, orderTable, { generated: 'id' });

  return {
    order: itemWhere(db, orderTable, 'id = ?'),
    ordersOf: ordersOfPet(db),
    addOrder: (order: Omit<Order, 'id'>): Order => ({ id: insert(order), ...order }),
    changeOrder: updateIn(db, orderTable),
  };
}

/** Reads the orders only when a rule asks for them: most changes do not depend on them. */
function ordersOfPet(db: DatabaseSync): (petId: bigint) => OrdersOfPet {
  const newest = (status: string) =>
    itemWhere(db, orderTable, `pet_id = ? AND status = '${status}' ORDER BY id DESC LIMIT 1`);
  const [open, sale] = [newest('placed'), newest('completed')];
  return (petId) => ({
    get open() {
      return open(petId);
    },
    get sale() {
      return sale(petId);
    },
  });
}
