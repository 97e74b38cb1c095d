import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyScope } from '../../../src/client/index.ts';
import { act } from '../../../src/web/browser/console/data/act.ts';
import { Sequence, Table } from '../../../src/web/browser/console/data/cache.ts';
import { addDays, boundsOf, presentDay } from '../../../src/web/browser/console/data/calendar.ts';
import { createCategory, mergeCategory } from '../../../src/web/browser/console/data/category-actions.ts';
import { gatherSales } from '../../../src/web/browser/console/data/csv.ts';
import { List } from '../../../src/web/browser/console/data/list.ts';
import type { Screen } from '../../../src/web/browser/console/data/shop.ts';
import { startService } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { ALL, numbered, openShop, today } from '../support/shop.ts';

const ACTIVITY: Screen = { of: 'activity', query: {} };
const SCREENS: Readonly<Record<string, readonly Screen[]>> = {
  'pets:read': [ALL, { of: 'categories' }],
  'store:read': [today()],
  'events:read': [ACTIVITY],
  'keys:read events:read': [{ of: 'keys' }, ACTIVITY],
};

for (const [scopes, screens] of Object.entries(SCREENS))
  test(`a key is asked for nothing that it does not allow: ${scopes}`, async (t) => {
    const service = await startService(t, { database: 'sqlite::memory:' });
    const { key } = await storeKey(service.store, scopes.split(' ') as KeyScope[]);
    const { shop, others, network } = await openShop(t, ['Ava', 'Ben'], {
      ...{ service, key, screen: { of: 'nothing' } },
      prepare: (shopkeeper) => shopkeeper.order(1, { status: 'completed' }),
    });
    // What is refused is thrown.
    for (const screen of screens) await shop.open(screen);
    await shop.panel.open(1n);
    if (scopes === 'store:read') {
      const file = await gatherSales(shop, 'today', { progress: () => {}, isWanted: () => true });
      assert.match(file ?? '', /"Sold",,,[^,]+,"env-\w+",/, 'with who has sold it');
    }
    if (scopes !== 'keys:read events:read') assert.deepEqual(network.reads('keys?'), []);
    await others.add('Cleo');
    await shop.refresh();
  });

test('whatever is asked for by its id is found, however many there are, or known to be absent', async (t) => {
  const { shop, others, animal } = await openShop(t, numbered(120), { screen: { of: 'nothing' } });
  const ids = Array.from({ length: 120 }, (_, index) => BigInt(index + 1));
  await others.removePet(7);
  await shop.animals.lookUp([...ids, 999n]);
  for (const id of ids) assert.equal(animal(id).id, id);
  assert.deepEqual([animal(7n).removed?.reason, shop.cache.animals.isKnown(999n)], ['died', true]);
  await shop.orders.lookUp([5n]);
  assert.deepEqual([shop.cache.orders.isKnown(5n), shop.cache.orders.peek(5n)], [true, undefined]);
  // A reservation that was cancelled elsewhere explains nothing any more.
  await others.order(1);
  await shop.animals.lookUp([1n]);
  await others.close(1, 'cancelled');
  await others.setPet(1, { status: 'pending' });
  await shop.animals.lookUp([1n]);
  assert.equal(shop.cache.orders.peek(1n)?.status, 'cancelled');
});

test('activity has the events of the chosen day only', async (t) => {
  const { shop, network } = await openShop(t, numbered(60), { screen: ACTIVITY });
  const found = async (days: number) => {
    const day = addDays(presentDay(), days);
    await shop.open({ of: 'activity', query: { happened: boundsOf({ from: day, to: day }) } });
    return shop.activityList.ids.peek()?.length;
  };
  assert.deepEqual([await found(-1), await found(0), await found(1)], [0, 50, 0]);
  network.requests.length = 0;
  assert.deepEqual([await found(2), shop.activityList.next.peek()], [0, undefined], 'the end');
  assert.equal(network.reads('events').length, 1);
});

test('of a search whose pages are empty, only some are read for one action of the person', async () => {
  const sequence = new Sequence();
  const asked: (string | undefined)[] = [];
  const page = async (_query: object, address: string | undefined) => {
    asked.push(address);
    return { items: [], next: `${asked.length}` };
  };
  const table = new Table<bigint, { id: bigint }>(sequence);
  const list = new List({ table, page }, sequence);
  await list.open({});
  assert.deepEqual([asked.length, list.next.peek()], [26, '26']);
  await list.more();
  assert.equal(asked[26], '26', 'the next action leads on');
});

test('all of more than a hundred categories are known; one that was added elsewhere is taken, not added', async (t) => {
  const { shop, others, network } = await openShop(t, ['Ava']);
  for (let id = 1; id <= 101; id++) await others.nameCategory(id, `Category ${id}`);
  await shop.categories.load();
  assert.equal(shop.categories.all.peek().length, 101);
  await others.nameCategory(200, 'Newts');
  assert.equal((await createCategory(shop, 'newts')).id, 200n);
  // What is gone meanwhile need not be moved or removed.
  const [from, into] = ['Category 1', 'newts'].map((name) => shop.categories.called(name));
  assert.ok(from && into);
  network.hold(/^GET .*categoryId=1&/);
  const merged = act(shop, mergeCategory(shop, from, into));
  await network.untilHeld(1);
  await others.removePet(1);
  await others.send('DELETE', 'categories/1');
  network.releaseAll();
  assert.equal((await merged)?.isDone, true);
  assert.equal(shop.categories.called('Category 1'), undefined);
});
