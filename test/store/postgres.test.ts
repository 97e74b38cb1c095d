import assert from 'node:assert/strict';
import { it } from 'node:test';
import postgres from 'postgres';
import { createCluster, createDatabase } from '../support/postgres.ts';
import { conformance, openOn } from './conformance.ts';

const server = await createCluster();
await server.start();

conformance('PostgreSQL', async (t) => openOn(t, await createDatabase(server)), {
  persistent: true,
  versioned: false,
});

it('PostgreSQL never updates an order before it was created, even if the clock was set back', async (t) => {
  const url = await createDatabase(server);
  const { store } = await openOn(t, url);
  const { value: pet } = await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' });
  const { value: order } = await store.createOrder({ petId: pet.id });
  const sql = postgres(url);
  await sql`UPDATE animal_store.orders SET created_at = created_at + interval '1 day'`;
  await sql.end();
  const { createdAt, updatedAt } = await store.updateOrder(order.id, { status: 'completed' });
  assert.ok(createdAt > order.createdAt);
  assert.equal(updatedAt, createdAt);
});
