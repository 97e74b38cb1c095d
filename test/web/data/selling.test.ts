import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '../../../src/client/index.ts';
import { cancel, reserve, returnSale, sell } from '../../../src/web/browser/console/data/actions/selling.ts';
import type { Shop } from '../../../src/web/browser/console/data/shop.ts';
import { ANIMALS } from '../../../src/web/browser/console/route.ts';
import { eventually } from '../../support/eventually.ts';
import { startService } from '../../support/service/service.ts';
import { openShop, Stream } from '../support/shop.ts';
import { acceptOffer, add, animal, close, openShopWith, order, outcomeText } from '../support/shop-calls.ts';

const NOTE = 'for Ms Lee';
const POST = 'POST /v1/store/orders';
const PATCH = 'PATCH /v1/store/orders/1';
/** Read a moment after every change. */
const COUNTS = /^GET \/v1\/(store\/inventory|categories)/;

const firstOrder = (shop: Shop): Order => shop.cache.orders.peek(1n) ?? assert.fail('the order is known');

type Run = (shop: Shop) => Promise<boolean>;
const onOrder = (run: typeof cancel) => (shop: Shop) => run(shop, firstOrder(shop));
const onAnimal = (run: typeof sell) => (shop: Shop) => run(shop, animal(shop, 1n), NOTE);

/** What a person can do with Rex: the order that is there before, the request, and what it and its Undo make of the order. */
const ACTIONS: readonly [name: string, before: string[], Run, string, after: string, undone: string][] = [
  ['reserving', [], onAnimal(reserve), POST, 'placed', 'cancelled'],
  ['selling over the counter', [], onAnimal(sell), POST, 'completed', 'cancelled'],
  ['selling what is reserved', ['placed'], onAnimal(sell), PATCH, 'completed', 'placed'],
  ['cancelling a reservation', ['placed'], onOrder(cancel), PATCH, 'cancelled', 'placed'],
  ['taking back', ['placed', 'completed'], onOrder(returnSale), PATCH, 'returned', 'completed'],
];

for (const [name, before, run, request, after, undone] of ACTIONS)
  test(`${name} is one request, and so is its Undo, which keeps the order`, async (t) => {
    const { shop, network } = await openShopWith(t, ['Rex'], async (service) => {
      if (before.length > 0) await order(service, 1, NOTE);
      for (const status of before.slice(1)) await close(service, 1, status);
    });
    await shop.panel.open(1n);
    const { client } = shop.api;
    const assertOne = async (action: () => Promise<unknown>, request: string, status: string) => {
      network.requests.length = 0;
      await action();
      const asked = network.requests.filter((line) => !COUNTS.test(line));
      assert.deepEqual(asked, [request]);
      assert.deepEqual(firstOrder(shop), await client.getOrder(1n));
      assert.deepEqual([animal(shop, 1n)], (await client.listPets()).items);
      assert.partialDeepStrictEqual(firstOrder(shop), { status, note: NOTE });
    };
    await assertOne(() => run(shop), request, after);
    const { createdAt } = firstOrder(shop);
    await assertOne(() => acceptOffer(shop, 1n, 'Undo'), PATCH, undone);
    assert.equal(firstOrder(shop).createdAt, createdAt);
  });

test('what has happened since is not replaced by the answer to a request that is sent again', async (t) => {
  const { service, shop, network } = await openShopWith(t, ['Rex']);
  const stream = await Stream.open(shop);
  network.fail((line) => (line === POST ? 'unanswered' : undefined));
  await sell(shop, animal(shop, 1n));
  network.heal();
  await close(service, 1, 'returned');
  await stream.deliverAll();
  await acceptOffer(shop, 1n, 'Try again');
  assert.equal(animal(shop, 1n).status, 'available');
});

test('what another till was faster with, or what has no order, is refused in words', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex', 'Max', 'Ida'], (one) => order(one, 2, NOTE));
  await service.call('PATCH', '/v1/pets/1', { body: { status: 'pending' } });
  await close(service, 1, 'cancelled');
  await service.call('POST', '/v1/store/orders', { body: { petId: 3, status: 'completed' } });
  for (const [id, word] of [
    [1n, 'reserved already'],
    [2n, 'available again'],
    [3n, 'sold already'],
  ] as const) {
    assert.equal(await sell(shop, animal(shop, id)), false);
    assert.equal(outcomeText(shop, id), `Not sold: it is ${word}`);
    assert.equal(shop.outcomes.at(`animal-${id}`)?.offer, undefined);
  }
});

test('an Undo is gone when someone else has changed the animal since, and never touches their order', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex']);
  const stream = await Stream.open(shop);
  await sell(shop, animal(shop, 1n));
  await stream.deliverAll();
  const undo = shop.outcomes.at('animal-1')?.offer;
  assert.equal(undo?.label, 'Undo');
  await close(service, 1, 'returned');
  await order(service, 1, 'for Ms Nova');
  await stream.deliverAll();
  assert.equal(shop.outcomes.at('animal-1'), undefined);
  // Pressed in the same moment.
  await undo?.run();
  await shop.outcomes.at('animal-1')?.offer?.run();
  const { json } = await service.call('GET', '/v1/store/orders?status=placed');
  assert.equal((json as { note: string }[])[0]?.note, 'for Ms Nova');
});

test('what another till has sold meanwhile is neither undone nor cancelled', async (t) => {
  const { service, shop, network } = await openShopWith(t, ['Rex', 'Max', 'Ida'], (one) => order(one, 1));
  await reserve(shop, animal(shop, 2n));
  network.fail((line) => (line === POST ? 'unanswered' : undefined));
  await reserve(shop, animal(shop, 3n));
  network.heal();
  // Nothing has told this till yet.
  for (const id of [1, 2, 3]) await close(service, id, 'completed');
  await cancel(shop, firstOrder(shop));
  await acceptOffer(shop, 2n, 'Undo');
  await acceptOffer(shop, 3n, 'Try again');
  await acceptOffer(shop, 3n, 'Undo');
  assert.deepEqual(
    [1n, 2n, 3n].map((id) => outcomeText(shop, id)),
    ['Not cancelled: it is sold already', ...Array(2).fill('Not undone: it is sold already')],
  );
  assert.equal((await shop.api.client.listOrders({ status: 'completed' })).items.length, 3);
});

test('a key that is refused is no success: what was typed stays', async (t) => {
  const service = await startService(t);
  const { json } = await service.call('POST', '/v1/keys', { body: { name: 'till 3', scopes: ['*'] } });
  const { id, key } = json as { id: string; key: string };
  await add(service, 'Rex');
  const { shop } = await openShop(t, service, { view: ANIMALS, key });
  await service.call('DELETE', `/v1/keys/${id}`);
  await eventually(async () => {
    await shop.refresh().catch(() => {});
    return shop.api.isRejected.peek();
  }, 'the key is refused');
  assert.equal(await sell(shop, animal(shop, 1n)), false);
  assert.equal(shop.outcomes.at('animal-1'), undefined);
});
