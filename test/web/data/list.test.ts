import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANIMALS, REMOVED } from '../../../src/web/browser/console/route.ts';
import { eventually } from '../../support/eventually.ts';
import { startService } from '../../support/service/service.ts';
import { openShop, Stream } from '../support/shop.ts';
import { add, animal, close, openShopWith, order } from '../support/shop-calls.ts';

test('what is new waits, is counted once, and is shown when the person asks for it', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex']);
  const stream = await Stream.open(shop);
  await add(service, 'Max');
  await add(service, 'Ida');
  await service.call('DELETE', '/v1/pets/3');
  await stream.deliverAll();
  await shop.refresh();
  assert.deepEqual(shop.animalList.ids.peek(), [1n]);
  assert.equal(shop.animalList.unseen.peek(), 1);
  await shop.animalList.showUnseen();
  assert.deepEqual(shop.animalList.ids.peek(), [2n, 1n]);
  assert.equal(shop.animalList.unseen.peek(), 0);
});

test('what is added while the list is being read is counted, although the answer is older', async (t) => {
  const { service, shop, network } = await openShopWith(t, ['Rex']);
  const stream = await Stream.open(shop);
  for (const read of [() => shop.refresh(), () => shop.open(ANIMALS)]) {
    network.hold((line) => line.startsWith('GET /v1/pets'));
    const reading = read();
    await network.untilHeld(1);
    const before = shop.animalList.unseen.peek();
    await add(service, 'Max');
    await stream.deliverAll();
    network.releaseAll();
    await reading;
    assert.equal(shop.animalList.unseen.peek(), before + 1);
    await shop.animalList.showUnseen();
  }
});

test('a row that no longer matches stays where it is, as it is now', async (t) => {
  const service = await startService(t);
  await add(service, 'Rex');
  await add(service, 'Max');
  const { shop } = await openShop(t, service, { view: { ...ANIMALS, status: 'available' } });
  await order(service, 1);
  await service.call('DELETE', '/v1/pets/2?reason=died');
  await shop.refresh();
  assert.deepEqual(shop.animalList.ids.peek(), [2n, 1n]);
  assert.equal(animal(shop, 1n).status, 'pending');
  assert.equal(animal(shop, 2n).removed?.reason, 'died');
});

test('an older answer does not replace the list that was opened after it', async (t) => {
  const service = await startService(t);
  await add(service, 'Rex');
  const { shop, network } = await openShop(t, service);
  network.hold((line) => line.startsWith('GET /v1/pets'));
  const first = shop.open({ ...ANIMALS, status: 'sold' });
  await network.untilHeld(1);
  network.hold(() => false);
  await shop.open(ANIMALS);
  network.releaseAll();
  await first;
  assert.deepEqual(shop.animalList.ids.peek(), [1n]);
});

test('removed animals are listed with when and why, and are found by a part of their name', async (t) => {
  const service = await startService(t);
  for (const name of ['Rex', 'Björn']) await add(service, name);
  await service.call('DELETE', '/v1/pets/1?reason=died');
  await service.call('DELETE', '/v1/pets/2');
  const { shop } = await openShop(t, service, { view: REMOVED });
  assert.deepEqual(shop.animalList.ids.peek(), [2n, 1n]);
  assert.equal(animal(shop, 1n).removed?.reason, 'died');
  assert.equal(shop.cache.latestEvent('pet.removed', 1n)?.type, 'pet.removed');
  await shop.open({ ...REMOVED, text: 'bjo' });
  assert.deepEqual(shop.animalList.ids.peek(), [2n]);
});

test('changes of the same animals are counted again, of all and of the chosen category', async (t) => {
  const service = await startService(t);
  await add(service, 'Rex', 1);
  await add(service, 'Max', 2);
  const { shop } = await openShop(t, service, { view: { ...ANIMALS, category: 2n } });
  assert.equal(shop.counts.all.peek()?.available, 2n);
  assert.equal(shop.counts.shown.peek()?.available, 1n);
});

test('an animal that was just added stays, although the list was being read', async (t) => {
  const { shop, network } = await openShopWith(t, ['Rex']);
  network.hold((line) => line.startsWith('GET /v1/pets'));
  const reading = shop.open(ANIMALS);
  await network.untilHeld(1);
  shop.addForm.edit({ name: 'Max', category: '1' });
  shop.addForm.submit();
  await eventually(() => shop.addForm.additions.peek()[0]?.state === 'added', 'Max is added');
  network.releaseAll();
  await reading;
  assert.deepEqual(shop.animalList.ids.peek(), [2n, 1n]);
  assert.equal(shop.animalList.unseen.peek(), 0);
});

test('rows that all have changed do not make the next page new', async (t) => {
  const service = await startService(t);
  const pets = Array.from({ length: 100 }, (_, index) => ({ name: `Animal ${index}`, categoryId: 1 }));
  await service.call('POST', '/v1/pets/batch', { body: { pets } });
  const { shop } = await openShop(t, service, { view: { ...ANIMALS, status: 'available' } });
  for (const id of shop.animalList.ids.peek() ?? []) await order(service, Number(id));
  await shop.refresh();
  assert.equal(shop.animalList.unseen.peek(), 0);
});

test('of more than 100 rows none is lost when animals are added elsewhere, and every one is refreshed', async (t) => {
  const service = await startService(t);
  const pets = Array.from({ length: 80 }, (_, index) => ({ name: `Animal ${index}`, categoryId: 1 }));
  for (let batch = 0; batch < 2; batch++) await service.call('POST', '/v1/pets/batch', { body: { pets } });
  const { shop } = await openShop(t, service, { view: ANIMALS });
  const { animalList } = shop;
  while (animalList.next.peek() !== undefined) await animalList.more();
  const all = Array.from({ length: 160 }, (_, index) => BigInt(160 - index));
  assert.deepEqual(animalList.ids.peek(), all);
  await service.call('POST', '/v1/pets/batch', { body: { pets: pets.slice(0, 30) } });
  await service.call('PATCH', '/v1/pets/3', { body: { name: 'Max' } });
  await shop.refresh();
  assert.deepEqual(animalList.ids.peek(), all);
  assert.equal(animal(shop, 3n).name, 'Max');
  assert.equal(animalList.unseen.peek(), 30);
  await animalList.showUnseen();
  assert.equal(animalList.ids.peek()?.length, 190);
  assert.deepEqual(animalList.ids.peek()?.slice(30), all);
});

test('what waits costs one request, however many reservations were closed since', async (t) => {
  const service = await startService(t);
  const pets = Array.from({ length: 20 }, (_, index) => ({ name: `Animal ${index}`, categoryId: 1 }));
  await service.call('POST', '/v1/pets/batch', { body: { pets } });
  for (let id = 1; id <= 20; id++) await order(service, id);
  const { shop, network } = await openShop(t, service, { view: ANIMALS });
  for (let id = 1; id <= 20; id++) await close(service, id, 'completed');
  await shop.refresh();
  assert.equal(shop.cache.reservationOf(1n), undefined);
  network.requests.length = 0;
  await shop.refresh();
  assert.equal(network.requests.filter((line) => line.startsWith('GET /v1/store/orders')).length, 1);
});
