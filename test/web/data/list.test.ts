import assert from 'node:assert/strict';
import { test } from 'node:test';
import { act } from '../../../src/web/browser/console/data/act.ts';
import { sell } from '../../../src/web/browser/console/data/actions.ts';
import type { Shop } from '../../../src/web/browser/console/data/shop.ts';
import { eventuallyEqual } from '../../support/eventually.ts';
import { Stream } from '../support/shop.ts';
import * as calls from '../support/shop-calls.ts';
import {
  ALL,
  add,
  addMany,
  animal,
  animalsWhere,
  openShopWith,
  order,
  setPet,
} from '../support/shop-calls.ts';

const AVAILABLE = { screen: animalsWhere({ status: 'available' }) };
const idsOf = ({ animalList }: Shop) => animalList.ids.peek();
const namesOf = ({ animalList }: Shop) => animalList.items.peek()?.map(({ name }) => name);
const isAnimals = (line: string) => line.startsWith('GET /v1/pets');

test('events change the rows at once; which belong to the list is asked soon after, and the rows stay', async (t) => {
  const { service, shop, network } = await openShopWith(t, ['Ava', 'Ben'], undefined, AVAILABLE);
  const stream = await Stream.open(shop);
  await setPet(service, 1, { name: 'Eva' });
  for (const name of ['Cleo', 'Dot']) await add(service, name);
  await order(service, 1);
  await service.call('DELETE', '/v1/pets/2?reason=died');
  await service.call('DELETE', '/v1/pets/4');
  network.requests.length = 0;
  await stream.deliverAll();
  assert.deepEqual(idsOf(shop), [2n, 1n]);
  assert.partialDeepStrictEqual(animal(shop, 1n), { name: 'Eva', status: 'pending' });
  assert.equal(animal(shop, 2n).removed?.reason, 'died');
  assert.equal(shop.cache.orderOf(animal(shop, 1n))?.id, 1n);
  assert.deepEqual(network.reads('pets'), [], 'nothing was asked for');
  await eventuallyEqual(() => shop.animalList.unseen.peek(), 1);
  assert.deepEqual(idsOf(shop), [2n, 1n]);
  assert.deepEqual(shop.animalList.unseenItems.peek(), [animal(shop, 3n)]);
  await shop.animalList.showUnseen();
  assert.deepEqual([idsOf(shop), shop.animalList.unseen.peek()], [[3n], 0]);
  assert.ok(network.reads('pets?status').length <= 3, 'six events are one refresh or two');
});

test('an answer that is late replaces neither the list of a later query nor what a later refresh has found', async (t) => {
  const { service, shop, network } = await openShopWith(t, ['Ava']);
  network.hold(isAnimals);
  const sold = shop.open(animalsWhere({ status: 'sold' }));
  await network.untilHeld(1);
  assert.deepEqual([idsOf(shop), shop.animalList.loading.peek()], [[1n], true], 'the old rows stay');
  network.hold(() => false);
  await shop.open(ALL);
  network.hold(isAnimals);
  const early = shop.animalList.refresh();
  await network.untilHeld(2);
  await add(service, 'Ben');
  network.hold(() => false);
  await shop.animalList.refresh();
  assert.equal(shop.animalList.unseen.peek(), 1);
  network.releaseAll();
  await Promise.all([sold, early]);
  assert.deepEqual([idsOf(shop), shop.animalList.unseen.peek()], [[1n], 1]);
  // Without an answer, the rows of another query would mislead.
  network.fail((line) => (isAnimals(line) ? 'lost' : undefined));
  await assert.rejects(shop.open(ALL));
  assert.deepEqual(idsOf(shop), [1n]);
  // A refresh meanwhile is no success.
  const loads = [shop.open(animalsWhere({ status: 'sold' })), shop.refresh()];
  await Promise.all(loads.map((load) => assert.rejects(load)));
  assert.equal(idsOf(shop), undefined);
});

