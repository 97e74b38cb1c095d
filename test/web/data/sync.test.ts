import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { signal } from '@preact/signals';
import { Connection } from '../../../src/web/browser/console/data/api.ts';
import { Sync } from '../../../src/web/browser/console/data/sync.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { openShop, proxyError } from '../support/shop.ts';
import { ALL, add, animal, nameCategory, setPet } from '../support/shop-calls.ts';

const SECOND_MS = 1000;
const POLL_MS = 4 * SECOND_MS;
const LIVE_POLL_MS = 30 * SECOND_MS;
const NO_ANSWER = { status: 0, retryAfterMs: undefined, requestId: undefined };

/** A list with one animal that is kept in step. Time passes when the test says so. */
async function openSynced(t: TestContext, { key, service: given }: { key?: string; service?: Service } = {}) {
  const service = given ?? (await startService(t));
  await add(service, 'Ava');
  const opened = await openShop(t, service, { screen: ALL, ...(key !== undefined && { key }) });
  const isVisible = signal(true);
  const sync = new Sync(opened.shop, { isVisible });
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
  t.after(sync.start());
  /** How long until the next refresh. */
  const pause = () => sync.dueAt.peek() - Date.now();
  /** Refreshes, and waits until that is over. */
  const failNext = async (response: () => Response) => {
    opened.network.fail((line) => (line.startsWith('GET /v1/pets') ? response() : undefined));
    await sync.refresh();
  };
  return { ...opened, service, sync, isVisible, pause, failNext };
}

/** With a key that may follow the events, whose stream is open. */
async function openLive(t: TestContext) {
  const opened = await openSynced(t);
  const { sync, pause } = opened;
  await eventually(() => sync.isLive.peek() && pause() > POLL_MS, 'the stream is open');
  return opened;
}

/** With a key that may not follow them. */
async function openPolling(t: TestContext) {
  const service = await startService(t);
  const { key } = await storeKey(service.store, ['pets:read', 'store:read']);
  return openSynced(t, { service, key });
}

test('a change elsewhere is told by the stream, and its animal is not asked for again', async (t) => {
  const { service, shop, network } = await openLive(t);
  const { connection } = shop.api;
  connection.failed('more', NO_ANSWER);
  network.requests.length = 0;
  await setPet(service, 1, { name: 'Eva' });
  await eventually(() => animal(shop, 1n).name === 'Eva', 'the new name is there');
  assert.ok(connection.failure.peek(), 'an event that needs nothing to be loaded is no success of loading');
  for (const name of ['Hounds', 'Dogs']) {
    await nameCategory(service, 1, name);
    await eventually(() => shop.categories.nameOf(1n) === name, `the category is called ${name}`);
  }
  assert.deepEqual(network.requests, []);
});

test('a key that may not follow events asks every four seconds, and one that may every thirty', async (t) => {
  const live = await openLive(t);
  assert.equal(live.pause(), LIVE_POLL_MS);
  t.mock.timers.reset();
  const { shop, network, sync, pause, service } = await openPolling(t);
  assert.equal(pause(), POLL_MS);
  assert.equal(sync.isLive.peek(), false);
  await setPet(service, 1, { name: 'Eva' });
  t.mock.timers.tick(POLL_MS - 1);
  assert.deepEqual(network.requests, []);
  t.mock.timers.tick(1);
  await eventually(() => animal(shop, 1n).name === 'Eva', 'the new name is there');
  await eventually(() => pause() >= POLL_MS, 'the next one is due');
  assert.deepEqual(network.reads('events'), []);
});

test('after failures it waits longer each time, at most half a minute, and as long as the service asks for', async (t) => {
  const { sync, network, pause, failNext } = await openPolling(t);
  const pauses: number[] = [];
  for (let failure = 0; failure < 5; failure++) {
    await failNext(() => proxyError(503));
    pauses.push(pause() / SECOND_MS);
  }
  assert.deepEqual(pauses, [8, 16, 30, 30, 30]);
  await failNext(() => proxyError(429, { 'retry-after': '120' }));
  assert.equal(pause() / SECOND_MS, 120);
  network.heal();
  await sync.refresh();
  assert.ok(pause() <= LIVE_POLL_MS / 2, `${pause()} ms after a success`);
});

