import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeCategory } from '../../../src/web/browser/console/data/actions/categories.ts';
import { updateKey } from '../../../src/web/browser/console/data/actions/keys.ts';
import type { Shop } from '../../../src/web/browser/console/data/shop.ts';
import { CATEGORIES } from '../../../src/web/browser/console/route.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { openShop } from '../support/shop.ts';

const name = (service: Service, id: number, called: string) =>
  service.call('PUT', `/v1/categories/${id}`, { body: { name: called } });
const add = (service: Service, categoryId: number) =>
  service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId } });
const category = (shop: Shop, id: bigint) =>
  shop.cache.categories.peek(id) ?? assert.fail(`category ${id} has no name`);

/** What is shown in the row of a category. */
function shownAt(shop: Shop, id: bigint): string | undefined {
  const text = shop.outcomes.at(`category-${id}`)?.text;
  return typeof text === 'function' ? text() : text;
}

test('a category is without a name only once it is known which ones have one', async (t) => {
  const service = await startService(t);
  await name(service, 1, 'Dogs');
  for (const id of [1, 99]) await add(service, id);
  const { shop, network } = await openShop(t, service);
  network.hold((line) => line.startsWith('GET /v1/categories'));
  const opened = shop.open(CATEGORIES);
  await network.untilHeld(1);
  assert.deepEqual(shop.categories.unnamed.peek(), []);
  network.releaseAll();
  await opened;
  assert.deepEqual(shop.categories.unnamed.peek(), [99n]);
});

test('the animals of a category move to another one, with progress, and the category is removed', async (t) => {
  const service = await startService(t);
  await name(service, 1, 'Hamsters');
  await name(service, 2, 'Rabbits');
  for (const id of [1, 1, 2]) await add(service, id);
  const { shop, network } = await openShop(t, service, { view: CATEGORIES });
  network.hold((line) => line === 'PATCH /v1/pets/1');
  const merged = mergeCategory(shop, category(shop, 1n), category(shop, 2n));
  await network.untilHeld(1);
  await eventually(() => shownAt(shop, 1n) === 'Moving… 1 of 2', 'one of two is moved');
  network.releaseAll();
  assert.equal(await merged, true);
  assert.deepEqual((await service.call('GET', '/v1/categories')).json, [
    { id: 2, name: 'Rabbits', inventory: { available: 3, pending: 0, sold: 0 } },
  ]);
  assert.equal(shop.cache.categories.peek(1n), undefined);
});

test('a category without a name can be merged, too', async (t) => {
  const service = await startService(t);
  await name(service, 2, 'Rabbits');
  await add(service, 99);
  const { shop } = await openShop(t, service, { view: CATEGORIES });
  const inventory = { available: 1n, pending: 0n, sold: 0n };
  const from = { id: 99n, name: 'Category 99', inventory };
  assert.equal(await mergeCategory(shop, from, category(shop, 2n)), true);
  assert.equal(((await service.call('GET', '/v1/pets?categoryId=2')).json as unknown[]).length, 1);
});

test('a key that narrows itself is shown what it allows from then on', async (t) => {
  const service = await startService(t);
  const body = { name: 'office', scopes: ['*'] };
  const { key, id } = (await service.call('POST', '/v1/keys', { body })).json as { key: string; id: string };
  const { shop } = await openShop(t, service, { key });
  await updateKey(shop, id, { name: 'till 1', scopes: ['pets:read'] });
  assert.equal(shop.api.key.name, 'till 1');
  assert.deepEqual([shop.api.may('pets:read'), shop.api.may('keys:write')], [true, false]);
});
