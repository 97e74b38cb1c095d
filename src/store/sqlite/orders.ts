import type { DatabaseSync } from 'node:sqlite';
import {
  type NewOrder,
  Order,
  type OrderStatus,
  type OrderUpdate,
  orderClosed,
  orderJson,
  orderNotFound,
  petNotAvailable,
  petStatusUnder,
} from '../../contract/order.ts';
import { petNotFound } from '../../contract/pet.ts';
import type { Created, Once, OrderQuery } from '../store.ts';
import type { AtMostOnce } from './once.ts';
import { pageReader, type Row, rowStatement } from './pages.ts';

const COLUMNS = 'id, pet_id, status, created_at, updated_at';
export const SELECT_ORDERS = `SELECT ${COLUMNS} FROM orders`;
const kept = { schema: Order, toJson: orderJson };

export function orderReads(db: DatabaseSync) {
  const page = pageReader(db, SELECT_ORDERS);
  return { listOrders: (query: OrderQuery): Order[] => page(query).map(orderOf) };
}

export function orderActions(db: DatabaseSync, atMostOnce: AtMostOnce) {
  const reserve = db.prepare('UPDATE pets SET status = ? WHERE id = ? AND status = ?');
  const petExists = db.prepare('SELECT 1 FROM pets WHERE id = ?');
  const place = rowStatement(
    db,
    `INSERT INTO orders (pet_id, status, created_at, updated_at) VALUES (?1, ?2, ?3, ?3) RETURNING ${COLUMNS}`,
  );
  const close = rowStatement(
    db,
    `UPDATE orders SET status = ?, updated_at = max(created_at, ?) WHERE id = ? AND status = 'placed' RETURNING ${COLUMNS}`,
  );
  const orderExists = db.prepare('SELECT 1 FROM orders WHERE id = ?');
  const release = db.prepare('UPDATE pets SET status = ? WHERE id = ?');

  return {
    createOrder({ petId }: NewOrder, once?: Once): Created<Order> {
      return atMostOnce.run(once, kept, () => {
        if (reserve.run(petStatusUnder.placed, petId, 'available').changes === 0) {
          throw petExists.get(petId) ? petNotAvailable() : petNotFound();
        }
        return orderOf(place.get(petId, 'placed', Date.now()) as unknown as Row);
      });
    },
    updateOrder(id: bigint, { status }: OrderUpdate): Order {
      const row = close.get(status, Date.now(), id) as unknown as Row | undefined;
      if (!row) throw orderExists.get(id) ? orderClosed() : orderNotFound();
      const order = orderOf(row);
      release.run(petStatusUnder[status], order.petId);
      return order;
    },
  };
}

export function orderOf([id, petId, status, createdAt, updatedAt]: Row): Order {
  return {
    id: id as bigint,
    petId: petId as bigint,
    status: status as OrderStatus,
    createdAt: timeOf(createdAt),
    updatedAt: timeOf(updatedAt),
  };
}

const timeOf = (ms: Row[number] | undefined): string => new Date(Number(ms)).toISOString();
