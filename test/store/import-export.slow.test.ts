import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { NewPet, Pet } from '../../src/contract/pet.ts';
import { samplePets } from '../../src/data/samples.ts';
import { openStore } from '../../src/store/open.ts';
import type { Result, Store } from '../../src/store/store.ts';
import { exportPets, importPets } from '../../src/store/tools/import-export.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';

import { untilBlocked } from '../support/database/blocked.ts';
import { bothStores, server } from '../support/database/both-stores.ts';
import { createDatabase } from '../support/database/postgres.ts';
import { connect, runSql } from '../support/database/sql.ts';
import { eventsOf } from '../support/events/events.ts';
import { assertStoreReplays } from '../support/events/replay.ts';
import { listOrders, listPets } from '../support/lists.ts';
import { runCommand } from '../support/service/command.ts';
import { orderIn, petIn, petsIn } from '../support/service/created.ts';
import { countOutcomes } from '../support/service/two-instances.ts';

const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' };
const NASTY = ['a\tb\nc\rd\\N', '\\.', 'NULL', '"{}"', "';--", '🐈‍⬛', 'é\u2028'];

async function* batches<T>(...all: T[][]): AsyncGenerator<T[]> {
  yield* all;
}

async function exported(url: string, status?: Pet['status']): Promise<Pet[]> {
  const all: Pet[] = [];
  await exportPets(url, { status }, async (pets) => void all.push(...pets));
  return all;
}

async function start(t: TestContext, created: Promise<string>): Promise<{ url: string; store: Store }> {
  const url = await created;
  const store = await openStore(url);
  t.after(() => store.close());
  return { url, store };
}

