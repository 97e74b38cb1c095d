import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import type { EventPosition } from '../../src/contract/event-id.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store, StoredEvent } from '../../src/store/store.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import { testRetention } from '../store/event-retention.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { petIn } from '../support/service/created.ts';

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
    const { events, next } = await store.listEvents({ limit, after });
    seen.push(...events);
    if (wasOver && !next) return seen;
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
        const { id } = petIn(await on.createPet(rex));
        await on.updatePet(id, { name: `${id}` });
        await on.createOrder({ petId: id });
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

  it('are there when the change is acknowledged, whatever transactions are open in the database or beside it', async (t) => {
    const { store, sql } = await open(t);
    const elsewhere = postgres(await createDatabase(server), { max: 1 });
    t.after(() => elsewhere.end());
    await sql`BEGIN`;
    await sql`INSERT INTO categories (id, name, name_key, name_digest) VALUES (1, 'Dogs', 'DOGS', 'd')`;
    await elsewhere`CREATE TABLE notes (text text)`;
    await elsewhere`BEGIN`;
    await elsewhere`INSERT INTO notes VALUES ('open')`;
    await store.createPet(rex);
    const { events } = await store.listEvents({ limit: 9 });
    assert.deepEqual(
      events.map(({ type }) => type),
      ['pet.created'],
    );
    assert.deepEqual(await store.latestEvent(), events.at(-1)?.position);
    await Promise.all([sql`ROLLBACK`, elsewhere`ROLLBACK`]);
  });

  it('are kept for the given time, and then deleted, oldest first', async (t) => {
    const url = await createDatabase(server);
    const sql = postgres(url, { max: 1, connection: { search_path: 'animal_store' } });
    t.after(() => sql.end());
    await testRetention(t, url, (ms) => sql`UPDATE events SET at = at - ${`${ms} milliseconds`}::interval`);
  });
});
