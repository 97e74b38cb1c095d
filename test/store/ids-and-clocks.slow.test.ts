import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { EventPosition } from '../../src/contract/event-id.ts';
import { INT64_MAX } from '../../src/contract/int64.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import { rejects } from '../support/assert.ts';
import { bothStores, execute } from '../support/database/both-stores.ts';
import { storedEvents } from '../support/events/events.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { listPets } from '../support/lists.ts';
import { orderIn, petIn } from '../support/service/created.ts';
import { openOn } from './conformance.ts';

const HOUR_MS = 3_600_000;
const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };

for (const [kind, createUrl] of bothStores) {
  it(`The id 2^63-1 is assigned in ${kind}; after that, creates are unavailable, it is not ready, and everything else works`, async (t) => {
    const url = await createUrl(t);
    const { store, close, reopen } = await openOn(t, url);
    await store.createPet(rex);
    await close();
    await execute(url, {
      sqlite: `UPDATE sqlite_sequence SET seq = ${INT64_MAX - 1n} WHERE name = 'pets' RETURNING seq`,
      postgres: `SELECT setval('pets_id_seq', ${INT64_MAX - 1n})`,
    });
    const again = await reopen();
    const last = { id: INT64_MAX, ...rex };
    assert.deepEqual(petIn(await again.createPet(rex)), last);
    const order = orderIn(await again.createOrder({ petId: INT64_MAX }));
    await again.updateOrder(order.id, { status: 'cancelled' });
    const creates = await Promise.allSettled([again.createPet(rex), again.createPet(rex)]);
    for (const outcome of creates)
      assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'unavailable');
    await rejects(again.ready(), 'unavailable');
    assert.deepEqual(await again.getPet(INT64_MAX), last);
    const from = { id: INT64_MAX - 1n };
    assert.deepEqual(await listPets(again, { limit: 10, from }), [{ id: 1n, ...rex }]);
    await again.createKey({ name: 'till 3', digest: 'd', scopes: ['*'] });
  });

  it(`A second open order of an animal is refused by ${kind} itself, whatever else goes wrong`, async (t) => {
    const url = await createUrl(t);
    const { store } = await openOn(t, url);
    const { id } = petIn(await store.createPet(rex));
    await store.createOrder({ petId: id });
    const sqlite = `INSERT INTO orders (pet_id, status, created_at, changed_at) VALUES (${id}, 'placed', 0, 0) RETURNING id`;
    const postgres = `INSERT INTO orders (pet_id, status) VALUES (${id}, 'placed')`;
    await assert.rejects(execute(url, { sqlite, postgres }), /unique/i);
  });

  it(`Maintenance of ${kind} deletes expired Idempotency-Keys, leaves every count exact, and reports a failure once`, async (t) => {
    const url = await createUrl(t);
    t.mock.timers.enable({ apis: ['setInterval'] });
    const reports: string[] = [];
    const store = await openStore(url, { report: (line) => void reports.push(line) });
    t.after(() => store.close());
    const create = (key: string) =>
      store.createPet(rex, { idempotencyKey: { owner: 'o', key, fingerprint: 'f' } });
    /** The key that has expired, and changes of counts that are not summed up: two for animals of one status and category. */
    const left = {
      sqlite: "SELECT 1 FROM idempotency_keys WHERE key = 'old'",
      postgres: `SELECT 1 FROM idempotency_keys WHERE key = 'old' UNION ALL SELECT 1 FROM category_changes
        UNION ALL (SELECT 1 FROM inventory OFFSET 1)`,
    };
    await create('old');
    await execute(url, {
      sqlite: 'UPDATE idempotency_keys SET created_at = created_at - 90000000 RETURNING key',
      postgres: "UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'",
    });
    await create('new');
    for (const available of [110n, 220n]) {
      while ((await store.countPets()).available < available) await store.createPet(rex);
      await eventually(async () => {
        t.mock.timers.tick(60_000);
        return (await execute(url, left)).length === 0;
      }, 'it is done');
      for (const category of [undefined, rex.categoryId])
        assert.deepEqual(await store.countPets(category), { available, pending: 0n, sold: 0n });
    }
    assert.equal((await create('new')).replayed, true);
    const rename = 'ALTER TABLE idempotency_keys RENAME TO results';
    await execute(url, { sqlite: `${rename}; SELECT 1`, postgres: rename });
    await eventually(() => {
      t.mock.timers.tick(60_000);
      return reports.length > 0;
    }, 'a failure is reported');
    assert.match(reports.join(), /^the maintenance of the database failed: [^,]*idempotency_keys[^,]*$/);
  });

  it(`Events in ${kind} are kept for the given time, and then deleted, oldest first`, async (t) => {
    const url = await createUrl(t);
    const age = (ms: number) =>
      execute(url, {
        sqlite: `UPDATE events SET at = at - ${ms} RETURNING id`,
        postgres: `UPDATE events SET at = at - interval '${ms} milliseconds'`,
      });
    // Only the timer of the maintenance is simulated; the store is real.
    t.mock.timers.enable({ apis: ['setInterval'] });
    const store = await openStore(url, { eventsKeepMs: HOUR_MS });
    t.after(() => store.close());
    /** A run that begins while the one before it is still going on does nothing, so there may have to be another. */
    const maintain = (left: number) =>
      eventually(async () => {
        t.mock.timers.tick(60_000);
        return (await count()) === left;
      }, `${left} events are left`);
    const count = async () => (await store.listEvents({ limit: 1000 })).events.length;

    for (let i = 0; i < 5; i++) await store.createPets(Array(90).fill(rex));
    await storedEvents(store, 450);
    await age(HOUR_MS + 60_000);
    const old = await storedEvents(store, 450);
    await store.createPets(Array(3).fill(rex));
    const all = await storedEvents(store, 453);

    // One run, although it takes several transactions.
    t.mock.timers.tick(60_000);
    await eventuallyEqual(count, 4);
    // The newest of those that have expired stays, so that a reader that has seen it can go on.
    const [newestOld, ...newer] = await storedEvents(store, 4);
    assert.deepEqual(newestOld, old.at(-1));
    assert.deepEqual(newer, all.slice(450));
    assert.deepEqual(await storedEvents(store, 3, { after: newestOld?.position }), newer);
    for (const lost of [old[0], old.at(-2)])
      await rejects(store.listEvents({ limit: 1, after: lost?.position }), 'cursor_expired');

    // In a store in which nothing happens, a reader that has seen everything can always go on.
    await age(24 * HOUR_MS);
    const last = (await store.latestEvent()) as EventPosition;
    await maintain(1);
    assert.deepEqual(await store.latestEvent(), last);
    assert.deepEqual((await store.listEvents({ limit: 1, after: last })).events, []);
    await store.createPet(rex);
    const [next] = await storedEvents(store, 1, { after: last });
    assert.ok(next && next.position.id > last.id);
  });
}
