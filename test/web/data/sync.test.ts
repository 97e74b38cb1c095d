import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { signal } from '@preact/signals';
import { Sync } from '../../../src/web/browser/console/data/sync.ts';
import { ANIMALS } from '../../../src/web/browser/console/route.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { openShop } from '../support/shop.ts';
import { add, animal } from '../support/shop-calls.ts';

/** Longer than the test takes: what changes is told by the stream. */
const NEVER_MS = 1_000_000;
/** Of a shop that asks all the time. */
const OFTEN_MS = 5;

/** A list with one animal, kept in step by the stream. */
async function openLive(t: TestContext, pollMs = NEVER_MS) {
  const service = await startService(t);
  await add(service, 'Rex');
  const opened = await openShop(t, service, { view: ANIMALS });
  const isVisible = signal(true);
  const sync = new Sync(opened.shop, { isVisible, pollMs });
  t.after(sync.start());
  await eventually(() => sync.isLive.peek(), 'the stream is open');
  return { ...opened, service, sync, isVisible };
}

/** A list with a key that may not follow events: it asks all the time. */
async function openAsking(t: TestContext, service: Service) {
  const { key } = await storeKey(service.store, ['pets:read', 'store:read']);
  const opened = await openShop(t, service, { view: ANIMALS, key });
  t.after(new Sync(opened.shop, { isVisible: signal(true), pollMs: OFTEN_MS }).start());
  return opened;
}

test('a change elsewhere is told by the stream, and its animal is not asked for again', async (t) => {
  const { service, shop, network, sync } = await openLive(t);
  await sync.refresh();
  network.requests.length = 0;
  await service.call('PATCH', '/v1/pets/1', { body: { name: 'Max' } });
  await eventually(() => animal(shop, 1n).name === 'Max', 'the new name is there');
  assert.deepEqual(
    network.requests.filter((line) => line.startsWith('GET /v1/pets')),
    [],
  );
});

test('a category that is renamed elsewhere is told by the stream', async (t) => {
  const { service, shop } = await openLive(t);
  for (const name of ['Hounds', 'Dogs']) {
    await service.call('PUT', '/v1/categories/1', { body: { name } });
    await eventually(() => shop.categories.nameOf(1n) === name, `the category is called ${name}`);
  }
});

test('a tab that nobody looks at asks for nothing, and catches up when it is looked at', async (t) => {
  const { service, shop, network, sync, isVisible } = await openLive(t, OFTEN_MS);
  isVisible.value = false;
  assert.equal(sync.isLive.peek(), false);
  await sync.refresh();
  const asked = network.requests.length;
  await service.call('PATCH', '/v1/pets/1', { body: { name: 'Max' } });
  // Meanwhile another one asks for the list ten times.
  const other = await openAsking(t, service);
  const lists = () => other.network.requests.filter((line) => line.startsWith('GET /v1/pets'));
  await eventually(() => lists().length > 10, 'the other one has asked');
  assert.equal(network.requests.length, asked);
  isVisible.value = true;
  await eventually(() => animal(shop, 1n).name === 'Max', 'the new name is there');
});

test('a key that may not follow events asks every few seconds', async (t) => {
  const service = await startService(t);
  await add(service, 'Rex');
  const { shop, network } = await openAsking(t, service);
  await service.call('PATCH', '/v1/pets/1', { body: { name: 'Max' } });
  await eventually(() => animal(shop, 1n).name === 'Max', 'the new name is there');
  assert.deepEqual(
    network.requests.filter((line) => line.includes('/events')),
    [],
  );
});

test('while the service cannot be reached the page says so, and only until then', async (t) => {
  const { shop, network, sync } = await openLive(t);
  await sync.refresh();
  network.fail(() => 'lost');
  await sync.refresh();
  assert.equal(shop.api.connection.failure.peek()?.kind, 'unreachable');
  network.heal();
  await sync.refresh();
  assert.equal(shop.api.connection.failure.peek(), undefined);
});
