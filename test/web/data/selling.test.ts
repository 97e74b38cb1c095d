import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Order } from '../../../src/client/index.ts';
import { makeAvailable } from '../../../src/web/browser/console/data/actions/corrections.ts';
import { cancel, reserve, returnSale, sell } from '../../../src/web/browser/console/data/actions/selling.ts';
import type { Shop } from '../../../src/web/browser/console/data/shop.ts';
import { ANIMALS } from '../../../src/web/browser/console/route.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { openShop, Stream } from '../support/shop.ts';
import { acceptOffer, add, animal, close, openShopWith, order, outcomeText } from '../support/shop-calls.ts';

const NOTE = 'for Ms Lee';
const POST = 'POST /v1/store/orders';
const PATCH = 'PATCH /v1/store/orders/1';
/** Read a moment after every change. */
const COUNTS = /^GET \/v1\/(store\/inventory|categories)/;
/** What an order makes of its animal. */
const STATUS: Readonly<Record<string, string>> = {
  placed: 'pending',
  completed: 'sold',
  cancelled: 'available',
  returned: 'available',
};

const firstOrder = (shop: Shop): Order => shop.cache.orders.peek(1n) ?? assert.fail('the order is known');
/** The first order as the service has it, in the form of the client. */
const storedOrder = async (service: Service): Promise<Order> => {
  const order = (await service.call('GET', '/v1/store/orders/1')).json as Order;
  return { ...order, id: BigInt(order.id), petId: BigInt(order.petId) };
};

type Run = (shop: Shop) => Promise<boolean>;
const onOrder = (run: typeof cancel) => (shop: Shop) => run(shop, firstOrder(shop));
const onAnimal = (run: typeof sell) => (shop: Shop) => run(shop, animal(shop, 1n), NOTE);

/** What a person can do with Rex: the order that is there before, the request, and what it and its Undo make of the order. */
const ACTIONS: readonly [
  name: string,
  before: string[],
  Run,
  request: string,
  after: string,
  undone: string,
][] = [
  ['reserving', [], onAnimal(reserve), POST, 'placed', 'cancelled'],
  ['selling over the counter', [], onAnimal(sell), POST, 'completed', 'cancelled'],
  ['selling what is reserved', ['placed'], onAnimal(sell), PATCH, 'completed', 'placed'],
  ['cancelling a reservation', ['placed'], onOrder(cancel), PATCH, 'cancelled', 'placed'],
  ['taking back', ['placed', 'completed'], onOrder(returnSale), PATCH, 'returned', 'completed'],
];

for (const [name, before, run, request, after, undone] of ACTIONS) {
  const open = async (t: TestContext) => {
    const opened = await openShopWith(t, ['Rex'], async (service) => {
      if (before.length > 0) await order(service, 1, NOTE);
      for (const status of before.slice(1)) await close(service, 1, status);
    });
    await opened.shop.panel.open(1n);
    opened.network.requests.length = 0;
    return opened;
  };

  test(`${name} is one request, and so is its Undo, which offers no second one`, async (t) => {
    const { service, shop, network } = await open(t);
    const asked = () => network.requests.filter((line) => !COUNTS.test(line));
    assert.equal(await run(shop), true);
    assert.deepEqual(asked(), [request]);
    const known = () => [firstOrder(shop), animal(shop, 1n).status];
    assert.deepEqual(known(), [await storedOrder(service), STATUS[after]]);
    const { createdAt } = firstOrder(shop);
    await acceptOffer(shop, 1n, 'Undo');
    assert.deepEqual(asked(), [request, PATCH]);
    assert.deepEqual(known(), [await storedOrder(service), STATUS[undone]]);
    assert.partialDeepStrictEqual(firstOrder(shop), { id: 1n, status: undone, note: NOTE, createdAt });
    assert.deepEqual(shop.outcomes.at('animal-1'), { kind: 'done', offer: undefined });
  });

  for (const failure of ['lost', 'unanswered'] as const)
    test(`${name}, ${failure}: the page says that it is not known, and trying again does it once`, async (t) => {
      const { shop, network } = await open(t);
      const events = async () => (await shop.api.client.listEvents()).items.length;
      const happened = await events();
      network.fail((line) => (line === request ? failure : undefined));
      assert.equal(await run(shop), false);
      assert.match(outcomeText(shop, 1n), /Not known yet whether it was done/);
      network.heal();
      await acceptOffer(shop, 1n, 'Try again');
      assert.deepEqual([firstOrder(shop).status, animal(shop, 1n).status], [after, STATUS[after]]);
      assert.equal(await events(), happened + 1);
      await acceptOffer(shop, 1n, 'Undo');
      assert.equal(firstOrder(shop).status, undone);
    });
}

test('an Undo whose answer was lost is tried again, and undoes once', async (t) => {
  const { shop, network } = await openShopWith(t, ['Rex']);
  await sell(shop, animal(shop, 1n));
  network.fail((line) => (line === PATCH ? 'unanswered' : undefined));
  await acceptOffer(shop, 1n, 'Undo');
  network.heal();
  await acceptOffer(shop, 1n, 'Try again');
  assert.equal(firstOrder(shop).status, 'cancelled');
  assert.equal(shop.outcomes.at('animal-1')?.kind, 'done');
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

test('a sale that another till has made while ours got no answer is not taken for ours', async (t) => {
  const { service, shop, network } = await openShopWith(t, ['Rex', 'Max'], (one) => order(one, 2));
  network.fail((line) => (line.startsWith('GET') ? undefined : 'lost'));
  for (const id of [1n, 2n]) await sell(shop, animal(shop, id));
  network.heal();
  await order(service, 1);
  for (const id of [1, 2]) await close(service, id, 'completed');
  for (const id of [1n, 2n]) {
    await acceptOffer(shop, id, 'Try again');
    assert.equal(outcomeText(shop, id), 'Not sold: it is sold already');
    assert.equal(shop.outcomes.at(`animal-${id}`)?.offer, undefined);
  }
});

test('what another till was faster with is refused in words, and what is reserved without an order is not sold', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex', 'Max'], (one) => order(one, 2, NOTE));
  await service.call('PATCH', '/v1/pets/1', { body: { status: 'pending' } });
  await close(service, 1, 'cancelled');
  for (const [id, text] of [
    [1n, 'Not sold: it is reserved already'],
    [2n, 'Not sold: it is available again'],
  ] as const) {
    assert.equal(await sell(shop, animal(shop, id)), false);
    assert.equal(outcomeText(shop, id), text);
  }
});

test('an animal that is sold without an order can be made available, and back', async (t) => {
  const service = await startService(t);
  await service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1, status: 'sold' } });
  const { shop } = await openShop(t, service, { view: ANIMALS });
  assert.equal(await makeAvailable(shop, animal(shop, 1n)), true);
  assert.equal(animal(shop, 1n).status, 'available');
  await acceptOffer(shop, 1n, 'Undo');
  assert.equal(animal(shop, 1n).status, 'sold');
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
