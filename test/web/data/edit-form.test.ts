import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renameCategory } from '../../../src/web/browser/console/data/actions/categories.ts';
import { ANIMALS } from '../../../src/web/browser/console/route.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { openShop } from '../support/shop.ts';
import { add, animal, openShopWith, stored } from '../support/shop-calls.ts';

const change = (service: Service, body: object) => service.call('PATCH', '/v1/pets/1', { body });

test('only what was touched is sent: what someone else has changed meanwhile stays', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex']);
  const form = shop.editOf(animal(shop, 1n));
  form.edit({ name: 'Rexi' });
  await change(service, { categoryId: 2, status: 'sold' });
  assert.equal(await form.save(), true);
  assert.deepEqual(await stored(service, 1), { id: 1, name: 'Rexi', categoryId: 2, status: 'sold' });
});

test('after a conflict, saving again replaces what was touched and nothing else', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex']);
  const form = shop.editOf(animal(shop, 1n));
  form.edit({ name: 'Rexi' });
  await change(service, { name: 'Max', categoryId: 2 });
  assert.equal(await form.save(), false);
  assert.equal(form.conflict.peek()?.name, 'Max');
  assert.deepEqual(form.fields.peek(), { name: 'Rexi', category: '2' });
  assert.equal(await form.save(), true);
  assert.deepEqual(await stored(service, 1), { id: 1, name: 'Rexi', categoryId: 2, status: 'available' });
  form.edit({ category: '3' });
  await change(service, { name: 'Max', categoryId: 4 });
  assert.equal(await form.save(), false);
  assert.deepEqual(form.fields.peek(), { name: 'Max', category: '3' });
  assert.equal(await form.save(), true);
  assert.deepEqual(await stored(service, 1), { id: 1, name: 'Max', categoryId: 3, status: 'available' });
});

test('a category that is renamed while the form is open is neither touched nor created again', async (t) => {
  const service = await startService(t);
  await service.call('POST', '/v1/categories', { body: { name: 'Dogs' } });
  await add(service, 'Rex', 1);
  const { shop } = await openShop(t, service, { view: ANIMALS });
  const form = shop.editOf(animal(shop, 1n));
  await renameCategory(shop, 1n, 'Hounds');
  assert.equal(form.isTouched, false);
  form.edit({ name: 'Rexi' });
  assert.equal(await form.save(), true);
  assert.deepEqual(await stored(service, 1), { id: 1, name: 'Rexi', categoryId: 1, status: 'available' });
  const categories = (await service.call('GET', '/v1/categories')).json as unknown[];
  assert.equal(categories.length, 1);
});

test('spaces around what was saved do not count as typed', async (t) => {
  const { shop } = await openShopWith(t, ['Rex']);
  const form = shop.editOf(animal(shop, 1n));
  form.edit({ name: ' Rexi ' });
  assert.equal(await form.save(), true);
  assert.equal(form.isTouched, false);
  assert.deepEqual(form.fields.peek(), { name: 'Rexi', category: '1' });
});

test('what is typed while it is saved stays, and is not saved yet', async (t) => {
  const { service, shop, network } = await openShopWith(t, ['Rex']);
  const form = shop.editOf(animal(shop, 1n));
  form.edit({ name: 'Rexi' });
  network.hold((line) => line.startsWith('PATCH'));
  const saved = form.save();
  await network.untilHeld(1);
  form.edit({ name: 'Rexi the second' });
  network.releaseAll();
  assert.equal(await saved, false);
  assert.equal(form.fields.peek().name, 'Rexi the second');
  assert.equal(form.isTouched, true);
  assert.equal(await form.save(), true);
  assert.deepEqual(await stored(service, 1), {
    id: 1,
    name: 'Rexi the second',
    categoryId: 1,
    status: 'available',
  });
});
