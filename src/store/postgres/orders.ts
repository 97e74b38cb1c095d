import type { ApiError } from '../../contract/errors.ts';
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
import { replay } from '../replay.ts';
import type { Created, IdempotencyKey, OrderQuery, Page } from '../store.ts';
import type { Db } from './connection.ts';
import { keyExpired } from './errors.ts';
import { findResults, LIFETIME } from './idempotency.ts';
import { pageReader } from './pages.ts';
import { defineTable, integer, timestamp, word } from './table.ts';

export const orderTable = defineTable<Order>('orders', {
  id: integer('id'),
  petId: integer('pet_id'),
  status: word('status'),
  createdAt: timestamp('created_at'),
  updatedAt: timestamp('updated_at'),
});

const { readPage } = pageReader(orderTable);

export function listOrders(sql: Db, query: OrderQuery): Promise<Page> {
  return readPage(sql, query);
}

export async function createOrder(
  sql: Db,
  { petId }: NewOrder,
  idempotencyKey?: IdempotencyKey,
): Promise<Created<Order>> {
  const { owner = null, key = null, fingerprint = null } = idempotencyKey ?? {};
  try {
    const [row] = await sql`
      SELECT * FROM place_order(${petId}::int8, ${owner}::text, ${key}::text, ${fingerprint}::text, ${LIFETIME}::interval)`;
    if (row) return { value: orderTable.fromRow(row), replayed: false };
  } catch (error) {
    throw refusals[(error as { code: string }).code]?.() ?? error;
  }
  const [stored] = idempotencyKey ? await findResults(sql, [idempotencyKey]) : [];
  if (!idempotencyKey || !stored) throw keyExpired();
  return replay(idempotencyKey, stored, Order);
}

/** The errors that `place_order` raises, by their codes. */
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
  if (row) return orderTable.fromRow(row);
  const [order] = await sql`SELECT 1 FROM orders WHERE id = ${id}`;
  throw order ? orderClosed() : orderNotFound();
}
