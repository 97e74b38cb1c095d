import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAvailable } from '../../../src/web/browser/console/data/actions/corrections.ts';
import {
  cancel,
  returnSale,
  sell,
  sellReserved,
} from '../../../src/web/browser/console/data/actions/selling.ts';
import { ANIMALS } from '../../../src/web/browser/console/route.ts';
import { eventually } from '../../support/eventually.ts';
import { KEY, startService } from '../../support/service/service.ts';
import { openShop, Stream } from '../support/shop.ts';
import {
  acceptOffer,
  add,
  animal,
  close,
  openShopWith,
  order,
  outcomeText,
  stored,
} from '../support/shop-calls.ts';

const OTHER = 'another-key-of-the-suite';

test('the one who lost the race reads that it is sold, although it was reserved for a moment', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex']);
  const stream = await Stream.open(shop);
  const rex = animal(shop, 1n);
  await order(service, 1);
  assert.equal(await sell(shop, rex), false);
  assert.equal(outcomeText(shop, 1n), 'Not sold: it is reserved already');
  await close(service, 1, 'completed');
  await stream.deliverAll();
  assert.equal(outcomeText(shop, 1n), 'Not sold: it is sold already');
});

test('a sale whose answer was lost: the page finds out that it has happened', async (t) => {
  const { shop, network } = await openShopWith(t, ['Rex']);
  network.fail((line) => (line.startsWith('PATCH /v1/store') ? 'unanswered' : undefined));
  const selling = sell(shop, animal(shop, 1n));
  assert.equal(await selling, false);
  assert.match(outcomeText(shop, 1n), /Not known yet whether it was done/);
  network.heal();
  await shop.outcomes.verify();
  assert.equal(shop.outcomes.at('animal-1')?.kind, 'done');
  assert.equal(animal(shop, 1n).status, 'sold');
  await acceptOffer(shop, 1n, 'Undo');
  assert.equal(animal(shop, 1n).status, 'available');
});

test('a sale that never reached the service: the page says so, and trying again sells once', async (t) => {
  const { service, shop, network } = await openShopWith(t, ['Rex']);
  network.fail((line) => (line.startsWith('POST') ? 'lost' : undefined));
  assert.equal(await sell(shop, animal(shop, 1n)), false);
  network.heal();
  await shop.outcomes.verify();
  assert.equal(outcomeText(shop, 1n), 'Not sold: it is available.');
  await acceptOffer(shop, 1n, 'Try again');
  assert.equal(animal(shop, 1n).status, 'sold');
  const { json } = await service.call('GET', '/v1/store/orders');
  assert.equal((json as unknown[]).length, 1);
});

test('trying a sale again whose order was placed and whose answer was lost sells once', async (t) => {
  const { service, shop, network } = await openShopWith(t, ['Rex']);
  network.fail((line) => (line.startsWith('POST') ? 'unanswered' : undefined));
  assert.equal(await sell(shop, animal(shop, 1n)), false);
  network.heal();
  await acceptOffer(shop, 1n, 'Try again');
  assert.equal(animal(shop, 1n).status, 'sold');
  const { json } = await service.call('GET', '/v1/store/orders');
  assert.equal((json as unknown[]).length, 1);
});

test('undoing the sale of a reserved animal brings its reservation back, with the note', async (t) => {
  const { shop } = await openShopWith(t, ['Rex'], (service) => order(service, 1, 'for Ms Lee'));
  const reservation = shop.cache.reservationOf(1n);
  assert.ok(reservation);
  assert.equal(await sellReserved(shop, reservation), true);
  assert.equal(shop.outcomes.at('animal-1')?.offer?.description, 'Undo the sale of “\u2068Rex\u2069”');
  await acceptOffer(shop, 1n, 'Undo');
  assert.equal(animal(shop, 1n).status, 'pending');
  assert.equal(shop.cache.reservationOf(1n)?.note, 'for Ms Lee');
});

