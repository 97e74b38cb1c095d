import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../../../src/client/index.ts';
import { act } from '../../../src/web/browser/console/data/act.ts';
import { cancel, createCategory, reserve } from '../../../src/web/browser/console/data/actions.ts';
import { Cache } from '../../../src/web/browser/console/data/cache.ts';
import { KEY, startService } from '../../support/service/service.ts';
import { openShop, Stream } from '../support/shop.ts';
import {
  ALL,
  add,
  addMany,
  animal,
  close,
  openShopWith,
  orderOf,
  setPet,
  today,
} from '../support/shop-calls.ts';

const MOST = 3000;

test('an answer that was asked for before a change does not undo it', async (t) => {
  const { shop, network } = await openShopWith(t, ['Ava']);
  network.hold((line) => line.startsWith('GET'));
  const refreshing = shop.refresh();
  const categories = shop.categories.load();
  await network.untilHeld(4);
  network.hold(() => false);
  await act(shop, reserve(shop, animal(shop, 1n)));
  const { id } = await createCategory(shop, 'Cats');
  network.releaseAll();
  await Promise.all([refreshing, categories]);
  assert.equal(animal(shop, 1n).status, 'pending');
  assert.equal(shop.categories.nameOf(id), 'Cats');
});

test('two changes in a row: the events of the first one do not show it as it was; the service is asked', async (t) => {
  const { service, shop, network } = await openShopWith(t, ['Ava']);
  const stream = await Stream.open(shop);
  await act(shop, reserve(shop, animal(shop, 1n)));
  await act(shop, cancel(shop, orderOf(shop, 1n)));
  network.requests.length = 0;
  await stream.deliver(1);
  assert.equal(network.reads('pets?id=1').length + network.reads('store/orders/1').length, 2);
  assert.equal(animal(shop, 1n).status, 'available');
  assert.equal(orderOf(shop, 1n).status, 'cancelled');
  await setPet(service, 1, { name: 'Eva' });
  await stream.deliverAll();
  assert.partialDeepStrictEqual(animal(shop, 1n), { name: 'Eva', status: 'available' });
});

test('the panel asks for an animal that no list has, with its history, and follows the events', async (t) => {
  const { service, shop, network } = await openShopWith(t, [], (one) => addMany(one, 60));
  assert.equal(shop.cache.animals.isKnown(1n), false);
  await shop.panel.open(1n);
  assert.equal(animal(shop, 1n).name, 'Animal 0');
  await shop.open(today());
  const stream = await Stream.open(shop);
  await setPet(service, 1, { name: 'Eva' });
  await stream.deliverAll();
  assert.equal(animal(shop, 1n).name, 'Eva');
  const history = () => shop.panel.history.peek()?.map(({ type }) => type);
  assert.deepEqual(history(), ['pet.updated', 'pet.created']);
  await shop.panel.refresh();
  assert.deepEqual(history(), ['pet.updated', 'pet.created']);
  // The history of one animal never shows with another.
  network.hold((line) => line.includes('petId=1'));
  const first = shop.panel.open(1n);
  await network.untilHeld(2);
  await shop.panel.open(2n);
  network.releaseAll();
  await first;
  assert.deepEqual([shop.panel.history.peek()?.length, shop.panel.history.peek()?.[0]?.pet?.id], [1, 2n]);
  await shop.panel.open(61n);
  assert.equal(shop.cache.animals.isKnown(61n), true);
  assert.equal(shop.cache.animals.peek(61n), undefined);
});

test('a correction does not change who has reserved and sold; of several completions the latest counts', async (t) => {
  const till = 'the-key-of-the-till-in-the-suite';
  const service = await startService(t, { config: { apiKeys: [KEY, till] } });
  await add(service, 'Ava');
  const { shop } = await openShop(t, service, { screen: ALL });
  const stream = await Stream.open(shop);
  await service.call('POST', '/v1/store/orders', { body: { petId: 1 }, key: till });
  await service.call('PATCH', '/v1/store/orders/1', { body: { status: 'completed' }, key: till });
  for (const status of ['returned', 'completed']) await close(service, 1, status);
  await stream.deliverAll();
  const nameOf = async (key: string) =>
    ((await service.call('GET', '/v1/keys/current', { key })).json as { name: string }).name;
  const authors = () =>
    (['order.placed', 'order.completed'] as const).map((type) => shop.cache.authorOf(type, 1n));
  const name = await nameOf(till);
  assert.deepEqual(authors(), [name, name]);
  for (const status of ['placed', 'completed']) await close(service, 1, status);
  await stream.deliverAll();
  assert.deepEqual(authors(), [name, await nameOf(KEY)]);
});

test('what is not on the page is forgotten, when there is a lot of it', () => {
  const cache = new Cache();
  const order = { status: 'placed', createdAt: '', updatedAt: '' } as const;
  const all = Array.from({ length: MOST + 1 }, (_, index) => BigInt(index));
  const trim = (ids: readonly bigint[]) =>
    cache.trim({ animals: new Set(ids), orders: new Set(ids) }, new Set(['7']));
  const asked = cache.sequence.next();
  const pet = { name: 'Ava', categoryId: 1n, status: 'pending' } as const;
  cache.animals.receive(
    all.map((id) => ({ ...pet, id })),
    asked,
  );
  cache.orders.receive(
    all.map((id) => ({ ...order, id, petId: id })),
    asked,
  );
  cache.noteAsked(all);
  cache.events.receive(
    ['6', '7'].map((id) => ({ id }) as Event),
    asked,
  );
  trim([5n]);
  assert.deepEqual([cache.animals.size, cache.orders.size, cache.events.size], [1, 1, 1]);
  assert.equal(cache.orderOf({ ...pet, id: 5n })?.id, 5n, 'what is on the page is kept, with its order');
  assert.equal(cache.orderOf({ ...pet, id: 6n }), undefined);
  assert.equal(cache.isWithoutOrder({ ...pet, id: 6n }), false, 'it has to be asked for again');
  cache.orders.receive([{ ...order, id: 6n, petId: 6n }], cache.sequence.next());
  assert.equal(cache.orderOf({ ...pet, id: 6n })?.id, 6n);
  trim([]);
  assert.equal(cache.orders.size, 2, 'a few are not worth it');
});

test('a page that nobody leaves forgets as well: a refresh trims the cache, and keeps the rows', async (t) => {
  const { service, shop } = await openShopWith(t, ['Ava', 'Ben']);
  const { events } = shop.cache;
  await shop.open({ of: 'activity', query: {} });
  const rows = shop.activityList.items.peek();
  for (let id = 1; id <= 40; id++) await setPet(service, 1, { name: `Ava ${id}` });
  await shop.refresh();
  assert.equal(events.size, 2, 'what is new is counted, and read again when it is shown');
  assert.deepEqual(shop.activityList.items.peek(), rows);
  await shop.activityList.showUnseen();
  assert.equal(shop.activityList.items.peek()?.length, 42);
  await shop.open(ALL);
  assert.equal(shop.activityList.unseen.peek(), 0);
});