for (const [kind, createUrl] of bothStores) {
  describe(`importPets in ${kind}`, () => {
    it('adds animals like createPet does, in their order, with counts and names to search for', async (t) => {
      const { url, store } = await start(t, createUrl(t));
      const pets = NASTY.map((name, i): NewPet => ({ name, categoryId: BigInt(-i), status: 'sold' }));
      assert.deepEqual(await importPets(url, batches(pets.slice(0, 3), pets.slice(3)), {}), {
        added: 7,
        changed: 0,
        categories: [],
      });
      const ids = pets.map((pet, i) => ({ id: BigInt(i + 1), ...pet }));
      assert.deepEqual(await listPets(store, { limit: 10 }), ids.toReversed());
      assert.deepEqual(await exported(url), ids);
      assert.deepEqual(await store.countPets(), { available: 0n, pending: 0n, sold: 7n });
      assert.deepEqual(await listPets(store, { limit: 10, name: 'É' }), [ids.at(-1)]);
      assert.equal(petIn(await store.createPet(rex)).id, 8n);
    });

    it('lets the service write while it reads its input, and adds nothing when that fails', async (t) => {
      const { url, store } = await start(t, createUrl(t));
      const failing = async function* (): AsyncGenerator<NewPet[]> {
        for (let batch = 0; batch < 4; batch++) yield [...samplePets(5000, batch)];
        // Would wait for ever if the import held a lock.
        await store.createPet(rex);
        assert.deepEqual(await store.countPets(), { available: 1n, pending: 0n, sold: 0n });
        throw new Error('the input failed');
      };
      await assert.rejects(importPets(url, failing(), {}), /^Error: the input failed$/);
      assert.deepEqual(
        (await exported(url)).map(({ name }) => name),
        ['Rex'],
      );
    });

    it('keeps ids in a store without animals, where new ids follow them', async (t) => {
      const { url, store } = await start(t, createUrl(t));
      const kept = [
        { id: 2n ** 62n, ...rex },
        { id: 5n, ...rex },
      ];
      assert.equal((await importPets(url, batches(kept), { keepIds: true })).added, 2);
      assert.deepEqual(await exported(url), kept.toReversed());
      assert.equal(petIn(await store.createPet(rex)).id, 2n ** 62n + 1n);
      await assert.rejects(
        importPets(url, batches(kept), { keepIds: true }),
        /only be kept in a store without/,
      );
      assert.equal((await exported(url)).length, 3);
    });
  });

  describe(`animal-store seed in ${kind}`, () => {
    it('gives each reserved or sold animal its order, and each change its event, in the order of time', async (t) => {
      const { url, store } = await start(t, createUrl(t));
      const run = async (...args: string[]) => (await runCommand(args, { DATABASE_URL: url })).stdout;
      const begun = Date.now();
      const [, count] = /^Added 300 sample animals and (\d+) orders in /.exec(await run('seed', '300')) ?? [];
      const orders = await listOrders(store, { limit: 1000 });
      const inventory = await store.countPets();
      assert.equal(`${orders.length}`, count);
      assert.equal(inventory.pending + inventory.sold, BigInt(orders.length));
      assert.equal(inventory.available, 300n - BigInt(orders.length));
      await assertStoreReplays(store);
      const events = await eventsOf(store, 306 + orders.length);
      const times = events.map(({ at }) => Date.parse(String(at)));
      assert.deepEqual(times, times.toSorted());
      assert.ok((times[0] ?? 0) > begun - 30 * 86_400_000 && (times.at(-1) ?? 0) <= Date.now());
      const reserved = orders.filter(
        ({ status, note }) => status === 'placed' && note?.includes(' collects on '),
      );
      assert.equal(BigInt(reserved.length), inventory.pending);
      const sales = orders.filter(({ completedBy }) => /^till \d$/.test(completedBy ?? ''));
      assert.equal(BigInt(sales.length), inventory.sold);
      const later = sales.filter(({ createdAt, completedAt = '' }) => createdAt < completedAt);
      assert.ok(later.length > 0 && later.length < sales.length, 'reserved before, and over the counter');
      assert.ok(orders.every(({ createdBy }) => createdBy));
      const { problems, damage } = await inspectStore(url);
      assert.deepEqual([problems, damage], [[], []]);

      assert.equal(petIn(await store.createPet(rex)).id, 301n);
      assert.equal(orderIn(await store.createOrder({ petId: 301n })).id, BigInt(orders.length + 1));
      assert.match(await run('seed', '50'), /^Added 50 sample animals in /);
      assert.deepEqual(await store.countPets(), {
        ...inventory,
        available: inventory.available + 50n,
        pending: inventory.pending + 1n,
      });
      await assertStoreReplays(store);
    });
  });

  describe(`exportPets in ${kind}`, () => {
    it('returns the animals of one moment, whatever is written meanwhile', async (t) => {
      const { url, store } = await start(t, createUrl(t));
      const pets = [...samplePets(20_000, 1)];
      await importPets(url, batches(pets), {});
      const seen: Pet[] = [];
      await exportPets(url, {}, async (chunk) => {
        assert.ok(chunk.length <= 1000, 'in chunks of bounded size');
        if (seen.length === 0) {
          await store.createOrder({ petId: petIn(await store.createPet(rex)).id });
          const last = (await listPets(store, { limit: 2, status: 'available' })).at(0);
          await store.createOrder({ petId: last?.id ?? 0n });
          await store.updatePet(19_000n, { name: 'Renamed' });
          await store.removePet(19_001n);
        }
        seen.push(...chunk);
      });
      assert.deepEqual(
        seen,
        pets.map((pet, i) => ({ id: BigInt(i + 1), ...pet })),
      );
      const sold = await exported(url, 'sold');
      assert.equal(sold.length, pets.filter(({ status }) => status === 'sold').length);
    });

    it('fails when its receiver does, and with the same error', async (t) => {
      const { url, store } = await start(t, createUrl(t));
      await importPets(url, batches([...samplePets(5000, 1)]), {});
      const failure = new Error('the disk is full');
      await assert.rejects(
        exportPets(url, {}, () => Promise.reject(failure)),
        failure,
      );
      await store.createPet(rex);
    });
  });
}

