import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reserve, sell } from '../../../src/web/browser/console/data/actions.ts';
import type { Shop } from '../../../src/web/browser/console/data/shop.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import { ALL, animalsWhere, follow, numbered, openShop, today } from '../support/shop.ts';

const AVAILABLE = animalsWhere({ status: 'available' });
const idsOf = ({ animalList }: Shop) => animalList.ids.peek();

test('events change the rows at once; which belong to the list is asked soon after, and the rows stay', async (t) => {
  const { others, shop, network, animal } = await openShop(t, ['Ava', 'Ben'], { screen: AVAILABLE });
  const { animalList, cache } = shop;
  const deliver = await follow(shop);
  await others.setPet(1, { name: 'Eva' });
  await others.add('Cleo', 'Dot');
  await others.order(1);
  for (const id of [2, 4]) await others.removePet(id);
  await deliver();
  assert.deepEqual(idsOf(shop), [2n, 1n]);
  assert.partialDeepStrictEqual(animal(1n), { name: 'Eva', status: 'pending' });
  assert.equal(animal(2n).removed?.reason, 'died');
  assert.equal(cache.orderOf(animal(1n))?.id, 1n);
  assert.deepEqual(network.reads('pets'), [], 'nothing was asked for');
  await eventuallyEqual(() => animalList.unseen.peek(), 1);
  assert.deepEqual(idsOf(shop), [2n, 1n]);
  assert.deepEqual(animalList.unseenItems.peek(), [animal(3n)]);
  await animalList.showUnseen();
  assert.deepEqual([idsOf(shop), animalList.unseen.peek()], [[3n], 0]);
  assert.ok(network.reads('pets?status').length <= 3, 'six events are one refresh or two');
});

test('an answer that is late replaces neither the list of a later query nor what a later refresh has found', async (t) => {
  const { others, shop, network } = await openShop(t, ['Ava'], { maxRetries: 2 });
  const { animalList } = shop;
  network.hold(/^GET \/v1\/pets/);
  const sold = shop.open(animalsWhere({ status: 'sold' }));
  await network.untilHeld(1);
  assert.deepEqual([idsOf(shop), animalList.loading.peek()], [[1n], true], 'the old rows stay');
  network.hold();
  await shop.open(ALL);
  network.hold(/^GET \/v1\/pets/);
  const early = animalList.refresh();
  await network.untilHeld(2);
  await others.add('Ben');
  network.hold();
  await animalList.refresh();
  assert.equal(animalList.unseen.peek(), 1);
  network.releaseAll();
  await Promise.all([sold, early]);
  assert.deepEqual([idsOf(shop), animalList.unseen.peek()], [[1n], 1]);
  // Without an answer, the rows of another query would mislead. The next refresh is the retry.
  network.fail(/./, 'lost');
  network.requests.length = 0;
  await assert.rejects(shop.open(ALL));
  assert.deepEqual([idsOf(shop), network.reads('pets').length], [[1n], 1]);
  // A refresh meanwhile is no success.
  const loads = [shop.open(animalsWhere({ status: 'sold' })), shop.refresh()];
  await Promise.all(loads.map((load) => assert.rejects(load)));
  assert.equal(idsOf(shop), undefined);
});

test('of more than 100 rows none is lost when animals are added elsewhere, and every one is refreshed', async (t) => {
  const { others, shop, network, animal, run } = await openShop(t, numbered(160));
  const { animalList } = shop;
  assert.equal(idsOf(shop)?.length, 50);
  network.hold(/cursor=/);
  const more = animalList.more();
  await network.untilHeld(1);
  await run(sell, 160n);
  network.releaseAll();
  await more;
  while (animalList.next.peek() !== undefined) await animalList.more();
  const all = Array.from({ length: 160 }, (_, index) => BigInt(160 - index));
  assert.deepEqual(idsOf(shop), all);
  await others.add(...numbered(30));
  await others.setPet(3, { name: 'Max' });
  await shop.refresh();
  assert.deepEqual([idsOf(shop), animalList.unseen.peek()], [all, 30]);
  assert.equal(animal(3n).name, 'Max');
  await animalList.showUnseen();
  assert.deepEqual(idsOf(shop)?.slice(30), all);
  // A page that arrives after another list was opened is not for it.
  await shop.open(ALL);
  network.hold(/cursor=/);
  const late = animalList.more();
  await network.untilHeld(1);
  await shop.open(AVAILABLE);
  network.releaseAll();
  await late;
  assert.equal(idsOf(shop)?.length, 50);
  // While another list is loading, there are no more rows of this one.
  network.hold(/status=sold/);
  const other = shop.open(animalsWhere({ status: 'sold' }));
  await network.untilHeld(1);
  await animalList.more();
  assert.equal(idsOf(shop)?.length, 50);
  network.releaseAll();
  await other;
});

