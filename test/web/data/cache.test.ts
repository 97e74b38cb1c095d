import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../../../src/client/index.ts';
import { act } from '../../../src/web/browser/console/data/act.ts';
import { cancel, reserve } from '../../../src/web/browser/console/data/actions.ts';
import { Cache, isEqual } from '../../../src/web/browser/console/data/cache.ts';
import { createCategory } from '../../../src/web/browser/console/data/category-actions.ts';
import type { Screen } from '../../../src/web/browser/console/data/shop.ts';
import { ALL, follow, numbered, openShop, today } from '../support/shop.ts';

const MOST = 3000;

test('neither the events of the first of two changes nor an answer that was asked for before undo a change', async (t) => {
  const { others, shop, network, animal, orderOf, run } = await openShop(t, ['Ava']);
  const deliver = await follow(shop);
  await run(reserve, 1n);
  await act(shop, cancel(shop, orderOf(1n)));
  network.requests.length = 0;
  await deliver(1);
  const asked = [...network.reads('pets?id=1'), ...network.reads('store/orders/1')];
  assert.equal(asked.length, 2, 'the service is asked');
  assert.deepEqual([animal(1n).status, orderOf(1n).status], ['available', 'cancelled']);
  await others.setPet(1, { name: 'Eva' });
  await deliver();
  assert.partialDeepStrictEqual(animal(1n), { name: 'Eva', status: 'available' });
  network.hold(/^GET/);
  const loading = [shop.refresh(), shop.categories.load()];
  await network.untilHeld(4);
  network.hold();
  await run(reserve, 1n);
  const { id } = await createCategory(shop, 'Cats');
  network.releaseAll();
  await Promise.all(loading);
  assert.deepEqual([animal(1n).status, shop.categories.nameOf(id)], ['pending', 'Cats']);
});

test('the panel asks for an animal that no list has, with its history, and follows the events', async (t) => {
  const { others, shop, network, animal } = await openShop(t, numbered(60));
  const { cache, panel } = shop;
  assert.equal(cache.animals.isKnown(1n), false);
  await panel.open(1n);
  assert.equal(animal(1n).name, 'Animal 0');
  await shop.open(today());
  const deliver = await follow(shop);
  await others.setPet(1, { name: 'Eva' });
  await deliver();
  assert.equal(animal(1n).name, 'Eva');
  const history = () => panel.history.peek()?.map(({ type, pet }) => `${type} ${pet?.id}`);
  assert.deepEqual(history(), ['pet.updated 1', 'pet.created 1']);
  // An event that is in the history already is not added again.
  await others.setPet(1, { name: 'Eve' });
  await shop.refresh();
  assert.deepEqual([animal(1n).name, history()?.length], ['Eve', 3]);
  await deliver();
  assert.deepEqual(history(), ['pet.updated 1', 'pet.updated 1', 'pet.created 1']);
  // An answer that is older than an event does not remove it.
  network.hold(/events\?.*petId=1\b/);
  const late = panel.refresh();
  await network.untilHeld(1);
  await others.setPet(1, { categoryId: 2 });
  await deliver();
  network.releaseAll();
  await late;
  assert.equal(history()?.length, 4);
  // The history of one animal never shows with another.
  network.hold(/petId=1/);
  const first = panel.open(1n);
  await network.untilHeld(2);
  await panel.open(2n);
  network.releaseAll();
  await first;
  assert.deepEqual(history(), ['pet.created 2']);
  await panel.open(61n);
  assert.deepEqual([cache.animals.isKnown(61n), cache.animals.peek(61n)], [true, undefined]);
});

test('an event that renames a category keeps its numbers', () => {
  const cache = new Cache();
  const inventory = { available: 3n, pending: 0n, sold: 1n };
  cache.categories.receive([{ id: 1n, name: 'Dogs', inventory }], cache.sequence.next());
  cache.apply({ type: 'category.updated', category: { id: 1n, name: 'Hounds' } } as unknown as Event);
  assert.deepEqual(cache.categories.peek(1n), { id: 1n, name: 'Hounds', inventory });
});

