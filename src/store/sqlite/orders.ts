import type { DatabaseSync } from 'node:sqlite';
import { type Author, orderContent } from '../../contract/event.ts';
import {
  type NewOrder,
  Order,
  type OrderUpdate,
  orderClosed,
  orderJson,
  orderNotCompleted,
  orderNotFound,
  petNotAvailable,
  petNotSold,
  petStatusUnder,
  placed,
} from '../../contract/order.ts';
import { type Pet, type PetStatus, petNotFound } from '../../contract/pet.ts';
import type { Created, IdempotencyKey, OrderQuery, Page } from '../store.ts';
import { tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import type { RecordEvent } from './events.ts';
import type { Idempotency } from './idempotency.ts';
import { pageReader } from './pages.ts';
import { petTable } from './pets.ts';
import { defineTable, insertInto, itemById, itemStatement } from './table.ts';

export const orderTable = defineTable(tables.orders);
const result = { schema: Order, toJson: orderJson };

export function orderReads(db: DatabaseSync) {
  return {
    listOrders: pageReader(db, orderTable) as (query: OrderQuery) => Page,
    getOrder: itemById(db, orderTable) as (id: bigint) => Order | undefined,
  };
}

export function orderActions(db: DatabaseSync, idempotency: Idempotency, record: RecordEvent) {
  const setStatus = itemStatement(
    db,
    petTable,
    `UPDATE pets SET status = ? WHERE id = ? AND status = ? RETURNING ${petTable.list}`,
  );
  const petExists = db.prepare('SELECT 1 FROM pets WHERE id = ?');
  const insert = insertInto(db, orderTable, { generated: 'id' });
  const find = itemById(db, orderTable);
  const close = writeStatement(
    db,
    'UPDATE orders SET status = ?, changed_at = max(created_at, ?) WHERE id = ? AND status = ?',
  );
  const laterSale = db.prepare("SELECT 1 FROM orders WHERE pet_id = ? AND id > ? AND status = 'completed'");

  /** The animal with its new status, if it had the expected one. */
  function changeStatus(petId: bigint, status: PetStatus, expected: PetStatus): Pet | undefined {
    return setStatus(status, petId, expected);
  }

  return {
    createOrder(newOrder: NewOrder, idempotencyKey?: IdempotencyKey, by?: Author): Created<Order> {
      return idempotency.run(idempotencyKey, result, () => {
        const { petId } = newOrder;
        const pet = changeStatus(petId, petStatusUnder.placed, 'available');
        if (!pet) throw petExists.get(petId) ? petNotAvailable() : petNotFound();
        const values = placed(newOrder, new Date().toISOString());
        const order = { id: insert(values), ...values };
        record('order.placed', by, orderContent(order, pet), petId);
        return order;
      });
    },
    updateOrder(id: bigint, { status }: OrderUpdate, by?: Author): Order {
      const before = status === 'returned' ? 'completed' : 'placed';
      const { changes } = close.run(status, Date.now(), id, before);
      const order = find(id);
      if (!order) throw orderNotFound();
      if (changes === 0n) throw order.status === 'placed' ? orderNotCompleted() : orderClosed();
      const { petId } = order;
      if (status === 'returned' && laterSale.get(petId, id)) throw petNotSold();
      const pet = changeStatus(petId, petStatusUnder[status], petStatusUnder[before]);
      if (status === 'returned' && !pet) throw petNotSold();
      record(`order.${status}`, by, orderContent(order, pet), petId);
      return order;
    },
  };
}
