import assert from 'node:assert/strict';
import { it } from 'node:test';
import postgres from 'postgres';
import { openStore } from '../../src/store/open.ts';
import { listOrders } from '../../src/store/postgres/orders.ts';
import { explaining } from '../support/explain.ts';
import { createCluster, createDatabase } from '../support/postgres.ts';

const server = await createCluster();
await server.start();

it('Orders of an animal in PostgreSQL are read as one range of an index, however many have another status', async (t) => {
  const url = await createDatabase(server);
  await (await openStore(url)).close();
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: 'animal_store' } });
  t.after(() => sql.end());
  await sql`
    INSERT INTO orders (pet_id, status, created_at, changed_at)
    SELECT 7, CASE WHEN n % 20000 = 0 THEN 'completed' ELSE 'cancelled' END, now(), now() FROM generate_series(1, 100000) AS n`;
  await sql`
    INSERT INTO orders (pet_id, status, created_at, changed_at)
    SELECT n, 'completed', now(), now() FROM generate_series(1000, 21000) AS n`;
  await sql`ANALYZE orders`;
  const { db, plan } = explaining(sql);
  for (const status of [undefined, 'completed', 'cancelled'] as const)
    for (const from of [undefined, { id: 90_000n }]) {
      await listOrders(db, { limit: 20, petId: 7n, status, from });
      assert.match(plan(), /Index Scan(?: Backward)? using orders_by_pet/);
      assert.doesNotMatch(plan(), /Seq Scan|Rows Removed by Filter|rows=\d{4,}[.\d]* loops/, plan());
    }
});