test('of more than 100 rows none is lost when animals are added elsewhere, and every one is refreshed', async (t) => {
  const { service, shop, network } = await openShopWith(t, [], async (one) => {
    for (const count of [80, 80]) await addMany(one, count);
  });
  const { animalList } = shop;
  assert.equal(idsOf(shop)?.length, 50);
  network.hold((line) => line.includes('cursor='));
  const more = animalList.more();
  await network.untilHeld(1);
  await act(shop, sell(shop, animal(shop, 160n)));
  network.releaseAll();
  await more;
  while (animalList.next.peek() !== undefined) await animalList.more();
  const all = Array.from({ length: 160 }, (_, index) => BigInt(160 - index));
  assert.deepEqual(idsOf(shop), all);
  await addMany(service, 30);
  await setPet(service, 3, { name: 'Max' });
  await shop.refresh();
  assert.deepEqual([idsOf(shop), animalList.unseen.peek()], [all, 30]);
  assert.equal(animal(shop, 3n).name, 'Max');
  await animalList.showUnseen();
  assert.deepEqual([idsOf(shop)?.length, idsOf(shop)?.slice(30)], [190, all]);
});

test('rows that have changed, one or all, do not make the next page new', async (t) => {
  const { service, shop } = await openShopWith(t, [], (one) => addMany(one, 100), AVAILABLE);
  for (const ids of [[99n], idsOf(shop) ?? []]) {
    for (const id of ids) await setPet(service, Number(id), { status: 'sold' });
    await shop.refresh();
    assert.equal(shop.animalList.unseen.peek(), 0);
  }
  await addMany(service, 60);
  await shop.refresh();
  assert.equal(shop.animalList.unseen.peek(), 50, 'as many as there were rows');
});

test('a list has at most 1,000 rows', async (t) => {
  const { shop } = await openShopWith(t, [], async (one) => {
    for (let batch = 0; batch < 11; batch++) await addMany(one, 100);
  });
  while ((idsOf(shop)?.length ?? 0) < 1000) await shop.animalList.more();
  assert.equal(idsOf(shop)?.length, 1000);
  await shop.open(ALL, 1100);
  assert.equal(idsOf(shop)?.length, 1000);
  assert.ok(shop.animalList.next.peek(), 'there are more');
});

test('a search finds ids and words: the whole name first, then names that begin with the text, then the rest', async (t) => {
  const names = ['Björn', 'Johann', 'Jo', 'Max Betta', '2 Cool', 'Kitten 10', 'Kitten 2', 'Kitten 1'];
  const { service, shop } = await openShopWith(t, names);
  const found = async (text: string) => {
    await shop.open(animalsWhere({ text }));
    return namesOf(shop);
  };
  assert.deepEqual(await found('jo'), ['Jo', 'Johann', 'Björn']);
  assert.deepEqual(await found('#2'), ['Johann']);
  assert.deepEqual(await found('2'), ['Johann', '2 Cool', 'Kitten 2'], 'the animal with this id first');
  assert.deepEqual(await found('betta  MAX'), ['Max Betta'], 'every word, in any order');
  assert.deepEqual(await found('kitten'), ['Kitten 1', 'Kitten 2', 'Kitten 10'], 'by number');
  await addMany(service, 99, 'Pup');
  await add(service, 'pup');
  assert.deepEqual((await found('pup'))?.slice(0, 3), ['pup', 'Pup 0', 'Pup 1'], 'of the first hundred');
  assert.equal(idsOf(shop)?.length, 100);
});

test('those without an order are exactly those that no order explains', async (t) => {
  const screen = animalsWhere({ status: 'pending', withoutOrder: true });
  const names = ['Ava', 'Ben', 'Cleo', 'Dot'];
  const { shop } = await openShopWith(
    t,
    names,
    async (one) => {
      await order(one, 1);
      for (const id of [2, 4]) await setPet(one, id, { status: 'pending' });
    },
    { screen },
  );
  assert.deepEqual(idsOf(shop), [4n, 2n]);
  await shop.open(animalsWhere({ status: 'pending' }));
  const isWithout = shop.animalList.items.peek()?.map((one) => shop.cache.isWithoutOrder(one));
  assert.deepEqual(
    [idsOf(shop), isWithout],
    [
      [4n, 2n, 1n],
      [true, true, false],
    ],
  );
});

