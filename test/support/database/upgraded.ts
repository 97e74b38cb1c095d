import assert from 'node:assert/strict';
import { NO_ANIMALS } from '../../../src/contract/order.ts';
import type { Store } from '../../../src/store/store.ts';
import { inspectStore } from '../../../src/store/tools/inspect.ts';
import { listOrders, listRemovedPets, walkOrders, walkPets } from '../lists.ts';
import { hasRemovals, olderPets, removedPet, upgradedOrders } from './older-content.ts';

/** Asserts that a store which had the content of an older version has everything that this version adds. */
export async function assertUpgraded(store: Store, url: string, version: number): Promise<void> {
  assert.deepEqual((await inspectStore(url)).schemaProblems, []);
  await assertNamesFound(store);
  await assertOrders(store, version);
  await assertCounts(store);
  if (hasRemovals(version)) await assertRestorable(store);
}

const idsNamed = async (store: Store, name: string) =>
  (await walkPets(store, { limit: 2, name })).map(({ id }) => id);

async function assertNamesFound(store: Store): Promise<void> {
  for (const [name, ids] of [
    ['bjorn', [1n]],
    ['BJÖRN', [1n]],
    ['nandu', [2n]],
    ['oe', [3n]],
    ['iam', [4n]],
    [' ende', [5n]],
    ['lodz', [6n]],
    ['amelie', []],
    ['s', [4n]],
  ] as const)
    assert.deepEqual(await idsNamed(store, name), ids, name);
}

async function assertOrders(store: Store, version: number): Promise<void> {
  const expected = upgradedOrders(version);
  const found = await walkOrders(store, { limit: 2 });
  assert.deepEqual(
    found.map(({ id, note, completedAt }) => ({ id, note, completedAt })),
    expected.toReversed(),
  );
  const completed = expected.filter(({ completedAt }) => completedAt !== undefined);
  const inOrder = completed.toSorted((a, b) => (String(a.completedAt) < String(b.completedAt) ? 1 : -1));
  const since = await walkOrders(store, { limit: 2, completedFrom: new Date(0) });
  assert.deepEqual(
    since.map(({ id }) => id),
    inOrder.map(({ id }) => id),
    'the latest completion is first',
  );
  for (const note of ['fur frau lee', 'BAR'])
    assert.deepEqual(
      (await listOrders(store, { limit: 9, note })).map(({ id }) => id),
      expected.filter((order) => order.note?.startsWith(note === 'BAR' ? 'bar' : 'Für')).map(({ id }) => id),
      note,
    );
}

async function assertCounts(store: Store): Promise<void> {
  const pets = await walkPets(store, { limit: 100 });
  assert.equal(pets.length, olderPets.length);
  const count = (categoryId?: bigint) => {
    const counts = { ...NO_ANIMALS };
    for (const pet of pets)
      if (categoryId === undefined || pet.categoryId === categoryId) counts[pet.status]++;
    return counts;
  };
  for (const categoryId of [undefined, 5n, ...new Set(pets.map((pet) => pet.categoryId))])
    assert.deepEqual(await store.countPets(categoryId), count(categoryId), `category ${categoryId}`);
}

async function assertRestorable(store: Store): Promise<void> {
  const { id, category_id: categoryId } = removedPet;
  for (const name of [undefined, 'amelie']) {
    const [removed, ...others] = await listRemovedPets(store, { limit: 9, name });
    assert.deepEqual([removed?.id, removed?.reason, others], [id, undefined, []]);
  }
  const { available } = await store.countPets(categoryId);
  await store.restorePet(id);
  assert.deepEqual(await idsNamed(store, 'amelie'), [id]);
  assert.equal((await store.countPets(categoryId)).available, available + 1n);
}
