import type { Row } from 'postgres';
import { ApiError } from '../../contract/errors.ts';
import {
  type NewOrder,
  Order,
  type OrderUpdate,
  orderClosed,
  orderNotFound,
  petNotAvailable,
  petStatusUnder,
} from '../../contract/order.ts';
import { petNotFound } from '../../contract/pet.ts';
import { replay } from '../once.ts';
import type { Created, Once, OrderQuery } from '../store.ts';
import type { Db } from './connection.ts';
import { findOnces, LIFETIME } from './once.ts';
import { readPage } from './pages.ts';

const SELECT = 'SELECT id, pet_id, status, created_at, updated_at FROM orders';

export async function listOrders(sql: Db, query: OrderQuery): Promise<Order[]> {
  return (await readPage(sql, SELECT, query)).map(orderOf);
}

export async function createOrder(sql: Db, { petId }: NewOrder, once?: Once): Promise<Created<Order>> {
  const { owner = null, key = null, fingerprint = null } = once ?? {};
  try {
    const [row] = await sql`
      SELECT * FROM place_order(${petId}::int8, ${owner}::text, ${key}::text, ${fingerprint}::text, ${LIFETIME}::interval)`;
    if (row) return { value: orderOf(row), replayed: false };
  } catch (error) {
    throw refusals[(error as { code: string }).code]?.() ?? error;
  }
  const [kept] = await findOnces(sql, [once as Once]);
  if (!kept) throw new ApiError('unavailable', 'The Idempotency-Key has just expired. Try again.');
  return replay(once as Once, kept, Order);
}

/** What `place_order` refuses, by its error codes. */
const refusals: Record<string, () => ApiError> = { AS404: petNotFound, AS409: petNotAvailable };

export async function updateOrder(sql: Db, id: bigint, { status }: OrderUpdate): Promise<Order> {
  const [row] = await sql`
    WITH closed AS (
      UPDATE orders SET status = ${status}, updated_at = greatest(created_at, date_trunc('milliseconds', now()))
      WHERE id = ${id} AND status = 'placed' RETURNING *
    ), released AS (
      UPDATE pets SET status = ${petStatusUnder[status]} FROM closed WHERE pets.id = closed.pet_id
    )
    SELECT * FROM closed`;
  if (row) return orderOf(row);
  const [order] = await sql`SELECT 1 FROM orders WHERE id = ${id}`;
  throw order ? orderClosed() : orderNotFound();
}

function orderOf(row: Row): Order {
  return {
    id: row.id,
    petId: row.pet_id,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