test('rows that have changed, one or all, do not make the next page new', async (t) => {
  const { others, shop, animal } = await openShop(t, numbered(100), { screen: AVAILABLE });
  for (const ids of [[99n], idsOf(shop) ?? []]) {
    for (const id of ids) await others.setPet(Number(id), { status: 'sold' });
    await shop.refresh();
    assert.equal(shop.animalList.unseen.peek(), 0);
    for (const id of ids) assert.equal(animal(id).status, 'sold');
  }
  await others.add(...numbered(60));
  await shop.refresh();
  assert.equal(shop.animalList.unseen.peek(), 50, 'as many as there were rows');
});

test('what more rows show is not new any more', async (t) => {
  const { others, shop } = await openShop(t, numbered(120), { screen: animalsWhere({ text: 'animal' }) });
  // The best matches of the first hundred come first: what takes their places is among the rows.
  for (const id of [118, 119, 120]) await others.removePet(id);
  await shop.refresh();
  assert.equal(shop.animalList.unseen.peek(), 3);
  await shop.animalList.more();
  assert.deepEqual([shop.animalList.unseen.peek(), idsOf(shop)?.length], [0, 120]);
});

test('a list has at most 1,000 rows', async (t) => {
  const { shop } = await openShop(t, numbered(1100));
  while ((idsOf(shop)?.length ?? 0) < 1000) await shop.animalList.more();
  assert.equal(idsOf(shop)?.length, 1000);
  await shop.open(ALL, 1100);
  assert.equal(idsOf(shop)?.length, 1000);
  assert.ok(shop.animalList.next.peek(), 'there are more');
});

test('a search finds ids and words: the whole name first, then names that begin with the text, then the rest', async (t) => {
  const names = ['Björn', 'Johann', 'Jo', 'Max Betta', '2 Cool', 'Kitten 10', 'Kitten 2', 'Kitten 1'];
  const { others, shop } = await openShop(t, names);
  const found = async (text: string) => {
    await shop.open(animalsWhere({ text }));
    return shop.animalList.items.peek()?.map(({ name }) => name);
  };
  assert.deepEqual(await found('jo'), ['Jo', 'Johann', 'Björn']);
  assert.deepEqual(await found('#2'), ['Johann']);
  assert.deepEqual(await found('2'), ['Johann', '2 Cool', 'Kitten 2'], 'the animal with this id first');
  assert.deepEqual(await found('betta  MAX'), ['Max Betta'], 'every word, in any order');
  assert.deepEqual(await found('kitten'), ['Kitten 1', 'Kitten 2', 'Kitten 10'], 'by number');
  await others.add(...numbered(99, 'Pup'), 'pup');
  assert.deepEqual((await found('pup'))?.slice(0, 3), ['pup', 'Pup 0', 'Pup 1'], 'of the first hundred');
  assert.equal(idsOf(shop)?.length, 100);
});

test('those without an order are exactly those that no order explains', async (t) => {
  const { others, shop } = await openShop(t, ['Ava', 'Ben', 'Cleo', 'Dot']);
  await others.order(1);
  for (const id of [2, 4]) await others.setPet(id, { status: 'pending' });
  await shop.open(animalsWhere({ status: 'pending', withoutOrder: true }));
  assert.deepEqual(idsOf(shop), [4n, 2n]);
  await shop.open(animalsWhere({ status: 'pending' }));
  const pending = shop.animalList.items.peek() ?? [];
  const found = pending.map((one) => `${one.id} ${shop.cache.isWithoutOrder(one)}`);
  assert.deepEqual(found, ['4 true', '2 true', '1 false']);
});

test('the reservations of the rows on screen are one request, however many there are and were', async (t) => {
  const { others, shop, network, animal } = await openShop(t, numbered(100));
  for (let id = 1; id <= 80; id++) await others.order(id, { note: `note ${id}` });
  await shop.open(ALL, 100);
  const [first, ...more] = network.reads('store/orders');
  assert.deepEqual(more, []);
  assert.equal(first?.line.match(/petId=/g)?.length, 80);
  assert.equal(shop.cache.orderOf(animal(80n))?.note, 'note 80');
  await others.close(1, 'cancelled');
  await others.setPet(1, { status: 'pending' });
  await shop.refresh();
  assert.equal(shop.cache.orderOf(animal(1n)), undefined);
  network.requests.length = 0;
  await shop.refresh();
  assert.equal(network.reads('store/orders').length, 1);
});

