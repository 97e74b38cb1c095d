import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { act, Messages } from '../../../src/web/browser/console/data/act.ts';
import { reserve, sell } from '../../../src/web/browser/console/data/actions.ts';
import type { Shop } from '../../../src/web/browser/console/data/shop.ts';
import { eventually } from '../../support/eventually.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { openShop } from '../support/shop.ts';
import { ALL, animal, close, offered, openShopWith, order, said } from '../support/shop-calls.ts';

const MINUTE_MS = 60_000;
const texts = ({ all }: Messages) => all.peek().map(({ text }) => text);

test('a message stays for a minute, or until it is closed or three newer ones are there', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const messages = new Messages();
  const [first = 0] = ['a', 'b', 'c'].map((text) => messages.say('done', text));
  messages.say('done', 'd');
  assert.deepEqual(texts(messages), ['b', 'c', 'd']);
  messages.say('waiting', 'a again', undefined, first);
  assert.deepEqual(texts(messages), ['c', 'd', 'a again']);
  messages.close(first);
  assert.deepEqual(texts(messages), ['c', 'd']);
  t.mock.timers.tick(MINUTE_MS / 2);
  const last = messages.say('waiting', 'e');
  t.mock.timers.tick(MINUTE_MS / 2 - 1);
  assert.deepEqual(texts(messages), ['c', 'd', 'e']);
  messages.say('done', 'E', undefined, last);
  t.mock.timers.tick(1);
  assert.deepEqual(texts(messages), ['E'], 'what replaces a message has a minute of its own');
  t.mock.timers.tick(MINUTE_MS - 2);
  assert.deepEqual(texts(messages), ['E']);
  t.mock.timers.tick(1);
  assert.deepEqual(texts(messages), []);
});

test('Undo is offered for a minute, and what is undone offers no second Undo', async (t) => {
  const { shop, network } = await openShopWith(t, ['Biscuit', 'Gus']);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await act(shop, sell(shop, animal(shop, 1n)));
  assert.deepEqual(said(shop), ['Biscuit is sold.']);
  await act(shop, reserve(shop, animal(shop, 2n)));
  shop.messages.undo();
  await eventually(() => said(shop).at(-1) === 'Undone: Gus is available again.', 'the newest is undone');
  assert.equal(shop.messages.all.peek().at(-1)?.offer, undefined);
  const sent = network.changes.length;
  shop.messages.undo();
  await eventually(() => animal(shop, 1n).status === 'available', 'the other one can still be undone');
  shop.messages.undo();
  assert.equal(network.changes.length, sent + 1);
  await eventually(() => shop.running.at('animal-1') === undefined, 'it has ended');
  await act(shop, sell(shop, animal(shop, 2n)));
  t.mock.timers.tick(MINUTE_MS);
  assert.deepEqual(shop.messages.all.peek(), []);
});

test('one action runs at a time for one animal, and its row says which', async (t) => {
  const { shop, network } = await openShopWith(t, ['Biscuit', 'Gus']);
  network.hold((line) => line.startsWith('POST'));
  const running = [sell, reserve].map((action) => act(shop, action(shop, animal(shop, 1n))));
  assert.equal(shop.running.at('animal-1'), 'Selling…');
  running.push(act(shop, reserve(shop, animal(shop, 2n))));
  await network.untilHeld(2);
  network.releaseAll();
  const results = await Promise.all(running);
  assert.deepEqual(
    results.map((result) => result?.isDone),
    [true, undefined, true],
  );
  assert.equal(network.changes.length, 2);
  assert.equal(shop.running.at('animal-1'), undefined);
});

/** A till whose changes are repeated as the client does, with a clock of its own. */
async function openPatient(t: TestContext) {
  const options = { screen: ALL, maxRetries: Number.POSITIVE_INFINITY };
  const opened = await openShopWith(t, ['Biscuit'], undefined, options);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  /** Lets time pass, as far as it takes in steps in which answers arrive. */
  const passUntil = async (condition: () => boolean, mostMs: number) => {
    let ms = 0;
    for (; !condition() && ms < mostMs; ms += 100) {
      t.mock.timers.tick(100);
      await new Promise((done) => setImmediate(done));
    }
    return ms;
  };
  const start = (shop: Shop) => {
    const result = { isOver: false };
    void act(shop, sell(shop, animal(shop, 1n))).finally(() => (result.isOver = true));
    return result;
  };
  return { ...opened, passUntil, start };
}

