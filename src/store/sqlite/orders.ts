import type { DatabaseSync } from 'node:sqlite';
import {
  type NewOrder,
  Order,
  type OrderUpdate,
  orderClosed,
  orderJson,
  orderNotFound,
  petNotAvailable,
  petStatusUnder,
} from '../../contract/order.ts';
import { petNotFound } from '../../contract/pet.ts';
import type { Created, IdempotencyKey, OrderQuery, Page } from '../store.ts';
import { writeStatement } from './connection.ts';
import type { Idempotency } from './idempotency.ts';
import { pageReader } from './pages.ts';
import { defineTable, insertInto, integer, type Row, rowStatement, text, timestamp } from './table.ts';

export const orderTable = defineTable<Order>('orders', {
  id: integer('id'),
  petId: integer('pet_id'),
  status: text('status'),
  createdAt: timestamp('created_at'),
  updatedAt: timestamp('updated_at'),
});
const result = { schema: Order, toJson: orderJson };

export function orderReads(db: DatabaseSync) {
  return { listOrders: pageReader(db, orderTable) as (query: OrderQuery) => Page };
}

export function orderActions(db: DatabaseSync, idempotency: Idempotency) {
  const reserve = writeStatement(db, 'UPDATE pets SET status = ? WHERE id = ? AND status = ?');
  const petExists = db.prepare('SELECT 1 FROM pets WHERE id = ?');
  const insert = insertInto(db, orderTable, { generated: 'id' });
  const find = rowStatement(db, `${orderTable.select} WHERE id = ?`);
  const close = writeStatement(
    db,
    `UPDATE orders SET status = ?, updated_at = max(created_at, ?) WHERE id = ? AND status = 'placed'`,
  );
  const release = writeStatement(db, 'UPDATE pets SET status = ? WHERE id = ?');

  return {
    createOrder({ petId }: NewOrder, idempotencyKey?: IdempotencyKey): Created<Order> {
      return idempotency.run(idempotencyKey, result, () => {
        if (reserve.run(petStatusUnder.placed, petId, 'available').changes === 0n) {
          throw petExists.get(petId) ? petNotAvailable() : petNotFound();
        }
        const now = new Date().toISOString();
        const order = { petId, status: 'placed', createdAt: now, updatedAt: now } as const;
        return { id: insert(order), ...order };
      });
    },
    updateOrder(id: bigint, { status }: OrderUpdate): Order {
      const { changes } = close.run(status, Date.now(), id);
      const row = find.get(id) as unknown as Row | undefined;
      if (!row) throw orderNotFound();
      if (changes === 0n) throw orderClosed();
      const order = orderTable.fromRow(row);
      release.run(petStatusUnder[status], order.petId);
      return order;
    },
  };
}