describe('When the connection to PostgreSQL is lost', () => {
  it('an import adds nothing, and says so', async (t) => {
    const url = await createDatabase(server);
    const sql = connect(t, url);
    const input = async function* () {
      yield [...samplePets(5000, 1)];
      yield [...samplePets(5000, 2)];
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'animal-store' AND datname = current_database()`;
      yield [...samplePets(5000, 3)];
      yield [...samplePets(5000, 4)];
    };
    await assert.rejects(importPets(url, input(), {}), /connection to the database was lost: try again/);
    assert.equal((await sql`SELECT 1 FROM pets`).length, 0);
  });

  it('an export says that it is not complete', async () => {
    const { url, loseConnections } = await filledDatabase();
    let chunks = 0;
    const receive = async () => {
      if (++chunks === 2) await loseConnections();
    };
    await assert.rejects(exportPets(url, {}, receive), /connection to the database was lost: try again/);
    assert.equal(chunks, 2);
  });

  it('an export still fails with the error of its receiver', async () => {
    const { url, loseConnections } = await filledDatabase();
    const failure = new Error('the disk is full');
    const receive = async () => {
      await loseConnections();
      throw failure;
    };
    await assert.rejects(exportPets(url, {}, receive), failure);
    // What the driver has left to send would fail now, without a call that could reject.
    await setImmediate();
  });
});

async function filledDatabase() {
  const url = await createDatabase(server);
  await importPets(url, batches([...samplePets(5000, 1)]), {});
  /** Resolves when the server has closed them, and this process has received that. */
  const loseConnections = async () => {
    await runSql(
      url,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE application_name = 'animal-store' AND datname = current_database()`,
    );
  };
  return { url, loseConnections };
}

const IMPORTED = 50;

describe('animals that are added during the last step of an import that keeps ids', () => {
  /** The operations alone: one that waits for another in a batch would hide what it does itself. */
  const creates: readonly [name: string, create: (store: Store) => Promise<Result>][] = [
    ['createPet', (store) => store.createPet(rex)],
    ['createPet with an idempotency key', (store) => store.createPet(rex, { idempotencyKey })],
    ['createPets', (store) => store.createPets([rex, rex, rex])],
    ['createPets with an idempotency key', (store) => store.createPets([rex, rex, rex], { idempotencyKey })],
  ];
  const idempotencyKey = { owner: '1', key: 'k', fingerprint: 'f' };

  for (const [name, create] of creates)
    it(`get ids after those of the import: ${name}`, async (t) => {
      const { url, store } = await start(t, createDatabase(server));
      const sql = connect(t, url, { max: 2 });
      const kept = Array.from({ length: IMPORTED }, (_, i) => ({
        ...rex,
        name: 'Imported',
        id: BigInt(i + 1),
      }));
      let imported: Promise<unknown> | undefined;
      let created: Promise<PromiseSettledResult<Result>[]> | undefined;
      // The import stops after it has seen that there are no animals, and before it adds the first.
      await sql.unsafe(`
        CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
        CREATE TRIGGER stop BEFORE INSERT ON pets FOR EACH ROW WHEN (NEW.name = 'Imported') EXECUTE FUNCTION stop()`);
      await sql.begin(async (other) => {
        await other`SELECT pg_advisory_xact_lock(1)`;
        imported = importPets(url, batches(kept), { keepIds: true });
        // It is awaited below, and must not count as unhandled if it fails before.
        imported.catch(() => {});
        await untilBlocked(sql);
        let isSettled = false;
        created = Promise.allSettled([create(store)]).finally(() => (isSettled = true));
        // The create waits for the import, or is refused.
        await untilBlocked(sql, 2, () => isSettled);
      });
      await imported;
      const outcomes = countOutcomes((await created) ?? []);
      // Unavailable is fine, too: the client can repeat it.
      assert.ok(outcomes.ok === 1 || outcomes.unavailable === 1, JSON.stringify(outcomes));
      const again = petsIn(await store.createPets([rex, rex]));
      const pets = await listPets(store, { limit: 1000 });
      const added = pets.filter(({ id }) => id > IMPORTED);
      assert.equal(pets.length, IMPORTED + added.length);
      assert.deepEqual(
        added.slice(0, 2).map(({ id }) => id),
        again.map(({ id }) => id).reverse(),
      );
      const expected = outcomes.ok === undefined ? 0 : name.startsWith('createPets') ? 3 : 1;
      assert.equal(added.length, expected + 2);
    });
});
