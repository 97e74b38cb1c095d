import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AnimalAction,
  actOnSeveral,
  move,
  remove,
  sell,
} from '../../../src/web/browser/console/data/actions.ts';
import type { Shop } from '../../../src/web/browser/console/data/shop.ts';
import { eventuallyEqual } from '../../support/eventually.ts';
import { animal, close, offered, openShopWith, order, said, setPet } from '../support/shop-calls.ts';

const NAMES = ['Ava', 'Ben', 'Cleo'];
const IDS = [1n, 2n, 3n] as const;
const run = (shop: Shop, action: AnimalAction, past: string, ids: readonly bigint[] = IDS) =>
  actOnSeveral(
    shop,
    ids.map((id) => animal(shop, id)),
    action,
    { running: 'Working', past },
  );
const statuses = (shop: Shop) => IDS.map((id) => animal(shop, id).status);

test('several are sold with one request each, and so is the Undo; one message tells of all', async (t) => {
  const { shop, network } = await openShopWith(t, NAMES);
  network.hold((line) => line.startsWith('POST'));
  const sold = run(shop, sell, 'were sold');
  await network.untilHeld(1);
  assert.equal(shop.running.at('selection'), 'Working 1 of 3…');
  network.releaseAll();
  assert.deepEqual(await sold, IDS);
  assert.equal(shop.running.at('selection'), undefined);
  assert.deepEqual([said(shop), network.changes.length], [['3 animals were sold.'], 3]);
  await offered(shop, 'Undo').run();
  assert.deepEqual(said(shop), ['Undone: 3 animals were sold before.']);
  assert.equal(shop.messages.all.peek()[0]?.offer, undefined);
  assert.equal(network.changes.length, 6);
  assert.deepEqual(statuses(shop), ['available', 'available', 'available']);
});

test('what is refused is said, and the others are done and undone all the same', async (t) => {
  const { service, shop } = await openShopWith(t, NAMES);
  // Another till is faster.
  await order(service, 2);
  await close(service, 1, 'completed');
  assert.deepEqual(await run(shop, sell, 'were sold'), [1n, 3n]);
  assert.deepEqual(said(shop), ['2 animals were sold. Not sold: Ben is sold already.']);
  const undo = offered(shop, 'Undo');
  await close(service, 3, 'returned');
  await undo.run();
  assert.deepEqual(said(shop), ['Undone: 1 animal was sold before. Not undone: Cleo is available.']);
  assert.deepEqual(statuses(shop), ['available', 'sold', 'available']);
  for (const id of [1, 3]) await setPet(service, id, { status: 'sold' });
  assert.deepEqual(await run(shop, sell, 'were sold'), []);
  assert.equal(said(shop).at(-1), 'Not sold: Ava is sold already. 2 more not.');
  assert.equal(shop.messages.all.peek().at(-1)?.offer, undefined, 'there is nothing to undo');
});

test('it stops at the first one without an answer, which can be tried again', async (t) => {
  const { shop, network } = await openShopWith(t, NAMES);
  network.fail(() => (network.changes.length > 1 ? 'unanswered' : undefined));
  assert.deepEqual(await run(shop, sell, 'were sold'), [1n]);
  assert.equal(network.changes.length, 2);
  network.heal();
  const [again, undo] = shop.messages.all.peek();
  assert.deepEqual([again?.offer?.label, undo?.offer?.label], ['Try again', 'Undo']);
  await again?.offer?.run();
  await undo?.offer?.run();
  assert.deepEqual(said(shop), ['Ben is sold.', 'Undone: Ava is available again.']);
  assert.deepEqual(statuses(shop), ['available', 'sold', 'available']);
});

test('several are moved, and removed; the debounced refresh counts the rest', async (t) => {
  const { service, shop } = await openShopWith(t, NAMES);
  await run(shop, move(9n), 'were moved', [1n, 2n]);
  assert.deepEqual([animal(shop, 1n).categoryId, animal(shop, 2n).categoryId], [9n, 9n]);
  await setPet(service, 1, { categoryId: 5 });
  await offered(shop, 'Undo').run();
  assert.deepEqual(said(shop), [
    'Undone: 1 animal was moved before. Not undone: Ava was changed again since.',
  ]);
  await run(shop, remove('Given away'), 'were removed');
  await eventuallyEqual(() => shop.counts.all.peek()?.available, 0n);
  await offered(shop, 'Undo').run();
  assert.equal(((await service.call('GET', '/v1/pets')).json as unknown[]).length, 3);
});
