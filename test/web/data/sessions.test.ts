import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeptKey, Sessions } from '../../../src/web/browser/console/data/sessions.ts';
import { eventually } from '../../support/eventually.ts';
import { KEY, startService } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';

const OTHER = 'another-key-of-the-suite';

/** The storage that the tabs of a browser share. */
class Browser {
  kept: string | undefined;
  readonly #tabs: ((kept: string | undefined) => void)[] = [];

  tab(): KeptKey {
    const others: ((kept: string | undefined) => void)[] = [];
    const store = (key: string | undefined) => {
      if (this.kept === key) return;
      this.kept = key;
      for (const listener of this.#tabs) if (!others.includes(listener)) listener(key);
    };
    return {
      get: () => this.kept,
      set: store,
      forget: () => store(undefined),
      onChangeElsewhere: (listener) => {
        others.push(listener);
        this.#tabs.push(listener);
      },
      isPossible: true,
    };
  }
}

const session = (origin: string, browser: Browser) => new Sessions(`${origin}/v1`, browser.tab());
const tabs = (origin: string, browser: Browser) =>
  [session(origin, browser), session(origin, browser)] as const;

test('signing out where the key is kept signs out every tab that keeps it, and no other', async (t) => {
  const { origin } = await startService(t, { config: { apiKeys: [KEY, OTHER] } });
  const browser = new Browser();
  const [first, second] = tabs(origin, browser);
  const other = session(origin, browser);
  assert.equal(await first.signIn(KEY, true), undefined);
  await second.returnToSession();
  assert.equal(await other.signIn(OTHER, false), undefined);
  other.signOut();
  assert.ok(first.current.peek() && second.current.peek());
  assert.equal(browser.kept, KEY);
  await other.signIn(OTHER, false);
  first.signOut();
  assert.equal(second.current.peek(), undefined);
  assert.ok(other.current.peek());
  assert.equal(browser.kept, undefined);
});

test('what is on the page outlasts a key that is refused and replaced', async (t) => {
  const service = await startService(t);
  const { id, key } = await storeKey(service.store, ['*']);
  const sessions = new Sessions(`${service.origin}/v1`, new Browser().tab());
  assert.equal(await sessions.signIn(key, false), undefined);
  const shop = sessions.current.peek() ?? assert.fail('signed in');
  shop.added.value = [7n];
  await service.call('DELETE', `/v1/keys/${id}`);
  await eventually(async () => {
    await shop.api.read((client, options) => client.listPets({}, options)).catch(() => {});
    return shop.api.isRejected.peek();
  }, 'the key is refused');
  assert.equal(await sessions.signIn(KEY, false), undefined);
  assert.equal(sessions.current.peek(), shop);
  assert.equal(shop.api.isRejected.peek(), false);
  assert.deepEqual(shop.added.peek(), [7n]);
});

test('a key that is not accepted is told, and a kept one is forgotten', async (t) => {
  const { origin } = await startService(t);
  const browser = new Browser();
  const unreachable = new Sessions('http://127.0.0.1:1/v1', browser.tab());
  browser.kept = KEY;
  await unreachable.returnToSession();
  assert.match(unreachable.returning.peek()?.problem ?? '', /cannot be reached/);
  assert.equal(browser.kept, KEY, 'only the no of the service forgets it');
  browser.kept = undefined;
  await unreachable.returnToSession();
  assert.equal(unreachable.returning.peek(), undefined, 'another tab has signed out');
  browser.kept = 'a-key-that-was-revoked';
  const sessions = new Sessions(`${origin}/v1`, browser.tab());
  await sessions.returnToSession();
  assert.equal(sessions.current.peek(), undefined);
  assert.equal(browser.kept, undefined);
  assert.match((await sessions.signIn('wrong', false)) ?? '', /not accepted/);
});

test('a key that another person keeps in another tab is theirs: signing out here does not forget it', async (t) => {
  const service = await startService(t);
  const { key: ann } = await storeKey(service.store, ['*'], { name: 'Ann' });
  const { key: bob } = await storeKey(service.store, ['*'], { name: 'Bob' });
  const browser = new Browser();
  const [first, second] = tabs(service.origin, browser);
  await first.signIn(ann, true);
  await second.signIn(bob, true);
  await eventually(() => !first.keepsKey, 'the first tab knows that it is not kept any more');
  first.signOut();
  assert.equal(browser.kept, bob);
  assert.ok(second.current.peek());
});

test('a key that is rotated goes on in every tab that keeps it; signing out ends what is under way', async (t) => {
  const service = await startService(t);
  const { id, key } = await storeKey(service.store, ['*']);
  const browser = new Browser();
  const [first, second] = tabs(service.origin, browser);
  await first.signIn(key, true);
  await second.returnToSession();
  const [shop, other] = [first.current.peek(), second.current.peek()];
  assert.ok(shop && other);
  const rotated = (await service.call('POST', `/v1/keys/${id}/rotate`, { body: {} })).json as { key: string };
  await first.goOnWith(rotated.key);
  assert.equal(browser.kept, rotated.key);
  assert.notEqual(shop.api.key.id, id);
  await eventually(() => other.api.key.id === shop.api.key.id, 'the other tab has it');
  assert.deepEqual([first.current.peek(), second.current.peek()], [shop, other]);
  const reading = shop.api.read((client, options) => client.listPets({}, options));
  first.signOut();
  await assert.rejects(reading, { code: 'aborted' });
  assert.equal(second.current.peek(), undefined);
});