test('without an answer the message says so after three seconds, and the client repeats the same request', async (t) => {
  const { shop, network, service, passUntil, start } = await openPatient(t);
  network.fail((line) => (line.startsWith('POST') ? 'unanswered' : undefined));
  const sale = start(shop);
  assert.equal(await passUntil(() => said(shop).length > 0, 10_000), 3000);
  assert.deepEqual(said(shop), ['No answer from the service. The sale of Biscuit is being repeated.']);
  await passUntil(() => network.changes.length > 1, 30_000);
  network.heal();
  await eventually(() => passUntil(() => sale.isOver, 1000).then(() => sale.isOver), 'there is an answer');
  assert.deepEqual(said(shop), ['Biscuit is sold.']);
  assert.ok(network.changes.length > 2);
  assert.equal(new Set(network.changes.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
  assert.equal(((await service.call('GET', '/v1/store/orders')).json as unknown[]).length, 1);
});

test('after 30 seconds nothing is sent without a click, which sends the same key and sells once', async (t) => {
  const { shop, network, service, passUntil, start } = await openPatient(t);
  network.fail(() => 'lost');
  const sale = start(shop);
  const ms = await passUntil(() => sale.isOver, 60_000);
  assert.ok(ms >= 29_000 && ms <= 31_000, `given up after ${ms} ms`);
  assert.deepEqual(said(shop), ['No answer from the service. The sale of Biscuit may or may not be done.']);
  const sent = network.changes.length;
  const again = offered(shop, 'Try again');
  network.heal();
  await passUntil(() => false, 59_000);
  assert.equal(network.changes.length, sent);
  // The answer to the click is lost, too, and the next click finds that it is sold.
  network.fail((line) => (line.startsWith('POST') ? 'unanswered' : undefined));
  let isOver = false;
  void again.run().then(() => (isOver = true));
  await passUntil(() => isOver, 60_000);
  network.heal();
  await offered(shop, 'Try again').run();
  assert.deepEqual(said(shop), ['Biscuit is sold.']);
  assert.equal(new Set(network.changes.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
  assert.equal(((await service.call('GET', '/v1/store/orders')).json as unknown[]).length, 1);
  await offered(shop, 'Undo').run();
  assert.equal(animal(shop, 1n).status, 'available');
});

test('trying again shows what has become of it since, not what the first attempt has answered', async (t) => {
  const { shop, network, service } = await openShopWith(t, ['Biscuit']);
  network.fail((line) => (line.startsWith('POST') ? 'unanswered' : undefined));
  await act(shop, sell(shop, animal(shop, 1n)));
  network.heal();
  await close(service, 1, 'returned');
  await shop.refresh();
  await shop.orders.lookUp([1n]);
  await offered(shop, 'Try again').run();
  assert.equal(animal(shop, 1n).status, 'available');
});

test('what is refused is said in words, and neither tried again nor undone', async (t) => {
  const { shop, service } = await openShopWith(t, ['Biscuit', 'Gus', 'Milo'], (one) => order(one, 2));
  for (const petId of [1, 3]) await order(service, petId);
  await close(service, 1, 'cancelled');
  await close(service, 2, 'completed');
  const shown = [1n, 2n, 3n].map((id) => animal(shop, id));
  for (const one of shown) await act(shop, sell(shop, one));
  assert.deepEqual(said(shop), [
    'Not sold: Biscuit is sold already.',
    'Not sold: Gus is available.',
    'Not sold: Milo is reserved.',
  ]);
  assert.deepEqual(
    shop.messages.all.peek().map(({ kind, offer }) => [kind, offer]),
    Array(3).fill(['wrong', undefined]),
  );
});

test('a refused key is no success: nothing is said but that the page asks for another one', async (t) => {
  const { service } = await openShopWith(t, ['Biscuit']);
  const { id, key } = await storeKey(service.store, ['*']);
  const { shop } = await openShop(t, service, { key, screen: ALL });
  await service.call('DELETE', `/v1/keys/${id}`);
  await eventually(async () => {
    await shop.refresh().catch(() => {});
    return shop.api.isRejected.peek();
  }, 'the key is refused');
  assert.equal(await act(shop, sell(shop, animal(shop, 1n))), undefined);
  assert.deepEqual(said(shop), []);
});
