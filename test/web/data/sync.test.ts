import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { type TestContext, test } from 'node:test';
import { signal } from '@preact/signals';
import type { KeyScope } from '../../../src/client/index.ts';
import { Sync } from '../../../src/web/browser/console/data/sync.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import { startService } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { unhandledRejections } from '../../support/unhandled.ts';
import { openShop, proxyError } from '../support/shop.ts';

const SECOND_MS = 1000;
const POLL_MS = 4 * SECOND_MS;
const LIVE_POLL_MS = 30 * SECOND_MS;
const NO_ANSWER = { status: 0, retryAfterMs: undefined, requestId: undefined };

/**
 * A list with one animal that is kept in step, by a key with these scopes: by a stream that is open, or by asking. Time passes when the test
 * says so.
 */
async function openSynced(t: TestContext, scopes: readonly KeyScope[], isRefused = false) {
  const service = await startService(t, { database: 'sqlite::memory:' });
  const { id, key } = await storeKey(service.store, scopes);
  const opened = await openShop(t, ['Ava'], { service, key });
  const { shop, others, network, animal } = opened;
  const isVisible = signal(true);
  const sync = new Sync(shop, { isVisible });
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
  /** How long until the next refresh. */
  const pause = () => sync.dueAt.peek() - Date.now();
  const rename = () => others.setPet(1, { name: 'Eva' });
  const untilRenamed = () => eventually(() => animal(1n).name === 'Eva', 'the new name is there');
  /** Refreshes, and waits until that has failed. */
  const failNext = (response: Response) => {
    network.fail(/^GET \/v1\/pets/, response);
    return sync.refresh();
  };
  if (isRefused) network.fail(/\/events/, proxyError(403));
  t.after(sync.start());
  const isBegun = () => (sync.isLive.peek() && pause() > POLL_MS) || sync.isPolling.peek();
  if (shop.api.may('events:read')) await eventually(isBegun, 'the stream is open or refused');
  return { ...opened, id, sync, isVisible, pause, rename, untilRenamed, failNext };
}

test('a change elsewhere is told by the stream, and its animal is not asked for again', async (t) => {
  const { others, shop, network, rename, untilRenamed, pause } = await openSynced(t, ['*']);
  assert.equal(pause(), LIVE_POLL_MS);
  const { connection } = shop.api;
  connection.failed('more', NO_ANSWER);
  network.requests.length = 0;
  await rename();
  await untilRenamed();
  assert.ok(connection.failure.peek(), 'an event that needs nothing to be loaded is no success of loading');
  for (const name of ['Hounds', 'Dogs']) {
    await others.nameCategory(1, name);
    await eventually(() => shop.categories.nameOf(1n) === name, `the category is called ${name}`);
  }
  assert.deepEqual(network.requests, []);
});

test('a key that may not follow events asks every four seconds, and less often after failures', async (t) => {
  const opened = await openSynced(t, ['pets:write', 'store:read']);
  const { shop, network, sync, pause, rename, untilRenamed, failNext } = opened;
  const { failure } = shop.api.connection;
  // A refresh takes no time, however busy the machine is: one that takes long is not repeated as often.
  t.mock.method(performance, 'now', () => 0);
  assert.deepEqual([pause(), sync.isLive.peek()], [POLL_MS, false]);
  await rename();
  t.mock.timers.tick(POLL_MS - 1);
  assert.deepEqual(network.requests, []);
  t.mock.timers.tick(1);
  await untilRenamed();
  await eventually(() => pause() >= POLL_MS, 'the next one is due');
  assert.deepEqual(network.reads('events'), []);
  assert.ok(network.reads('categories').length > 0, 'a key that may write may read');
  // At most half a minute, or as long as the service asks for.
  const pauses: number[] = [];
  const since = new Date();
  for (let count = 0; count < 5; count++) {
    await failNext(proxyError(503));
    assert.deepEqual(failure.peek()?.since, since, 'since the first one');
    pauses.push(pause() / SECOND_MS);
    t.mock.timers.tick(1);
  }
  assert.deepEqual(pauses, [8, 16, 30, 30, 30]);
  await failNext(proxyError(429, { 'retry-after': '120' }));
  assert.equal(pause() / SECOND_MS, 120);
  await failNext(proxyError(503, { 'retry-after': '9999999' }));
  assert.equal(pause(), 2 ** 31 - 1, 'a timer with a longer delay would fire at once');
  network.heal();
  await sync.refresh();
  assert.equal(pause(), POLL_MS, 'after a success');
});

for (const scope of ['*', 'pets:read'] as const)
  test(`a tab that nobody looks at asks for nothing, and catches up when it is looked at: ${scope}`, async (t) => {
    const { network, sync, isVisible, rename, untilRenamed } = await openSynced(t, [scope]);
    isVisible.value = false;
    assert.equal(sync.isLive.peek(), false);
    await sync.refresh();
    network.requests.length = 0;
    await rename();
    t.mock.timers.tick(10 * LIVE_POLL_MS);
    assert.deepEqual(network.requests, []);
    isVisible.value = true;
    await untilRenamed();
  });

