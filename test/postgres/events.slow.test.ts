import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import type { EventPosition } from '../../src/contract/event-id.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store, StoredEvent } from '../../src/store/store.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import { testRetention } from '../store/event-retention.ts';
import { storedEvents } from '../support/events.ts';
import { eventually } from '../support/eventually.ts';
import { createCluster, createDatabase } from '../support/postgres.ts';

const server = await createCluster();
await server.start();
const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;

async function open(t: TestContext): Promise<{ url: string; store: Store; sql: Sql }> {
  const url = await createDatabase(server);
  const store = await openStore(url);
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: 'animal_store' } });
  t.after(async () => {
    await store.close();
    await sql.end();
  });
  return { url, store, sql };
}

/** Reads on from the last event with pages of random sizes, until `over` returns true and there is nothing more. */
async function follow(store: Store, over: () => boolean): Promise<StoredEvent[]> {
  const seen: StoredEvent[] = [];
  for (;;) {
    const wasOver = over();
    const limit = 1 + Math.floor(Math.random() * 20);
    const after: EventPosition | undefined = seen.at(-1)?.position;
    const { events, hasMore } = await store.listEvents({ limit, after });
    seen.push(...events);
    if (wasOver && !hasMore) return seen;
    if (events.length === 0) await sleep(1);
  }
}

/** An import whose transaction is open for a while, and whose events get its number, which is low by then. */
function slowImport(url: string): Promise<unknown> {
  return importPets(
    url,
    (async function* () {
      for (let batch = 0; batch < 4; batch++) {
        yield [rex];
        await sleep(Math.random() * 100);
      }
    })(),
    {},
  );
}

describe('events in PostgreSQL', () => {
  it('are read once each and in one order, while instances write and some transactions are slow', async (t) => {
    const { url, store } = await open(t);
    const other = await openStore(url);
    t.after(() => other.close());
    let writing = true;
    let changes = 0;
    const write = async (on: Store) => {
      while (writing) {
        const { value } = await on.createPet(rex);
        await on.updatePet(value.id, { name: `${value.id}` });
        await on.createOrder({ petId: value.id });
        changes += 3;
      }
    };
    let reading = true;
    const readers = [store, other, store].map((on) => follow(on, () => !reading));
    const writers = [store, other, store, other].map(write);
    for (let i = 0; i < 6; i++) await Promise.all([slowImport(url), slowImport(url), slowImport(url)]);
    writing = false;
    await Promise.all(writers);
    changes += 18;
    await eventually(async () => {
      const { events } = await store.listEvents({ limit: 100_000 });
      return events.length === changes;
    }, `${changes} events`);
    reading = false;
    const { events: all } = await store.listEvents({ limit: 100_000 });
    t.diagnostic(`${changes} changes, 18 of them in slow transactions`);
    for (const seen of await Promise.all(readers)) {
      assert.equal(seen.length, all.length);
      assert.deepEqual(seen, all);
    }
  });

  it('wait for a transaction that is still running, and then come after its own', async (t) => {
    const { store, sql } = await open(t);
    await sql`BEGIN`;
    await sql`
      INSERT INTO events (transaction, type, content)
      SELECT pg_current_xact_id()::text::int8 + shift, 'category.removed', '{"category":{"id":1,"name":"Dogs"}}' FROM event_feed`;
    await store.createPet(rex);
    assert.deepEqual(await store.listEvents({ limit: 9 }), { events: [], hasMore: false });
    assert.equal(await store.latestEvent(), undefined);
    await sql`COMMIT`;
    const events = await storedEvents(store, 2);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['category.removed', 'pet.created'],
    );
    assert.deepEqual(await store.latestEvent(), events.at(-1)?.position);
  });

  it('keep their order and their positions when a dump is restored on a server that counts fewer transactions', async (t) => {
    const { url, store, sql } = await open(t);
    await store.createPet(rex);
    await storedEvents(store, 1);
    await store.close();
    // As on a server that has run for long.
    await sql`UPDATE events SET transaction = transaction + 1000000000`;
    const instances = await Promise.all([openStore(url), openStore(url), openStore(url)]);
    t.after(() => Promise.all(instances.map((instance) => instance.close())));
    const [first] = instances;
    const [old] = await storedEvents(first, 1);
    for (const instance of instances) await instance.createPet(rex);
    const events = await storedEvents(first, 3, { after: old?.position });
    assert.deepEqual(
      events.map(({ petId }) => petId),
      [2n, 3n, 4n],
    );
    const [{ shift }] = (await sql`SELECT shift FROM event_feed`) as unknown as [{ shift: string }];
    assert.ok(BigInt(shift) > 999_000_000n && BigInt(shift) < 1_000_000_000n + 1_000_000n, `${shift}`);
  });

  it('are kept for the given time, and then deleted, oldest first', async (t) => {
    const url = await createDatabase(server);
    const sql = postgres(url, { max: 1, connection: { search_path: 'animal_store' } });
    t.after(() => sql.end());
    await testRetention(t, url, (ms) => sql`UPDATE events SET at = at - ${`${ms} milliseconds`}::interval`);
  });

  it('of one animal are found by an index', async (t) => {
    const { sql } = await open(t);
    await sql`
      INSERT INTO events (transaction, type, pet_id, content)
      SELECT n, 'pet.created', n, '{}' FROM generate_series(1, 20000) AS n`;
    await sql`ANALYZE events`;
    await sql`SET plan_cache_mode = force_generic_plan`;
    const plan = await sql`
      EXPLAIN SELECT * FROM events WHERE transaction < ${9}::int8 AND (transaction, id) > (${0}::int8, ${0}::int8) AND pet_id = ${7}::int8
      ORDER BY transaction, id LIMIT ${20}::int8`;
    assert.match(plan.map((row) => row['QUERY PLAN']).join('\n'), /Index Scan using events_by_pet/);
  });
});
