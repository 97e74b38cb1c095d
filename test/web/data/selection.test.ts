import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANIMALS } from '../../../src/web/browser/console/route.ts';
import { startService } from '../../support/service/service.ts';
import { openShop } from '../support/shop.ts';
import { acceptOffer, add, animal, openShopWith, order, outcomeText } from '../support/shop-calls.ts';

test('several are sold one after the other; what failed stays ticked; one Undo takes the rest back', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex', 'Max', 'Ida']);
  const { selection } = shop;
  selection.selectAll([1n, 2n, 3n]);
  // Another till is faster.
  await order(service, 2);
  await service.call('PATCH', '/v1/store/orders/1', { body: { status: 'completed' } });
  await selection.run({ kind: 'sell' });
  assert.deepEqual([...selection.ids.peek()], [2n]);
  assert.equal(outcomeText(shop, 2n), 'Not sold: it is sold already');
  const outcome = shop.outcomes.at('selection');
  assert.equal(outcome?.text, '2 animals sold, 1 not');
  assert.equal(animal(shop, 1n).status, 'sold');
  await outcome?.offer?.run();
  assert.deepEqual(
    [1n, 2n, 3n].map((id) => animal(shop, id).status),
    ['available', 'sold', 'available'],
  );
});

test('Shift ticks everything in between, in the order of the rows', async (t) => {
  const { shop } = await openShopWith(t, ['a', 'b', 'c', 'd']);
  const rows = shop.animalList.ids.peek() ?? [];
  shop.selection.toggle(4n);
  shop.selection.extendTo(2n, rows);
  assert.deepEqual([...shop.selection.ids.peek()], [4n, 3n, 2n]);
  shop.selection.toggle(3n);
  assert.deepEqual([...shop.selection.ids.peek()], [4n, 2n]);
});

test('several are moved, removed and restored', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex', 'Max']);
  const { selection } = shop;
  selection.selectAll([1n, 2n]);
  await selection.run({ kind: 'move', categoryId: 9n });
  assert.deepEqual([animal(shop, 1n).categoryId, animal(shop, 2n).categoryId], [9n, 9n]);
  selection.selectAll([1n, 2n]);
  await selection.run({ kind: 'remove', reason: 'Given away' });
  assert.deepEqual((await service.call('GET', '/v1/pets')).json, []);
  await shop.outcomes.at('selection')?.offer?.run();
  assert.equal(((await service.call('GET', '/v1/pets')).json as unknown[]).length, 2);
});

test('nothing is done with a ticked animal that is not in the list any more', async (t) => {
  const service = await startService(t);
  for (const name of ['Rex', 'Max']) await add(service, name);
  const { shop } = await openShop(t, service, { view: { ...ANIMALS, status: 'available' } });
  shop.selection.selectAll([1n, 2n]);
  await order(service, 1);
  await shop.open({ ...ANIMALS, status: 'available' });
  assert.deepEqual([...shop.selection.ids.peek()], [2n]);
  await shop.selection.run({ kind: 'remove' });
  assert.equal(((await service.call('GET', '/v1/pets')).json as unknown[]).length, 1);
});

test('one Undo leaves out what was undone in its row', async (t) => {
  const { shop, network } = await openShopWith(t, ['Rex', 'Max']);
  shop.selection.selectAll([1n, 2n]);
  await shop.selection.run({ kind: 'sell' });
  await acceptOffer(shop, 1n, 'Undo');
  network.requests.length = 0;
  await shop.outcomes.at('selection')?.offer?.run();
  assert.equal(network.requests.filter((line) => line.startsWith('PATCH')).length, 1);
  assert.equal(shop.outcomes.at('selection')?.text, 'Undone: 2 animals sold');
});

test('one Undo says what could not be undone', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex', 'Max']);
  shop.selection.selectAll([1n, 2n]);
  await shop.selection.run({ kind: 'move', categoryId: 9n });
  await service.call('PATCH', '/v1/pets/1', { body: { categoryId: 5 } });
  await shop.outcomes.at('selection')?.offer?.run();
  assert.equal(shop.outcomes.at('selection')?.text, 'Undone: 1 animal moved, 1 not undone');
});
