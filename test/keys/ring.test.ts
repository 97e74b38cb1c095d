import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { digestOf, generateKey } from '../../src/keys/format.ts';
import { KeyRing } from '../../src/keys/ring.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';

const CONFIGURED = 'configured-key';

async function open(t: TestContext): Promise<{ store: Store; ring: KeyRing }> {
  const store = await openStore('sqlite::memory:');
  t.after(() => store.close());
  const ring = new KeyRing(store, [CONFIGURED], (error) => assert.fail(String(error)));
  return { store, ring };
}

async function addKey(store: Store, expiresAt?: Date): Promise<{ key: string; id: string }> {
  const key = generateKey();
  const { id } = await store.createKey({ name: 'till', digest: digestOf(key), expiresAt });
  return { key, id };
}

const lastUses = async (store: Store) =>
  new Map((await store.listKeys()).map(({ id, lastUsedAt }) => [id, lastUsedAt]));

describe('The key ring', () => {
  it('records at the latest when it stops which keys were used, and when', async (t) => {
    const { store, ring } = await open(t);
    const [used, unused] = [await addKey(store), await addKey(store)];
    await ring.start();
    assert.deepEqual(ring.verify(used.key), { keyId: used.id });
    const before = Date.now();
    assert.deepEqual(ring.verify(used.key), { keyId: used.id });
    await ring.stop();
    const uses = await lastUses(store);
    const at = uses.get(used.id)?.getTime() ?? 0;
    assert.ok(at >= before && at <= Date.now(), `the last of its uses, not ${at}`);
    assert.equal(uses.get(unused.id), undefined);
  });

  it('records no use of a key that it refused', async (t) => {
    const { store, ring } = await open(t);
    const [expired, revoked] = [await addKey(store, new Date(Date.now() - 1)), await addKey(store)];
    await store.revokeKey(revoked.id);
    await ring.start();
    assert.deepEqual(ring.verify(expired.key), { keyId: expired.id, refused: 'expired' });
    assert.deepEqual(ring.verify(revoked.key), { keyId: revoked.id, refused: 'revoked' });
    await ring.stop();
    assert.deepEqual([...(await lastUses(store)).values()], [undefined, undefined]);
  });

  it('accepts a configured key beside the stored ones, under an id that tells nothing of it, and records nothing', async (t) => {
    const { store, ring } = await open(t);
    const stored = await addKey(store);
    await ring.start();
    const { keyId, refused } = ring.verify(CONFIGURED);
    assert.equal(refused, undefined);
    assert.match(keyId ?? '', /^env-[0-9a-f]{8}$/);
    assert.deepEqual(ring.verify(stored.key), { keyId: stored.id });
    const recorded = t.mock.method(store, 'recordKeyUse');
    await ring.stop();
    assert.deepEqual(
      recorded.mock.calls.map(({ arguments: [uses] }) => uses.map(({ id }) => id)),
      [[stored.id]],
    );
  });
});
