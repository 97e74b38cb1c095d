import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeptKey, Sessions } from '../../../src/web/browser/console/data/sessions.ts';
import { eventually } from '../../support/eventually.ts';
import { KEY, startService } from '../../support/service/service.ts';

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

test('signing in without keeping the key leaves a tab signed in that keeps its own', async (t) => {
  const { origin } = await startService(t, { config: { apiKeys: [KEY, OTHER] } });
  const browser = new Browser();
  const [first, second] = [
    new Sessions(`${origin}/v1`, browser.tab()),
    new Sessions(`${origin}/v1`, browser.tab()),
  ];
  assert.equal(await first.signIn(KEY, true), undefined);
  assert.equal(await second.signIn(OTHER, false), undefined);
  assert.ok(first.current.peek());
  assert.equal(browser.kept, KEY);
  second.signOut();
  assert.ok(first.current.peek());
  assert.equal(browser.kept, KEY);
});

test('signing out where the key is kept signs out every tab that keeps it', async (t) => {
  const { origin } = await startService(t);
  const browser = new Browser();
  const [first, second] = [
    new Sessions(`${origin}/v1`, browser.tab()),
    new Sessions(`${origin}/v1`, browser.tab()),
  ];
  await first.signIn(KEY, true);
  await second.returnToSession();
  assert.ok(second.current.peek());
  first.signOut();
  assert.equal(second.current.peek(), undefined);
  assert.equal(browser.kept, undefined);
});

test('what was typed outlasts a key that is refused and replaced', async (t) => {
  const service = await startService(t);
  const { json } = await service.call('POST', '/v1/keys', { body: { name: 'till 3', scopes: ['*'] } });
  const { id, key } = json as { id: string; key: string };
  const sessions = new Sessions(`${service.origin}/v1`, new Browser().tab());
  assert.equal(await sessions.signIn(key, false), undefined);
  const workspace = sessions.current.peek();
  workspace?.addForm.edit({ name: 'Rex' });
  await service.call('DELETE', `/v1/keys/${id}`);
  await eventually(async () => {
    await workspace?.api.read((client, options) => client.listPets({}, options)).catch(() => {});
    return workspace?.api.isRejected.peek() ?? false;
  }, 'the key is refused');
  assert.equal(await sessions.signIn(KEY, false), undefined);
  assert.equal(sessions.current.peek(), workspace);
  assert.equal(workspace?.api.isRejected.peek(), false);
  assert.equal(workspace?.addForm.fields.peek().name, 'Rex');
});

test('a key that is not accepted is told, and a kept one is forgotten', async (t) => {
  const { origin } = await startService(t);
  const browser = new Browser();
  browser.kept = 'a-key-that-was-revoked';
  const sessions = new Sessions(`${origin}/v1`, browser.tab());
  await sessions.returnToSession();
  assert.equal(sessions.current.peek(), undefined);
  assert.equal(browser.kept, undefined);
  assert.match((await sessions.signIn('wrong', false)) ?? '', /not accepted/);
});

test('a key that another person keeps in another tab is theirs: signing out here does not forget it', async (t) => {
  const service = await startService(t);
  const keyOf = async (name: string) => {
    const { json } = await service.call('POST', '/v1/keys', { body: { name, scopes: ['*'] } });
    return (json as { key: string }).key;
  };
  const [ann, bob] = [await keyOf('Ann'), await keyOf('Bob')];
  const browser = new Browser();
  const [first, second] = [
    new Sessions(`${service.origin}/v1`, browser.tab()),
    new Sessions(`${service.origin}/v1`, browser.tab()),
  ];
  await first.signIn(ann, true);
  await second.signIn(bob, true);
  await eventually(() => !first.keepsKey, 'the first tab knows that it is not kept any more');
  first.signOut();
  assert.equal(browser.kept, bob);
  assert.ok(second.current.peek());
});