test('orders are the reservations and the sales of the period, with animals that were removed', async (t) => {
  const { others, shop, animal } = await openShop(t, ['Ava', 'Ben', 'Cleo']);
  for (const id of [1, 2, 3]) await others.order(id);
  await others.close(1, 'completed', 'returned');
  await others.close(2, 'completed');
  await others.removePet(2);
  await shop.open(today());
  assert.deepEqual(shop.soldList.ids.peek(), [2n, 1n], 'returned ones as well');
  assert.deepEqual(shop.reservedList.ids.peek(), [3n]);
  assert.partialDeepStrictEqual(animal(2n), { name: 'Ben', removed: { reason: 'died' } });
  const day = { from: new Date(2020, 1, 1), before: new Date(2020, 1, 2) };
  await others.close(3, 'cancelled');
  await shop.open({ of: 'orders', sold: day });
  assert.deepEqual(shop.soldList.ids.peek(), []);
  assert.deepEqual(shop.reservedList.ids.peek(), [3n], 'the reservations above the sales do not move');
  await shop.open(animalsWhere({ removed: true }));
  assert.deepEqual(idsOf(shop), [2n]);
  for (const [query, length] of [
    [{}, 11],
    [{ keyId: 'another' }, 0],
    [{ happened: day }, 0],
  ] as const) {
    await shop.open({ of: 'activity', query });
    assert.equal(shop.activityList.ids.peek()?.length, length);
  }
});

test('a count that comes late is ignored: of another category, and of an earlier time', async (t) => {
  const { others, shop, network } = await openShop(t, ['Ava', 'Ben']);
  await others.addTo(2, ['Cleo']);
  const counts = () => [shop.counts.shown.peek()?.available, shop.counts.all.peek()?.available];
  network.hold(/inventory\?/);
  const first = shop.open(animalsWhere({ category: 1n }));
  await network.untilHeld(1);
  const second = shop.open(animalsWhere({ category: 2n }));
  await network.untilHeld(2);
  network.release(0);
  await first;
  assert.deepEqual(counts(), [undefined, 3n]);
  await others.addTo(2, ['Dot']);
  const third = shop.counts.load();
  await network.untilHeld(2);
  network.release(1);
  await third;
  assert.deepEqual(counts(), [2n, 4n]);
  network.releaseAll();
  await second;
  assert.deepEqual(counts(), [2n, 4n]);
  await shop.open(ALL);
  assert.deepEqual(counts(), [4n, 4n]);
});

test('counts and lists are compared only if nothing has changed while they were loaded', async (t) => {
  const { shop, network, run } = await openShop(t, ['Ava']);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const loads = shop.loads.peek();
  network.hold(/inventory/);
  const refreshed = shop.refresh();
  await network.untilHeld(1);
  await run(reserve, 1n);
  network.releaseAll();
  await refreshed;
  assert.equal(shop.loads.peek(), loads);
  // What changes during that refresh is loaded by another one.
  network.hold(/inventory/);
  t.mock.timers.tick(300);
  await network.untilHeld(1);
  await run(sell, 1n);
  network.releaseAll();
  await eventually(() => {
    if (network.pending === 0) t.mock.timers.tick(1000);
    return shop.loads.peek() > loads;
  }, 'nothing has changed since');
});

test('a category is without a name only once it is known which ones have one', async (t) => {
  const { others, shop, network } = await openShop(t, ['Ava'], { screen: { of: 'nothing' } });
  await others.nameCategory(1, 'Dogs');
  await others.addTo(99, ['Ben']);
  network.hold(/^GET \/v1\/categories/);
  const opened = shop.open({ of: 'categories' });
  await network.untilHeld(1);
  assert.deepEqual(shop.categories.unnamed.peek(), []);
  network.releaseAll();
  await opened;
  assert.partialDeepStrictEqual(shop.categories.unnamed.peek(), [{ id: 99n, inventory: { available: 1n } }]);
  // One that is removed while it has no animals is a number when one of them is restored.
  await others.removePet(1);
  for (const [method, path] of Object.entries({ DELETE: 'categories/1', POST: 'pets/1/restore' }))
    await others.send(method, path);
  await shop.refresh();
  const ids = shop.categories.unnamed.peek().map(({ id }) => id);
  assert.deepEqual(ids, [1n, 99n]);
  // Of two answers, that to the earlier question is ignored if it comes later.
  network.hold(/inventory\?categoryId=99/);
  const early = shop.categories.loadUnnamed();
  await network.untilHeld(1);
  network.hold();
  await others.addTo(99, ['Dot']);
  await shop.categories.loadUnnamed();
  network.releaseAll();
  await early;
  assert.partialDeepStrictEqual(shop.categories.unnamed.peek()[1], { inventory: { available: 2n } });
  for (let id = 100; id < 110; id++) await others.addTo(id, ['Cleo']);
  await shop.refresh();
  assert.equal(shop.categories.unnamed.peek().length, 10, 'each is a request');
});