test('a tab that nobody looks at asks for nothing, and catches up when it is looked at', async (t) => {
  const { service, shop, network, sync, isVisible } = await openLive(t);
  isVisible.value = false;
  assert.equal(sync.isLive.peek(), false);
  await sync.refresh();
  network.requests.length = 0;
  await setPet(service, 1, { name: 'Eva' });
  t.mock.timers.tick(10 * LIVE_POLL_MS);
  assert.deepEqual(network.requests, []);
  isVisible.value = true;
  await eventually(() => animal(shop, 1n).name === 'Eva', 'the new name is there');
});

test('a stream that the service refuses is not tried again; the page polls, until a key may follow it', async (t) => {
  const service = await startService(t);
  const { id, key } = await storeKey(service.store, ['pets:read', 'events:read']);
  let refuses = true;
  const opened = await openShop(t, service, { screen: ALL, key });
  const { shop, network } = opened;
  network.fail((line) => (refuses && line.includes('/events') ? proxyError(403) : undefined));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sync = new Sync(shop, { isVisible: signal(true) });
  t.after(sync.start());
  await eventually(() => sync.isPolling.peek(), 'it is refused');
  const asked = network.reads('events').length;
  t.mock.timers.tick(10 * LIVE_POLL_MS);
  await service.call('GET', '/v1/pets');
  assert.deepEqual([sync.isLive.peek(), network.reads('events').length], [false, asked]);
  refuses = false;
  // The key is asked about after a refusal, and a change of it starts anew.
  await service.call('PATCH', `/v1/keys/${id}`, { body: { name: 'till 9' } });
  await eventually(async () => {
    await shop.api.read((client, options) => client.listKeys({}, options)).catch(() => {});
    return sync.isLive.peek();
  }, 'the stream is open');
  assert.equal(sync.isPolling.peek(), false);
});

test('a load that succeeds ends its own failure only, and a refresh of the screen all but that of the network', async (t) => {
  const { sync, shop, network, failNext } = await openPolling(t);
  const { connection } = shop.api;
  await failNext(() => proxyError(503));
  const { kind, since } = connection.failure.peek() ?? {};
  assert.equal(kind, 'unavailable');
  network.heal();
  for (const id of [1n, undefined]) await shop.api.load('panel', () => shop.panel.open(id));
  assert.equal(connection.failure.peek()?.kind, 'unavailable', 'the list is as old as before');
  assert.equal(connection.failure.peek()?.since, since);
  await shop.api.load('more', () => Promise.resolve());
  assert.equal(connection.failure.peek()?.kind, 'unavailable');
  connection.failed('network', NO_ANSWER);
  await sync.refresh();
  assert.equal(connection.failure.peek()?.kind, 'unreachable', 'the browser has not said that it is online');
  connection.succeeded('network');
  assert.equal(connection.failure.peek(), undefined);
  // Only the browser knows that the reason is its own.
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  t.after(() => delete (navigator as { onLine?: boolean }).onLine);
  network.fail(() => 'lost');
  await shop.api.load('panel', () => shop.panel.open(1n));
  assert.equal(connection.isOffline.peek(), true);
});

test('a read that takes three seconds is told, until there is an answer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const connection = new Connection();
  const { promise, resolve } = Promise.withResolvers<void>();
  const watched = connection.watch(promise);
  t.mock.timers.tick(2999);
  assert.equal(connection.isSlow.peek(), false);
  t.mock.timers.tick(1);
  assert.equal(connection.isSlow.peek(), true);
  resolve();
  await watched;
  assert.equal(connection.isSlow.peek(), false);
});