test('a stream that the service refuses is not tried again; the page polls, until a key may follow it', async (t) => {
  const { others, id, shop, network, sync } = await openSynced(t, ['pets:read', 'events:read'], true);
  assert.equal(sync.isPolling.peek(), true);
  const asked = network.reads('events').length;
  t.mock.timers.tick(10 * LIVE_POLL_MS);
  await others.get('pets');
  assert.deepEqual([sync.isLive.peek(), network.reads('events').length], [false, asked]);
  network.heal();
  // The key is asked about after a refusal, and a change of it starts anew.
  await others.send('PATCH', `keys/${id}`, { name: 'till 9' });
  await eventually(async () => {
    await shop.api.read((client, options) => client.listKeys({}, options)).catch(() => {});
    return sync.isLive.peek();
  }, 'the stream is open');
  assert.equal(sync.isPolling.peek(), false);
});

test('a stream that fails is tried again, and the page polls meanwhile', async (t) => {
  const { network, sync, isVisible } = await openSynced(t, ['*']);
  network.fail(/\/events/, proxyError(500));
  for (const value of [false, true]) isVisible.value = value;
  const passUntil = (condition: () => boolean, what: string) =>
    eventually(() => {
      if (network.pending === 0) t.mock.timers.tick(SECOND_MS);
      return condition();
    }, what);
  await passUntil(() => sync.isPolling.peek(), 'the page polls');
  const listened = new Set<AbortSignal>();
  const add = EventTarget.prototype.addEventListener;
  t.mock.method(
    EventTarget.prototype,
    'addEventListener',
    function (this: EventTarget, ...args: Parameters<typeof add>) {
      if (this instanceof AbortSignal) listened.add(this);
      return add.apply(this, args);
    },
  );
  const attempts = network.reads('events').length;
  await passUntil(() => network.reads('events').length >= attempts + 5, 'it fails five times more');
  const most = Math.max(...[...listened].map((one) => getEventListeners(one, 'abort').length));
  assert.ok(most < 3, `${most} listeners are left on a signal`);
  network.heal();
  await passUntil(() => sync.isLive.peek(), 'the stream is open');
  assert.equal(sync.isPolling.peek(), false);
});

test('a part of the page that breaks is told, and neither the polling nor the stream ends', async (t) => {
  const errors = unhandledRejections(t);
  const { shop, sync, pause, rename, untilRenamed } = await openSynced(t, ['*']);
  // A refresh takes no time, however busy the machine is.
  t.mock.method(performance, 'now', () => 0);
  const breakOnce = (part: object, name: string) =>
    t.mock.method(part as Record<string, () => void>, name, () => assert.fail(name), { times: 1 });
  const untilTold = (...names: string[]) =>
    eventuallyEqual(() => errors.map((error) => (error as Error).message), names);
  t.mock.timers.tick(SECOND_MS);
  breakOnce(shop.counts, 'load');
  await assert.rejects(sync.refresh(), /load/);
  assert.equal(pause(), LIVE_POLL_MS, 'the next refresh is due');
  breakOnce(shop.counts, 'load');
  shop.changed();
  t.mock.timers.tick(SECOND_MS);
  await untilTold('load');
  breakOnce(shop.cache, 'apply');
  await rename();
  await untilTold('load', 'apply');
  // What the event would have said is loaded.
  t.mock.timers.tick(SECOND_MS);
  await untilRenamed();
  assert.equal(sync.isLive.peek(), true);
});

test('a load that succeeds ends its own failure only, and a refresh of the screen all but that of the network', async (t) => {
  const { sync, shop, network, failNext } = await openSynced(t, ['*']);
  const { connection } = shop.api;
  const kind = () => connection.failure.peek()?.kind;
  await failNext(proxyError(503));
  assert.equal(kind(), 'unavailable');
  network.heal();
  for (const id of [1n, undefined]) await shop.api.load('panel', () => shop.panel.open(id));
  await shop.api.load('more', () => Promise.resolve());
  assert.equal(kind(), 'unavailable', 'the list is as old as before');
  connection.failed('network', NO_ANSWER);
  await sync.refresh();
  assert.equal(kind(), 'unreachable', 'the browser has not said that it is online');
  connection.succeeded('network');
  assert.equal(kind(), undefined);
  // Only the browser knows that the reason is its own.
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  t.after(() => delete (navigator as { onLine?: boolean }).onLine);
  network.fail(/./, 'lost');
  await shop.api.load('panel', () => shop.panel.open(1n));
  assert.equal(connection.isOffline.peek(), true);
  // A read that takes three seconds is told, until there is an answer.
  const { promise, resolve } = Promise.withResolvers<void>();
  const watched = connection.watch(promise);
  t.mock.timers.tick(3 * SECOND_MS - 1);
  assert.equal(connection.isSlow.peek(), false);
  t.mock.timers.tick(1);
  assert.equal(connection.isSlow.peek(), true);
  resolve();
  await watched;
  assert.equal(connection.isSlow.peek(), false);
});