test('the reservations of the rows on screen are one request, however many there are and were', async (t) => {
  const { service, shop, network } = await openShopWith(t, [], async (one) => {
    await addMany(one, 100);
    for (let id = 1; id <= 80; id++) await order(one, id, `note ${id}`);
  });
  network.requests.length = 0;
  await shop.open(ALL, 100);
  const [line = '', ...others] = network.reads('store/orders');
  assert.deepEqual(others, []);
  assert.equal(new URLSearchParams(line.split('?')[1]).getAll('petId').length, 80);
  assert.equal(shop.cache.orderOf(animal(shop, 80n))?.note, 'note 80');
  await calls.close(service, 1, 'cancelled');
  await shop.refresh();
  assert.equal(shop.cache.orderOf(animal(shop, 1n)), undefined);
  network.requests.length = 0;
  await shop.refresh();
  assert.equal(network.reads('store/orders').length, 1);
});

test('orders are the reservations and the sales of the period, with animals that were removed', async (t) => {
  const { shop } = await openShopWith(t, ['Ava', 'Ben', 'Cleo'], async (one) => {
    for (const id of [1, 2, 3]) await order(one, id);
    for (const id of [1, 2]) await calls.close(one, id, 'completed');
    await calls.close(one, 1, 'returned');
    await one.call('DELETE', '/v1/pets/2?reason=died');
  });
  await shop.open(calls.today());
  assert.deepEqual(shop.soldList.ids.peek(), [2n, 1n], 'returned ones as well');
  assert.deepEqual(shop.reservedList.ids.peek(), [3n]);
  assert.partialDeepStrictEqual(animal(shop, 2n), { name: 'Ben', removed: { reason: 'died' } });
  assert.equal(shop.cache.authorOf('order.completed', 2n), shop.api.key.name);
  const day = { from: new Date(2020, 1, 1), before: new Date(2020, 1, 2) };
  await shop.open({ of: 'orders', sold: day });
  assert.deepEqual(shop.soldList.ids.peek(), []);
  await shop.open(animalsWhere({ removed: true }));
  assert.deepEqual(idsOf(shop), [2n]);
  for (const [query, length] of [
    [{}, 10],
    [{ keyId: 'another' }, 0],
    [{ happened: day }, 0],
  ] as const) {
    await shop.open({ of: 'activity', query });
    assert.equal(shop.activityList.ids.peek()?.length, length);
  }
});

test('the count of another category that comes late is ignored', async (t) => {
  const { shop, network } = await openShopWith(t, ['Ava'], async (one) => {
    for (const name of ['Ben', 'Cleo']) await add(one, name, 2);
  });
  network.hold((line) => line.includes('inventory?categoryId=1'));
  const first = shop.open(animalsWhere({ category: 1n }));
  await network.untilHeld(1);
  assert.equal(shop.counts.shown.peek(), undefined);
  await shop.open(animalsWhere({ category: 2n }));
  network.releaseAll();
  await first;
  assert.deepEqual([shop.counts.shown.peek()?.available, shop.counts.all.peek()?.available], [2n, 3n]);
  await shop.open(ALL);
  assert.equal(shop.counts.shown.peek()?.available, 3n);
});

test('a category is without a name only once it is known which ones have one', async (t) => {
  const prepare = (one: Parameters<typeof add>[0]) => calls.nameCategory(one, 1, 'Dogs');
  const { service, shop, network } = await openShopWith(t, ['Ava'], prepare, {});
  await add(service, 'Ben', 99);
  network.hold((line) => line.startsWith('GET /v1/categories'));
  const opened = shop.open({ of: 'categories' });
  await network.untilHeld(1);
  assert.deepEqual(shop.categories.unnamed.peek(), []);
  network.releaseAll();
  await opened;
  assert.partialDeepStrictEqual(shop.categories.unnamed.peek(), [{ id: 99n, inventory: { available: 1n } }]);
});
