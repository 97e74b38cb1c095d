import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCategory } from '../../../src/web/browser/console/data/actions/categories.ts';
import { cancel, reserve, sell } from '../../../src/web/browser/console/data/actions/selling.ts';
import { EditForm } from '../../../src/web/browser/console/data/forms/edit-form.ts';
import { ANIMALS, ORDERS } from '../../../src/web/browser/console/route.ts';
import { KEY, startService } from '../../support/service/service.ts';
import { openShop, Stream } from '../support/shop.ts';
import { add, animal, close, openShopWith, order } from '../support/shop-calls.ts';

test('a rename does not undo a sale that happened meanwhile', async (t) => {
  const service = await startService(t);
  await add(service, 'Rex');
  const till = await openShop(t, service, { view: ANIMALS });
  const office = await openShop(t, service, { view: ANIMALS });
  const form = new EditForm(office.shop, animal(office.shop, 1n));
  form.edit({ name: 'Max' });
  assert.equal(await sell(till.shop, animal(till.shop, 1n)), true);
  assert.equal(await form.save(), true);
  const sent = office.network.bodies.filter((body) => body.includes('Max'));
  assert.deepEqual(sent, ['{"name":"Max"}']);
  const { json } = await service.call('GET', '/v1/pets?id=1');
  assert.deepEqual(json, [{ id: 1, name: 'Max', categoryId: 1, status: 'sold' }]);
  assert.equal(animal(office.shop, 1n).status, 'sold');
});

test('two people rename the same animal: the second one sees it, and only then replaces it', async (t) => {
  const service = await startService(t);
  await add(service, 'Rex');
  const [one, other] = [
    await openShop(t, service, { view: ANIMALS }),
    await openShop(t, service, { view: ANIMALS }),
  ];
  const [mine, theirs] = [one, other].map(({ shop }) => new EditForm(shop, animal(shop, 1n)));
  mine?.edit({ name: 'Mine' });
  theirs?.edit({ name: 'Theirs' });
  assert.equal(await theirs?.save(), true);
  assert.equal(await mine?.save(), false);
  assert.equal(mine?.conflict.peek()?.name, 'Theirs');
  assert.deepEqual(mine?.fields.peek().name, 'Mine');
  assert.equal(await mine?.save(), true);
  assert.equal(animal(one.shop, 1n).name, 'Mine');
});

test('what is typed while a form is saved stays, also when someone else has changed the animal', async (t) => {
  const { service, shop, network } = await openShopWith(t, ['Rex']);
  const form = new EditForm(shop, animal(shop, 1n));
  form.edit({ name: 'Max' });
  network.hold((line) => line.startsWith('PATCH'));
  const saving = form.save();
  await network.untilHeld(1);
  form.edit({ name: 'Maximilian' });
  await service.call('PATCH', '/v1/pets/1', { body: { name: 'Elsewhere' } });
  network.releaseAll();
  assert.equal(await saving, false);
  assert.equal(form.fields.peek().name, 'Maximilian');
  assert.equal(form.conflict.peek()?.name, 'Elsewhere');
});

test('a correction of an order does not change who has reserved and sold it', async (t) => {
  const till = 'the-key-of-the-till-in-the-suite';
  const service = await startService(t, { config: { apiKeys: [KEY, till] } });
  await add(service, 'Rex');
  const { shop } = await openShop(t, service, { view: ANIMALS });
  const stream = await Stream.open(shop);
  await service.call('POST', '/v1/store/orders', { body: { petId: 1 }, key: till });
  await service.call('PATCH', '/v1/store/orders/1', { body: { status: 'completed' }, key: till });
  for (const status of ['returned', 'completed', 'placed']) await close(service, 1, status);
  await stream.deliverAll();
  const [reserved, sold] = (['order.placed', 'order.completed'] as const).map(
    (type) => shop.cache.latestEvent(type, 1n)?.keyId,
  );
  assert.equal(reserved, sold);
  assert.notEqual(sold, shop.api.key.id);
});

test('a reservation that was cancelled elsewhere does not block a sale', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex']);
  const stream = await Stream.open(shop);
  await order(service, 1, 'for Ms Lee');
  await stream.deliverAll();
  assert.equal(shop.cache.reservationOf(1n)?.note, 'for Ms Lee');
  await close(service, 1, 'cancelled');
  await stream.deliverAll();
  assert.equal(shop.cache.reservationOf(1n), undefined);
  assert.equal(animal(shop, 1n).status, 'available');
  assert.equal(await sell(shop, animal(shop, 1n)), true);
});

