import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { act } from '../../../src/web/browser/console/data/act.ts';
import { addCategory } from '../../../src/web/browser/console/data/category-actions.ts';
import { type KeptKey, Sessions } from '../../../src/web/browser/console/data/sessions.ts';
import type { Shop } from '../../../src/web/browser/console/data/shop.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/service/free-port.ts';
import { KEY, startService } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';

/** The storage that the tabs of a browser share. */
class Browser {
  kept: string | undefined;
  readonly #listeners = new Map<KeptKey, (kept: string | undefined) => void>();

  /** The session of another tab. */
  session(origin: string): Sessions {
    const store = (key: string | undefined) => {
      if (this.kept === key) return;
      this.kept = key;
      for (const [one, listener] of this.#listeners) if (one !== tab) listener(key);
    };
    const tab: KeptKey = {
      get: () => this.kept,
      set: store,
      forget: () => store(undefined),
      onChangeElsewhere: (listener) => this.#listeners.set(tab, listener),
      isPossible: true,
    };
    return new Sessions(`${origin}/v1`, tab);
  }
}

/** A service, and two tabs of one browser. */
async function openTabs(t: TestContext) {
  const service = await startService(t, { database: 'sqlite::memory:' });
  const browser = new Browser();
  const [first, second] = [browser.session(service.origin), browser.session(service.origin)];
  const storedKey = (name: string) => storeKey(service.store, ['*'], { name });
  return { service, browser, first, second, storedKey };
}

const listPets = ({ api }: Shop) => api.read((client, options) => client.listPets({}, options));

const untilRefused = (shop: Shop) =>
  eventually(async () => {
    await listPets(shop).catch(() => {});
    return shop.api.isRejected.peek();
  }, 'the key is refused');

test('signing out where the key is kept signs out every tab that keeps it, and no other', async (t) => {
  const { service, browser, first, second, storedKey } = await openTabs(t);
  const [ann, bob] = [await storedKey('Ann'), await storedKey('Bob')];
  const other = browser.session(service.origin);
  assert.equal(await first.signIn(ann.key, true), undefined);
  await second.returnToSession();
  assert.equal(await other.signIn(bob.key, false), undefined);
  other.signOut();
  assert.ok(first.current.peek() && second.current.peek());
  assert.equal(browser.kept, ann.key);
  await other.signIn(bob.key, false);
  first.signOut();
  assert.deepEqual([second.current.peek(), browser.kept], [undefined, undefined]);
  assert.ok(other.current.peek());
  // What another person keeps is theirs.
  await first.signIn(ann.key, true);
  await second.signIn(bob.key, true);
  await eventually(() => !first.keepsKey, 'the first tab knows that it is not kept any more');
  first.signOut();
  assert.equal(browser.kept, bob.key);
  assert.ok(second.current.peek());
});

test('what is on the page outlasts a key that is refused and replaced, and late refusals of that key', async (t) => {
  const { service, first, storedKey } = await openTabs(t);
  const { id, key } = await storedKey('Old');
  assert.equal(await first.signIn(key, false), undefined);
  const shop = first.current.peek() ?? assert.fail('signed in');
  const { client } = shop.api;
  shop.added.value = [7n];
  await service.call('DELETE', `/v1/keys/${id}`);
  await untilRefused(shop);
  // The page asks for another key, and says nothing more.
  assert.equal(await act(shop, addCategory(shop, 'Cats')), undefined);
  assert.deepEqual(shop.messages.all.peek(), []);
  assert.equal(await shop.api.load('screen', () => listPets(shop)), false);
  assert.equal(shop.api.connection.failure.peek(), undefined);
  assert.equal(await first.signIn(KEY, false), undefined);
  assert.equal(first.current.peek(), shop);
  shop.api.observe(await client.listPets().catch((error) => error), client);
  assert.deepEqual([shop.api.isRejected.peek(), shop.added.peek()], [false, [7n]]);
});

test('where a kept key is refused, what was typed stays, also when another tab signs out', async (t) => {
  const { service, browser, first, second, storedKey } = await openTabs(t);
  const { id, key } = await storedKey('Old');
  for (const tab of [first, second]) await tab.signIn(key, true);
  const shop = first.current.peek() ?? assert.fail('signed in');
  await service.call('DELETE', `/v1/keys/${id}`);
  await untilRefused(shop);
  second.signOut();
  assert.deepEqual([browser.kept, first.current.peek() === shop], [undefined, true]);
});

test('a key that is not accepted is told, and a kept one is forgotten', async (t) => {
  const { browser, first } = await openTabs(t);
  const unreachable = browser.session(`http://127.0.0.1:${await freePort()}`);
  browser.kept = KEY;
  await unreachable.returnToSession();
  assert.match(unreachable.returning.peek()?.problem ?? '', /cannot be reached/);
  assert.equal(browser.kept, KEY, 'only the no of the service forgets it');
  browser.kept = undefined;
  await unreachable.returnToSession();
  assert.equal(unreachable.returning.peek(), undefined, 'another tab has signed out');
  browser.kept = 'a-key-that-was-revoked';
  await first.returnToSession();
  assert.deepEqual([first.current.peek(), browser.kept], [undefined, undefined]);
  for (const wrong of ['wrong', '日本'])
    assert.match((await first.signIn(wrong, false)) ?? '', /not accepted/);
  browser.kept = KEY;
  await unreachable.returnToSession();
  unreachable.signOut();
  assert.deepEqual([unreachable.returning.peek(), browser.kept], [undefined, undefined]);
  const config = { rateLimit: { quota: 1, seconds: 60 } };
  const { origin } = await startService(t, { database: 'sqlite::memory:', config });
  const busy = browser.session(origin);
  assert.equal(await busy.signIn(KEY, false), undefined);
  assert.match((await busy.signIn(KEY, false)) ?? '', /^Too many attempts\./);
});

test('a key that is rotated goes on in every tab that keeps it; signing out ends what is under way', async (t) => {
  const { service, browser, first, second, storedKey } = await openTabs(t);
  const { id, key } = await storedKey('Till');
  await first.signIn(key, true);
  await second.returnToSession();
  const [shop, other] = [first.current.peek(), second.current.peek()];
  assert.ok(shop && other);
  const rotated = (await service.call('POST', `/v1/keys/${id}/rotate`, { body: {} })).json as { key: string };
  // Without an answer, the new key is tried again.
  t.mock.method(globalThis, 'fetch', () => Promise.reject(new TypeError('fetch failed')), { times: 1 });
  await first.goOnWith(rotated.key);
  assert.equal(browser.kept, rotated.key);
  assert.notEqual(shop.api.key.id, id);
  await eventually(() => other.api.key.id === shop.api.key.id, 'the other tab has it');
  assert.deepEqual([first.current.peek(), second.current.peek()], [shop, other]);
  const reading = listPets(shop);
  first.signOut();
  await assert.rejects(reading, { code: 'aborted' });
  assert.equal(second.current.peek(), undefined);
});
