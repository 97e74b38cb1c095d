import type { Row } from 'postgres';
import type { Author } from '../../contract/event.ts';
import {
  type NewOrder,
  Order,
  type OrderUpdate,
  orderClosed,
  orderJson,
  orderNotFound,
  petStatusUnder,
  placed,
} from '../../contract/order.ts';
import type { Created, IdempotencyKey, OrderQuery, Page } from '../store.ts';
import { tables } from '../tables.ts';
import { authorOf, insertEvents } from './events.ts';
import { firstResult, LIFETIME } from './idempotency.ts';
import { pageReader } from './pages.ts';
import { petTable } from './pets.ts';
import type { Db } from './pool/connection.ts';
import { refusing } from './refusals.ts';
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

export async function createOrder(
  sql: Db,
  newOrder: NewOrder,
  idempotencyKey?: IdempotencyKey,
  by?: Author,
): Promise<Created<Order>> {
  // An id that stays unused is no harm, and with both values the result is known before it is stored.
  const [next] = await sql<
    [{ id: bigint; at: Date }]
  >`SELECT nextval('orders_id_seq') AS id, date_trunc('milliseconds', now()) AS at`;
  const at = next.at.toISOString();
  const order: Order = { id: next.id, ...placed(newOrder, at) };
  const { owner = null, key = null, fingerprint = null } = idempotencyKey ?? {};
  const json = orderJson(order);
  const values = [order.id, order.petId, order.note ?? null, at, owner, key, fingerprint, json, LIFETIME];
  const [row] = await refusing(sql.unsafe(PLACE, [...authorOf(by), ...values], { prepare: true }));
  if (row) return { value: order, replayed: false };
  return firstResult(sql, idempotencyKey, Order);
}

/** The event of an order, with its animal from the row `released`. The first two values of the statement are the author. */
function orderEvent(type: string, order: string, from: string): string {
  const pet = `(SELECT concat(',"pet":', ${petTable.json}) FROM released)`;
  const author = { keyId: '$1::text', keyName: '$2::text' };
  return insertEvents(
    { type, petId: 'pet_id', ...author, content: `concat('{"order":', ${order}, ${pet}, '}')` },
    from,
  );
}

const PLACE = `
  WITH released AS MATERIALIZED (
    SELECT * FROM place_order($3::int8, $4::int8, $5::text, $6::timestamptz, $7::text, $8::text, $9::text, $10::text, $11::interval)
  ), recorded AS (
    ${orderEvent("'order.placed'", '$10::text', '(SELECT id AS pet_id FROM released) AS placed')}
  )
  SELECT id FROM released`;

const RETURN = `
  WITH returned AS MATERIALIZED (SELECT * FROM return_order($3::int8)),
  closed AS MATERIALIZED (SELECT (closed).* FROM returned),
  released AS MATERIALIZED (SELECT (released).* FROM returned),
  recorded AS (${orderEvent("'order.returned'", orderTable.json, 'closed')})
  SELECT * FROM closed`;

const CLOSE = `
  WITH closed AS (
    UPDATE orders SET status = $4::text, changed_at = greatest(created_at, date_trunc('milliseconds', now()))
    WHERE id = $3::int8 AND status = 'placed' RETURNING *
  ), released AS (
    UPDATE pets SET status = $5::text FROM closed WHERE pets.id = closed.pet_id RETURNING pets.*
  ), recorded AS (
    ${orderEvent("'order.' || status", orderTable.json, 'closed')}
  )
  SELECT * FROM closed`;

export async function updateOrder(sql: Db, id: bigint, { status }: OrderUpdate, by?: Author): Promise<Order> {
  const author = authorOf(by);
  if (status === 'returned') {
    const [row] = await refusing(sql.unsafe(RETURN, [...author, id], { prepare: true }));
    return orderTable.fromRow(row as Row);
  }
  const values = [...author, id, status, petStatusUnder[status]];
  const [row] = await sql.unsafe(CLOSE, values, { prepare: true });
  if (row) return orderTable.fromRow(row);
  const [order] = await sql`SELECT 1 FROM orders WHERE id = ${id}`;
  throw order ? orderClosed() : orderNotFound();
}