test('without a stream, a refresh drops a reservation that is over', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex'], (service) => order(service, 1));
  assert.equal(shop.cache.reservationOf(1n)?.id, 1n);
  await close(service, 1, 'cancelled');
  await shop.refresh();
  assert.equal(shop.cache.reservationOf(1n), undefined);
});

test('an answer that was asked for before a change does not undo it', async (t) => {
  const { shop, network } = await openShopWith(t, ['Rex']);
  network.hold((line) => line.startsWith('GET /v1/pets'));
  const refreshing = shop.refresh();
  await network.untilHeld(1);
  network.hold(() => false);
  assert.equal(await reserve(shop, animal(shop, 1n)), true);
  network.releaseAll();
  await refreshing;
  assert.equal(animal(shop, 1n).status, 'pending');
});

test('the panel shows what an event tells, whatever list is on screen', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex']);
  await shop.panel.open(1n);
  await shop.open(ORDERS);
  const stream = await Stream.open(shop);
  await service.call('PATCH', '/v1/pets/1', { body: { name: 'Max' } });
  await stream.deliverAll();
  assert.equal(animal(shop, 1n).name, 'Max');
  assert.deepEqual(
    shop.panel.historyOf(1n)?.map(({ type }) => type),
    ['pet.updated', 'pet.created'],
  );
});

test('the history of one animal never shows with another', async (t) => {
  const { shop, network } = await openShopWith(t, ['Rex', 'Max']);
  network.hold((line) => line.includes('petId=1'));
  const first = shop.panel.open(1n);
  await network.untilHeld(2);
  await shop.panel.open(2n);
  network.releaseAll();
  await first;
  assert.deepEqual(
    shop.panel.historyOf(2n)?.map(({ pet }) => pet?.name),
    ['Max'],
  );
});

test('an older answer does not erase the name of a new category', async (t) => {
  const { shop, network } = await openShopWith(t, []);
  network.hold((line) => line.startsWith('GET /v1/categories'));
  const loading = shop.categories.load();
  await network.untilHeld(1);
  network.hold(() => false);

  const { id } = await createCategory(shop, 'Cats');
  network.releaseAll();
  await loading;
  assert.equal(shop.categories.nameOf(id), 'Cats');
});

test('more rows are not lost when an action completes meanwhile', async (t) => {
  const service = await startService(t);
  const pets = Array.from({ length: 60 }, (_, index) => ({ name: `Animal ${index}`, categoryId: 1 }));
  await service.call('POST', '/v1/pets/batch', { body: { pets } });
  const { shop, network } = await openShop(t, service, { view: ANIMALS });
  network.hold((line) => line.includes('cursor='));
  const more = shop.animalList.more();
  await network.untilHeld(1);
  assert.equal(await reserve(shop, animal(shop, 60n)), true);
  network.releaseAll();
  await more;
  assert.equal(shop.animalList.ids.peek()?.length, 60);
});

test('the panel asks for an animal that no list has', async (t) => {
  const service = await startService(t);
  const pets = Array.from({ length: 60 }, (_, index) => ({ name: `Animal ${index}`, categoryId: 1 }));
  await service.call('POST', '/v1/pets/batch', { body: { pets } });
  const { shop } = await openShop(t, service, { view: ANIMALS });
  assert.equal(shop.cache.animals.isKnown(1n), false);
  await shop.panel.open(1n);
  assert.equal(animal(shop, 1n).name, 'Animal 0');
  await shop.panel.open(61n);
  assert.equal(shop.cache.animals.isKnown(61n), true);
  assert.equal(shop.cache.animals.peek(61n), undefined);
});

test('orders of a removed animal have its name, and whether it was removed', async (t) => {
  const service = await startService(t);
  await add(service, 'Rex');
  await order(service, 1);
  await close(service, 1, 'completed');
  await service.call('DELETE', '/v1/pets/1?reason=died');
  const { shop } = await openShop(t, service, { view: ORDERS });
  assert.equal(shop.soldList.items.peek()?.length, 1);
  assert.equal(animal(shop, 1n).name, 'Rex');
  assert.equal(animal(shop, 1n).removed?.reason, 'died');
});

test('two changes of one animal in a row: the events of the first one do not show it as it was', async (t) => {
  const { shop } = await openShopWith(t, ['Rex']);
  const stream = await Stream.open(shop);
  assert.equal(await reserve(shop, animal(shop, 1n)), true);
  const reservation = shop.cache.reservationOf(1n);
  assert.ok(reservation);
  assert.equal(await cancel(shop, reservation), true);
  await stream.deliver(1);
  assert.equal(animal(shop, 1n).status, 'available');
  assert.equal(shop.cache.reservationOf(1n), undefined);
  await stream.deliverAll();
  assert.equal(animal(shop, 1n).status, 'available');
});
