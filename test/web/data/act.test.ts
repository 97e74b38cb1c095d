import assert from 'node:assert/strict';
import { test } from 'node:test';
import { act, type Outcome } from '../../../src/web/browser/console/data/act.ts';
import { cancel, reserve, sell } from '../../../src/web/browser/console/data/actions.ts';
import { Messages } from '../../../src/web/browser/console/data/messages.ts';
import { eventually } from '../../support/eventually.ts';
import { openShop, proxyError } from '../support/shop.ts';

const MINUTE_MS = 60_000;

test('a message stays for a minute, or until it is closed or three newer ones are there', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const messages = new Messages();
  const texts = () => messages.all.peek().map(({ text }) => text);
  const [first = 0] = ['a', 'b', 'c', 'd'].map((text) => messages.say('done', text));
  assert.deepEqual(texts(), ['b', 'c', 'd']);
  messages.say('waiting', 'a again', undefined, first);
  assert.deepEqual(texts(), ['c', 'd', 'a again']);
  messages.close(first);
  t.mock.timers.tick(MINUTE_MS / 2);
  const last = messages.say('waiting', 'e');
  t.mock.timers.tick(MINUTE_MS / 2 - 1);
  assert.deepEqual(texts(), ['c', 'd', 'e']);
  messages.say('done', 'E', undefined, last);
  t.mock.timers.tick(1);
  assert.deepEqual(texts(), ['E'], 'what replaces a message has a minute of its own');
  t.mock.timers.tick(MINUTE_MS - 2);
  assert.deepEqual(texts(), ['E']);
  t.mock.timers.tick(1);
  assert.deepEqual(texts(), []);
});

test('one action runs at a time for one animal; its Undo is offered for a minute, and no second one', async (t) => {
  const { shop, network, animal, run, said } = await openShop(t, ['Biscuit', 'Gus']);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  network.hold(/^POST/);
  const running = [run(sell, 1n), run(reserve, 1n)];
  assert.equal(shop.running.at('animal-1'), 'Selling…');
  await network.untilHeld(1);
  running.push(run(reserve, 2n));
  network.releaseAll();
  const results = await Promise.all(running);
  assert.deepEqual([results[0]?.isDone, results[1]], [true, undefined]);
  assert.equal(shop.running.at('animal-1'), undefined);
  assert.deepEqual(said(), ['Biscuit is sold.', 'Gus is reserved.']);
  shop.messages.undo();
  await eventually(() => said().at(-1) === 'Undone: Gus is available again.', 'the newest is undone');
  assert.equal(shop.messages.all.peek().at(-1)?.offer, undefined);
  shop.messages.undo();
  await eventually(() => animal(1n).status === 'available', 'the other one can still be undone');
  shop.messages.undo();
  assert.equal(network.changes.length, 4);
  await eventually(() => shop.running.at('animal-1') === undefined, 'it has ended');
  await run(sell, 2n);
  t.mock.timers.tick(MINUTE_MS);
  assert.deepEqual(said(), []);
  const sent = network.changes.length;
  shop.messages.undo();
  assert.equal(network.changes.length, sent, 'the Undo ends with its message');
});