test('undoing a cancellation reserves again with the note', async (t) => {
  const { shop } = await openShopWith(t, ['Rex'], (service) => order(service, 1, 'for Ms Lee'));
  const reservation = shop.cache.reservationOf(1n);
  assert.ok(reservation);
  await cancel(shop, reservation);
  assert.equal(animal(shop, 1n).status, 'available');
  await acceptOffer(shop, 1n, 'Undo');
  assert.equal(shop.cache.reservationOf(1n)?.note, 'for Ms Lee');
});

test('an animal that is reserved without an order can be sold, and undone to what it was', async (t) => {
  const service = await startService(t);
  await service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1, status: 'pending' } });
  const { shop } = await openShop(t, service, { view: ANIMALS });
  await shop.panel.open(1n);
  assert.equal(shop.panel.hasOrdersOf(1n), true);
  assert.equal(shop.cache.reservationOf(1n), undefined);
  assert.equal(await sell(shop, animal(shop, 1n)), true);
  assert.equal(shop.cache.ordersOf(1n)[0]?.status, 'completed');
  await acceptOffer(shop, 1n, 'Undo');
  assert.deepEqual(await stored(service, 1), { id: 1, name: 'Rex', categoryId: 1, status: 'pending' });
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

test('a sale that another person made on another day is taken back', async (t) => {
  const service = await startService(t);
  await add(service, 'Rex');
  await order(service, 1, 'for Ms Lee');
  await close(service, 1, 'completed');
  const { shop } = await openShop(t, service, { view: ANIMALS });
  await shop.panel.open(1n);
  const [sale] = shop.cache.ordersOf(1n);
  assert.equal(await returnSale(shop, sale ?? assert.fail('the sale is known')), true);
  assert.equal(animal(shop, 1n).status, 'available');
  const { json } = await service.call('GET', '/v1/store/orders/1');
  assert.equal((json as { status: string }).status, 'returned');
});

test('of two tills that sell the same reservation, one is told that it was too late', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex'], (service) => order(service, 1, 'for Ms Lee'));
  await close(service, 1, 'completed');
  assert.equal(await sell(shop, animal(shop, 1n)), false);
  assert.equal(outcomeText(shop, 1n), 'Not sold: it is sold already');
  assert.equal(shop.outcomes.at('animal-1')?.offer, undefined);
});

test('a sale that another till has made while ours got no answer is not taken for ours', async (t) => {
  const service = await startService(t, { config: { apiKeys: [KEY, OTHER] } });
  await add(service, 'Rex');
  await add(service, 'Max');
  await order(service, 2, 'for Ms Lee');
  const { shop, network } = await openShop(t, service, { view: ANIMALS, key: OTHER });
  network.fail((line) => (line.startsWith('GET') ? undefined : 'lost'));
  await sell(shop, animal(shop, 1n));
  await sell(shop, animal(shop, 2n));
  await order(service, 1);
  await close(service, 2, 'completed');
  await close(service, 1, 'completed');
  network.heal();
  await shop.outcomes.verify();
  for (const id of [1n, 2n]) {
    assert.equal(outcomeText(shop, id), 'Not sold: it is sold already', `animal ${id}`);
    assert.notEqual(shop.outcomes.at(`animal-${id}`)?.offer?.label, 'Undo');
  }
});

test('undoing the sale of a reservation whose answer was lost brings the reservation back', async (t) => {
  const { shop, network } = await openShopWith(t, ['Rex'], (service) => order(service, 1, 'for Ms Lee'));
  network.fail((line) => (line.startsWith('PATCH') ? 'unanswered' : undefined));
  await sell(shop, animal(shop, 1n));
  network.heal();
  await shop.outcomes.verify();
  await acceptOffer(shop, 1n, 'Undo');
  assert.equal(shop.cache.reservationOf(1n)?.note, 'for Ms Lee');
});

test('a sale that was interrupted after its reservation says so, and trying again sells', async (t) => {
  const { shop, network } = await openShopWith(t, ['Rex']);
  network.fail((line) => (line.startsWith('PATCH') ? 'lost' : undefined));
  await sell(shop, animal(shop, 1n));
  network.heal();
  await shop.outcomes.verify();
  assert.equal(outcomeText(shop, 1n), 'Reserved, and not sold yet: the sale was interrupted.');
  await acceptOffer(shop, 1n, 'Try again');
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
