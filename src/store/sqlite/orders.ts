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
import { pageReader, type Row } from './pages.ts';

const COLUMNS = 'id, pet_id, status, created_at, updated_at';
const kept = { schema: Order, toJson: orderJson };

export function orderReads(db: DatabaseSync) {
  const page = pageReader(db, `SELECT ${COLUMNS} FROM orders`);
  return { listOrders: (query: OrderQuery): Order[] => page(query).map(orderOf) };
}

export function orderActions(db: DatabaseSync, atMostOnce: AtMostOnce) {
  const reserve = db.prepare('UPDATE pets SET status = ? WHERE id = ? AND status = ?');
  const petExists = db.prepare('SELECT 1 FROM pets WHERE id = ?');
  const place = db.prepare(
    `INSERT INTO orders (pet_id, status, created_at, updated_at) VALUES (?1, ?2, ?3, ?3) RETURNING ${COLUMNS}`,
  );
  const close = db.prepare(
    `UPDATE orders SET status = ?, updated_at = ? WHERE id = ? AND status = 'placed' RETURNING ${COLUMNS}`,
  );
  const orderExists = db.prepare('SELECT 1 FROM orders WHERE id = ?');
  const release = db.prepare('UPDATE pets SET status = ? WHERE id = ?');
  place.setReadBigInts(true);
  close.setReadBigInts(true);

  return {
    createOrder({ petId }: NewOrder, once?: Once): Created<Order> {
      return atMostOnce.run(once, kept, () => {
        if (reserve.run(petStatusUnder.placed, petId, 'available').changes === 0) {
          throw petExists.get(petId) ? petNotAvailable() : petNotFound();
        }
        return orderOf(place.get(petId, 'placed', Date.now()) as Row);
      });
    },
    updateOrder(id: bigint, { status }: OrderUpdate): Order {
      const row = close.get(status, Date.now(), id);
      if (!row) throw orderExists.get(id) ? orderClosed() : orderNotFound();
      const order = orderOf(row);
      release.run(petStatusUnder[status], order.petId);
      return order;
    },
  };
}

export function orderOf(row: Row): Order {
  return {
    id: row.id as bigint,
    petId: row.pet_id as bigint,
    status: row.status as OrderStatus,
    createdAt: timeOf(row.created_at),
    updatedAt: timeOf(row.updated_at),
  };
}

const timeOf = (ms: Row[string] | undefined): string => new Date(Number(ms)).toISOString();
