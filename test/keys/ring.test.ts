import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf, generateKey } from '../../src/keys/format.ts';
import { KeyRing } from '../../src/keys/ring.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { heapUsed } from '../support/heap.ts';

const CONFIGURED = 'configured-key';
/** What the contract gives a change of keys until it holds everywhere. */
const WITHIN_MS = 1000;

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

  it('accepts a key that it has met only as long as one that it has not', async (t) => {
    const { store, ring } = await open(t);
    const expiresAt = new Date(Date.now() + 60_000);
    const [expiring, revoked, lasting] = [
      await addKey(store, expiresAt),
      await addKey(store),
      await addKey(store),
    ];
    await ring.start();
    const verdicts = () => [expiring, revoked, lasting].map(({ key }) => ring.verify(key).refused);
    assert.deepEqual([verdicts(), verdicts()], Array(2).fill([undefined, undefined, undefined]));

    t.mock.timers.enable({ apis: ['Date'], now: expiresAt });
    assert.deepEqual([verdicts(), verdicts()], Array(2).fill(['expired', undefined, undefined]));
    t.mock.timers.reset();

    await store.revokeKey(revoked.id);
    const { key } = await addKey(store);
    assert.equal(ring.verify(key).refused, 'unknown');
    await sleep(WITHIN_MS);
    assert.deepEqual([verdicts(), verdicts()], Array(2).fill([undefined, 'revoked', undefined]));
    assert.equal(ring.verify(key).refused, undefined);
    await ring.stop();
  });

  it('takes no key for another that it has met', async (t) => {
    const { store, ring } = await open(t);
    const { key, id } = await addKey(store);
    await ring.start();
    assert.deepEqual(ring.verify(key), { keyId: id });
    const others = [
      key.toLowerCase(),
      ` ${key}`,
      `${key} `,
      key.slice(0, -1),
      `${key}0`,
      CONFIGURED.toUpperCase(),
    ];
    for (const other of [...others, '', '__proto__', digestOf(key), digestOf(CONFIGURED)]) {
      assert.match(ring.verify(other).refused ?? '', /^(?:mistyped|unknown)$/, other);
    }
    assert.equal(ring.verify(CONFIGURED).refused, undefined);
    await ring.stop();
  });

  it('keeps nothing of a key that it does not know, however many are tried', async (t) => {
    const { store, ring } = await open(t);
    const { key } = await addKey(store);
    await ring.start();
    const tryMany = (prefix: string) => {
      for (let n = 0; n < 50_000; n++) ring.verify(`${prefix}${n}`.padEnd(100, 'x'));
    };
    tryMany('anst_');
    const before = heapUsed();
    tryMany('other');
    const grown = heapUsed() - before;
    assert.ok(grown < 2_000_000, `${grown} bytes more`);
    assert.equal(ring.verify(key).refused, undefined);
    await ring.stop();
  });
});