test('without an answer the same request is repeated for 30 seconds, then by a click only, and sells once', async (t) => {
  const opened = await openShop(t, ['Biscuit'], { maxRetries: Number.POSITIVE_INFINITY });
  const { network, others, animal, run, said, offered, press } = opened;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  /** Lets time pass until then, but none while a request is under way. Returns how much has passed. */
  const passUntil = async (condition: () => boolean, mostMs = MINUTE_MS) => {
    let ms = 0;
    for (; !condition() && ms < mostMs; ms += 100) {
      t.mock.timers.tick(100);
      do await new Promise((done) => setImmediate(done));
      while (network.pending > 0);
    }
    return ms;
  };
  let isOver = false;
  const start = (action: Promise<unknown>) => {
    isOver = false;
    void action.then(() => (isOver = true));
  };
  network.fail(/./, 'lost');
  start(run(sell, 1n));
  assert.equal(await passUntil(() => said().length > 0), 3000);
  assert.deepEqual(said(), ['No answer from the service. The sale of Biscuit is being repeated.']);
  const ms = 3000 + (await passUntil(() => isOver));
  assert.ok(ms >= 29_000 && ms <= 31_000, `given up after ${ms} ms`);
  assert.deepEqual(said(), ['No answer from the service. The sale of Biscuit may or may not be done.']);
  const sent = network.changes.length;
  network.heal();
  const again = offered('Try again');
  await passUntil(() => false, MINUTE_MS - 1000);
  assert.equal(network.changes.length, sent);
  // The first answers to the click are lost, too: the animal is sold already when one arrives.
  network.fail(/^POST/, 'unanswered');
  start(again.run());
  await passUntil(() => network.changes.length > sent + 2);
  network.heal();
  await passUntil(() => isOver);
  assert.deepEqual(said(), ['Biscuit is sold.']);
  assert.equal(new Set(network.changes.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
  assert.equal((await others.get('store/orders')).length, 1);
  await press('Undo');
  assert.equal(animal(1n).status, 'available');
});

test('after three seconds a repetition is told, but not of what is sent once only or has made progress', async (t) => {
  const { shop, said } = await openShop(t, []);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const words = {
    subject: 'key-new',
    running: 'Making the key…',
    what: 'the key',
    isSentOnce: true,
  } as const;
  const running = act(shop, { ...words, run: () => promise });
  t.mock.timers.tick(3000);
  assert.deepEqual(said(), ['No answer from the service.']);
  resolve({ text: 'It was made.' });
  await running;
  assert.deepEqual(said(), ['It was made.']);
  const move = { subject: 'category-1', running: 'Moving… 0 of 2', what: 'the move' } as const;
  const moving = act(shop, {
    ...move,
    run: () => new Promise((done) => setTimeout(done, 4000, { text: 'Moved.' })),
  });
  shop.running.set('category-1', 'Moving… 1 of 2');
  t.mock.timers.tick(3000);
  assert.deepEqual(said(), ['It was made.']);
  t.mock.timers.tick(1000);
  await moving;
  assert.deepEqual(said(), ['It was made.', 'Moved.']);
});

test('trying again shows what has become of it since, not what the first attempt has answered', async (t) => {
  const { shop, network, others, animal, run, press } = await openShop(t, ['Biscuit']);
  network.fail(/^POST/, 'unanswered');
  await run(sell, 1n);
  network.heal();
  await others.close(1, 'returned');
  await shop.refresh();
  await shop.orders.lookUp([1n]);
  await press('Try again');
  assert.equal(animal(1n).status, 'available');
});

test('what is refused, or was changed elsewhere, is said in words, and neither tried again nor undone', async (t) => {
  const opened = await openShop(t, ['Biscuit', 'Gus', 'Milo', 'Otis'], {
    prepare: (others) => others.order(2),
  });
  const { shop, network, others, animal, said, offered, orderOf } = opened;
  const cancelled = cancel(shop, orderOf(2n));
  const sales = [1n, 2n, 3n].map((id) => sell(shop, animal(id)));
  for (const petId of [1, 3]) await others.order(petId);
  for (const id of [1, 2]) await others.close(id, 'completed');
  await act(shop, cancelled);
  assert.deepEqual(said(), ['Not cancelled: Gus is sold.']);
  await others.close(1, 'cancelled');
  for (const sale of sales) await act(shop, sale);
  const text = 'Not sold: Biscuit is sold already. Not sold: Gus is available. Not sold: Milo is reserved.';
  assert.equal(said().join(' '), text);
  for (const { kind, offer } of shop.messages.all.peek())
    assert.deepEqual([kind, offer], ['wrong', undefined]);
  await others.removePet(4);
  await act(shop, sell(shop, animal(4n)));
  assert.equal(said().at(-1), 'Not sold: Otis is removed.');
  // The reason cannot be asked for, or the service has not even tried.
  network.fail(/^GET/, 'lost');
  const [sale = assert.fail()] = sales;
  await others.order(2, { status: 'completed' });
  await act(shop, sell(shop, animal(2n)));
  assert.match(said().at(-1) ?? '', /order/);
  network.fail(/^POST/, proxyError(429));
  await act(shop, sale);
  assert.equal(said().at(-1), 'There were too many requests. The sale of Biscuit was not done.');
  network.heal();
  network.hold(/^POST/);
  const again = offered('Try again').run();
  assert.equal(said().at(-1), 'Selling…');
  network.releaseAll();
  await again;
});
