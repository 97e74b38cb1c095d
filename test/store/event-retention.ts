import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { EventPosition } from '../../src/contract/event-id.ts';
import { openStore } from '../../src/store/open.ts';
import { rejects } from '../support/assert.ts';
import { storedEvents } from '../support/events/events.ts';
import { eventually } from '../support/eventually.ts';

const HOUR_MS = 3_600_000;
const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;

/** Tests how long events are kept. `age` makes all events of the database older by so many milliseconds. */
export async function testRetention(
  t: TestContext,
  url: string,
  age: (ms: number) => Promise<unknown> | unknown,
): Promise<void> {
  // Only the timer of the maintenance is simulated; the store is real.
  t.mock.timers.enable({ apis: ['setInterval'] });
  const store = await openStore(url, { eventsKeepMs: HOUR_MS });
  t.after(() => store.close());
  /** A run that begins while the one before it is still going on does nothing, so there may have to be another. */
  const maintain = (left: number) =>
    eventually(async () => {
      t.mock.timers.tick(60_000);
      return (await store.listEvents({ limit: 1000 })).events.length === left;
    }, `${left} events are left`);

  for (let i = 0; i < 5; i++) await store.createPets(Array(90).fill(rex));
  await storedEvents(store, 450);
  await age(HOUR_MS + 60_000);
  const old = await storedEvents(store, 450);
  await store.createPets(Array(3).fill(rex));
  const all = await storedEvents(store, 453);

  await maintain(4);
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
}
