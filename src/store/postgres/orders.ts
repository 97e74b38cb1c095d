import type { Row } from 'postgres';
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
import type { Created, Once, OrderQuery } from '../store.ts';
import type { Db, Pool } from './connection.ts';
import { claim, findOnces, keep, replay } from './once.ts';
import { readPage } from './pages.ts';

const SELECT = 'SELECT id, pet_id, status, created_at, updated_at FROM orders';

export async function listOrders(sql: Db, query: OrderQuery): Promise<Order[]> {
  return (await readPage(sql, SELECT, query)).map(orderOf);
}

export async function createOrder(sql: Pool, { petId }: NewOrder, once?: Once): Promise<Created<Order>> {
  if (!once) return { value: await place(sql, petId), replayed: false };
  const placed = await sql.begin(async (tx) => {
    if (!(await claim(tx, once))) return undefined;
    const order = await place(tx, petId);
    await keep(tx, once, orderJson(order));
    return order;
  });
  if (placed) return { value: placed, replayed: false };
  const [kept] = await findOnces(sql, [once]);
  return replay(once, kept, Order);
}

/** The row lock on the animal makes buyers queue; all but the first find it no longer available. */
async function place(sql: Db, petId: bigint): Promise<Order> {
  const [row] = await sql`
    WITH reserved AS (
      UPDATE pets SET status = ${petStatusUnder.placed} WHERE id = ${petId} AND status = 'available' RETURNING id
    )
    INSERT INTO orders (pet_id, status) SELECT id, 'placed' FROM reserved
    RETURNING id, pet_id, status, created_at, updated_at`;
  if (row) return orderOf(row);
  const [pet] = await sql`SELECT 1 FROM pets WHERE id = ${petId}`;
  throw pet ? petNotAvailable() : petNotFound();
}

export async function updateOrder(sql: Db, id: bigint, { status }: OrderUpdate): Promise<Order> {
  const [row] = await sql`
    WITH closed AS (
      UPDATE orders SET status = ${status}, updated_at = date_trunc('milliseconds', now())
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