test('values are equal if all their fields are, and dates by their time', () => {
  const at = (ms: number, more = {}) => ({ bounds: { from: new Date(ms) }, ids: [1n, 2n], ...more });
  assert.equal(isEqual(at(1), at(1, { text: undefined })), true);
  for (const other of [at(2), at(1, { text: 'a' }), at(1, { ids: [1n] }), undefined])
    assert.equal(isEqual(at(1), other), false);
});

test('what is not on the page is forgotten, when there is a lot of it', () => {
  const cache = new Cache();
  const order = { status: 'placed', createdAt: '', updatedAt: '' } as const;
  const pet = { name: 'Ava', categoryId: 1n, status: 'pending' } as const;
  const all = Array.from({ length: MOST + 1 }, (_, index) => BigInt(index));
  const trim = (...ids: bigint[]) =>
    cache.trim({ animals: new Set(ids), orders: new Set(ids) }, new Set(['7']));
  const asked = cache.sequence.next();
  for (const id of all) {
    cache.animals.receive([{ ...pet, id }], asked);
    cache.orders.receive([{ ...order, id, petId: id }], asked);
  }
  cache.noteAsked(all);
  for (const id of ['6', '7']) cache.events.receive([{ id } as Event], asked);
  trim(5n);
  assert.deepEqual([cache.animals.size, cache.orders.size, cache.events.size], [1, 1, 1]);
  assert.equal(cache.orderOf({ ...pet, id: 5n })?.id, 5n, 'what is on the page is kept, with its order');
  assert.equal(cache.orderOf({ ...pet, id: 6n }), undefined);
  assert.equal(cache.isWithoutOrder({ ...pet, id: 6n }), false, 'it has to be asked for again');
  const again = [6n, 9n].map((id) => ({ ...order, id, petId: 6n }));
  cache.orders.receive(again, cache.sequence.next());
  assert.deepEqual(cache.ordersOf(6n), again.toReversed(), 'the latest first');
  trim();
  assert.equal(cache.orders.size, 3, 'a few are not worth it');
});

test('a page that nobody leaves forgets as well: a refresh trims the cache, and keeps the rows', async (t) => {
  const { others, shop } = await openShop(t, ['Ava', 'Ben'], { screen: { of: 'activity', query: {} } });
  const { activityList, cache } = shop;
  const rows = activityList.items.peek();
  for (let id = 1; id <= 40; id++) await others.setPet(1, { name: `Ava ${id}` });
  await shop.refresh();
  assert.equal(cache.events.size, 2, 'what is new is counted, and read again when it is shown');
  assert.deepEqual(activityList.items.peek(), rows);
  await activityList.showUnseen();
  assert.equal(activityList.items.peek()?.length, 42);
  await shop.open(ALL);
  assert.equal(activityList.unseen.peek(), 0);
});

test('what is being read is not forgotten before it is shown', async (t) => {
  const activity: Screen = { of: 'activity', query: {} };
  const { others, shop, network } = await openShop(t, ['Ava'], { screen: activity });
  for (let id = 1; id <= 110; id++) await others.setPet(1, { name: `Ava ${id}` });
  network.hold(/events/);
  const refreshed = shop.refresh();
  await network.untilHeld(1);
  const opened = shop.open(activity, 111);
  await network.untilHeld(2);
  // Its first page is there, the second one is on its way.
  network.release(1);
  await network.untilHeld(2);
  network.release(0);
  await refreshed;
  network.releaseAll();
  await opened;
  assert.equal(shop.activityList.items.peek()?.length, 111);
});

test('of many animals, those in the panel, just added, reserved and new are kept', async (t) => {
  const { others, shop, animal } = await openShop(t, ['Ava', 'Ben', 'Cleo', 'Dot'], {
    screen: today(),
    prepare: ({ order }) => order(1),
  });
  const { cache, added, panel } = shop;
  await panel.open(2n);
  await shop.animals.lookUp([3n]);
  added.value = [3n];
  await others.order(4);
  const pet = { name: 'Eli', categoryId: 1n, status: 'available' } as const;
  const many = Array.from({ length: MOST }, (_, index) => ({ ...pet, id: BigInt(1000 + index) }));
  cache.animals.receive(many, cache.sequence.next());
  await shop.refresh();
  assert.deepEqual([[1n, 2n, 3n, 4n].map((id) => animal(id).id), cache.animals.size], [[1n, 2n, 3n, 4n], 4]);
});
