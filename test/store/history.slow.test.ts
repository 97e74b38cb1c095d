import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../src/contract/errors.ts';
import { NO_ANIMALS } from '../../src/contract/order.ts';
import { PetStatus } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import { bothStores } from '../support/database/both-stores.ts';
import { runSql } from '../support/database/sql.ts';
import { hasWords, listOrders, listPets, listRemovedPets, walkOrders, walkPets } from '../support/lists.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';

const RUNS = LONG_RUN ? { sqlite: 50, postgres: 16 } : { sqlite: 12, postgres: 5 };
const CATEGORIES = [1n, 2n, -9n];
const PARTS = ['b', 'jor', 'é', 'ZOE', ' 2', 'ø', 'x'];

const anyPet = fc.record({
  name: fc.constantFrom('Björn', 'bjorn 2', 'Zoë', 'Bjørn', 'Émile', 'ZOE 2', 'Rex'),
  categoryId: fc.constantFrom(...CATEGORIES),
  status: fc.constantFrom(...PetStatus.options),
});
const which = fc.nat(30);
const anyStep = fc.oneof(
  fc.record({ what: fc.constant('create' as const), pets: fc.array(anyPet, { minLength: 1, maxLength: 4 }) }),
  fc.record({ what: fc.constant('import' as const), pets: fc.array(anyPet, { minLength: 1, maxLength: 4 }) }),
  fc.record({
    what: fc.constant('correct' as const),
    which,
    changes: fc.record(
      { name: fc.constantFrom('Zoë', 'Björn 2'), categoryId: fc.constantFrom(...CATEGORIES) },
      { requiredKeys: [], noNullPrototype: true },
    ),
  }),
  fc.record({
    what: fc.constant('remove' as const),
    which,
    reason: fc.option(fc.constant('died'), { nil: undefined }),
  }),
  fc.record({ what: fc.constant('restore' as const), which }),
  fc.record({
    what: fc.constant('order' as const),
    which,
    status: fc.constantFrom('placed', 'completed'),
    note: fc.option(fc.constant('Ms Lée'), { nil: undefined }),
  }),
  fc.record({
    what: fc.constant('close' as const),
    which,
    status: fc.constantFrom('placed', 'completed', 'cancelled', 'returned'),
  }),
  fc.record({
    what: fc.constant('note' as const),
    which,
    note: fc.option(fc.constantFrom('Ömer', 'lee'), { nil: null }),
  }),
  fc.record({ what: fc.constant('crash' as const) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

/** Lets the store lose everything that it has only in memory; returns the URL of what is left. */
async function crash(url: string, store: Store): Promise<string> {
  if (url.startsWith('postgres')) {
    await runSql(
      url,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await store.close();
    return url;
  }
  // What is on the disk at this moment, with a write-ahead log that nobody has closed.
  const path = url.slice('sqlite:'.length);
  const copy = `${path}-copy`;
  for (const suffix of ['', '-wal']) await copyFile(`${path}${suffix}`, `${copy}${suffix}`);
  await store.close();
  return `sqlite:${copy}`;
}

async function take(step: Exclude<Step, { what: 'crash' }>, url: string, store: Store): Promise<unknown> {
  if (step.what === 'create') return store.createPets(step.pets);
  if (step.what === 'import') {
    const { pets } = step;
    const batches = (async function* () {
      yield pets;
    })();
    return importPets(url, batches, {});
  }
  const id = BigInt(step.which + 1);
  if (step.what === 'correct') return store.updatePet(id, step.changes);
  if (step.what === 'remove') return store.removePet(id, step.reason);
  if (step.what === 'restore') return store.restorePet(id);
  if (step.what === 'order') return store.createOrder({ petId: id, note: step.note, status: step.status });
  const order = BigInt((step.which % 8) + 1);
  if (step.what === 'close') return store.updateOrder(order, { status: step.status });
  return store.updateOrder(order, { note: step.note });
}

/** A refusal is an answer: what may happen is tested elsewhere. */
async function tolerate(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code === 'unavailable') throw error;
  });
}

/** Compares every search and every count with what a plain look at all animals and orders says. */
async function compare(store: Store): Promise<void> {
  const pets = await listPets(store, { limit: 1000 });
  for (const categoryId of CATEGORIES) {
    const counts = { ...NO_ANIMALS };
    for (const pet of pets) if (pet.categoryId === categoryId) counts[pet.status]++;
    assert.deepEqual(await store.countPets(categoryId), counts, `category ${categoryId}`);
  }
  const orders = await listOrders(store, { limit: 1000 });
  for (const part of PARTS) {
    const has = (text = '') => hasWords(text, part);
    const found = pets.filter(({ name }) => has(name));
    assert.deepEqual(await walkPets(store, { limit: 2, name: part }), found);
    for (const status of PetStatus.options) {
      const ofStatus = found.filter((pet) => pet.status === status);
      assert.deepEqual(await walkPets(store, { limit: 3, name: part, status }), ofStatus);
    }
    const removed = await listRemovedPets(store, { limit: 1000 });
    const removedByName = await listRemovedPets(store, { limit: 1000, name: part });
    assert.deepEqual(
      removedByName,
      removed.filter(({ name }) => has(name)),
    );
  }
  const noted = orders.filter(({ note }) => hasWords(note ?? '', 'lee'));
  assert.deepEqual(await walkOrders(store, { limit: 1, note: 'lee' }), noted);
  const completed = await walkOrders(store, { limit: 2, completedFrom: new Date(0) });
  const ids = (of: readonly { readonly id: bigint }[]) => of.map(({ id }) => id).toSorted();
  assert.deepEqual(ids(completed), ids(orders.filter(({ completedAt }) => completedAt !== undefined)));
  for (const { status, completedAt } of orders)
    assert.equal(completedAt !== undefined, status === 'completed' || status === 'returned');
}

for (const [kind, createUrl] of bothStores)
  it(`After any history of changes, imports and crashes in ${kind}, every search and every count agrees with a plain look at all animals and orders`, async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
        let url = await createUrl(t);
        let store = await openStore(url);
        try {
          for (const step of steps) {
            if (step.what === 'crash') {
              await compare(store);
              url = await crash(url, store);
              store = await openStore(url);
            } else await tolerate(take(step, url, store));
          }
          await compare(store);
        } finally {
          await store.close();
        }
      }),
      { numRuns: RUNS[kind] },
    );
  });
