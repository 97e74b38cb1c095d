import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANIMALS, ORDERS } from '../../../src/web/browser/console/route.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { openShop } from '../support/shop.ts';
import { add, close, order } from '../support/shop-calls.ts';

const category = async (service: Service, id: number, name: string) =>
  service.call('PUT', `/v1/categories/${id}`, { body: { name } });

test('animals are found by a part of their name, an id, their category and the note of their reservation', async (t) => {
  const service = await startService(t);
  await category(service, 2, 'Reptiles');
  for (const name of ['Björn', 'Noodle', 'Ida', '2 Cool'])
    await add(service, name, name === 'Noodle' ? 2 : 1);
  await order(service, 3, 'for Ms Lee, Friday');
  const { shop } = await openShop(t, service, { view: ANIMALS });
  const found = async (text: string) => {
    await shop.open({ ...ANIMALS, text });
    return shop.animalList.items.peek()?.map(({ name }) => name);
  };
  assert.deepEqual(await found('jorn'), ['Björn']);
  assert.deepEqual(await found('#2'), ['Noodle']);
  assert.deepEqual(await found('2'), ['Noodle', '2 Cool'], 'the id first, then the name');
  assert.deepEqual(await found('reptil'), ['Noodle']);
  assert.deepEqual(await found('LEE'), ['Ida']);
  assert.deepEqual(await found('cool 2'), ['2 Cool'], 'every word, in any order');
  assert.deepEqual(await found('friday lee'), ['Ida']);
  // What is loaded is filtered by the rule of the service.
  const names = ['Björn', '2 Cool'].map((name) => ({
    id: 9n,
    name,
    categoryId: 1n,
    status: 'sold' as const,
  }));
  const matching = names.filter((animal) => shop.animals.matches(animal, { text: 'ool  2' }));
  assert.deepEqual(matching, names.slice(1));
  assert.deepEqual(await found('nobody'), []);
});

test('a litter is in the order of its numbers', async (t) => {
  const service = await startService(t);
  for (const number of [10, 2, 1]) await add(service, `Kitten ${number}`);
  const { shop } = await openShop(t, service, { view: { ...ANIMALS, text: 'kitten' } });
  assert.deepEqual(
    shop.animalList.items.peek()?.map(({ name }) => name),
    ['Kitten 1', 'Kitten 2', 'Kitten 10'],
  );
});

test('what is found in several ways is listed once, and no page is left out', async (t) => {
  const service = await startService(t);
  await category(service, 7, 'Dogs');
  const pets = Array.from({ length: 70 }, (_, index) => ({ name: `Dog ${index}`, categoryId: 7 }));
  await service.call('POST', '/v1/pets/batch', { body: { pets } });
  await add(service, 'Rex', 7);
  await order(service, 1, 'the dog of Ms Lee');
  const { shop } = await openShop(t, service, { view: { ...ANIMALS, text: 'dog' } });
  while (shop.animalList.next.peek() !== undefined) await shop.animalList.more();
  const ids = shop.animalList.ids.peek() ?? [];
  assert.equal(ids.length, 71);
  assert.equal(new Set(ids).size, 71);
});

test('orders are found by note, by the name of the animal, and by the id of either', async (t) => {
  const service = await startService(t);
  for (const name of ['Rex', 'Max', 'Ida']) await add(service, name);
  await order(service, 2, 'for Ms Lee');
  await order(service, 3);
  await close(service, 2, 'completed');
  const { shop } = await openShop(t, service);
  const found = async (text: string) => {
    await shop.open({ ...ORDERS, text });
    return shop.foundOrders.ids.peek();
  };
  assert.deepEqual(await found('lee'), [1n]);
  assert.deepEqual(await found('ida'), [2n]);
  assert.deepEqual(await found('#2'), [2n, 1n]);
  assert.deepEqual(await found('rex'), []);
});

test('sales are those that were completed in the period, returned ones as well', async (t) => {
  const service = await startService(t);
  for (const name of ['Rex', 'Max', 'Ida']) await add(service, name);
  for (const id of [1, 2, 3]) await order(service, id);
  for (const id of [1, 2]) await close(service, id, 'completed');
  await close(service, 1, 'returned');
  const { shop } = await openShop(t, service, { view: ORDERS });
  assert.deepEqual(shop.soldList.ids.peek(), [2n, 1n]);
  assert.deepEqual(shop.reservedList.ids.peek(), [3n]);
  assert.equal(shop.cache.latestEvent('order.completed', 2n)?.order?.id, 2n);
  await shop.open({ ...ORDERS, period: 'yesterday' });
  assert.deepEqual(shop.soldList.ids.peek(), []);
});
