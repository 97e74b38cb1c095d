import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf, generateKey } from '../../src/keys/format.ts';
import type { AuthenticatedKey } from '../../src/keys/verifier.ts';
import { KeyVerifier } from '../../src/keys/verifier.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { heapUsed } from '../support/measure/heap.ts';
import { temporaryFolder } from '../support/service/service.ts';

const CONFIGURED = 'configured-key';
/** The time within which a change of keys takes effect in every process. */
const WITHIN_MS = 1000;

const EVENTS = {
  failed: (error: unknown) => assert.fail(String(error)),
  clockSkewed: () => assert.fail('there is one clock'),
};

async function open(t: TestContext): Promise<{ store: Store; ring: KeyVerifier }> {
  const store = await openStore('sqlite::memory:');
  t.after(() => store.close());
  const ring = new KeyVerifier(store, [CONFIGURED], EVENTS);
  return { store, ring };
}

async function addKey(store: Store, expiresAt?: Date): Promise<{ key: string; id: string }> {
  const key = generateKey();
  const { id } = await store.createKey({
    name: 'till',
    digest: digestOf(key),
    scopes: ['pets:write'],
    expiresAt,
  });
  return { key, id };
}

function acceptedBy(ring: KeyVerifier, text: string): AuthenticatedKey {
  const verdict = ring.verify(text);
  assert.ok(verdict.refused === undefined, `${verdict.refused}`);
  return verdict.key;
}

const keyIdOf = (ring: KeyVerifier, text: string) => acceptedBy(ring, text).id;

function execute(file: string, sql: string): void {
  const db = new DatabaseSync(file, { timeout: 10_000 });
  db.exec(sql);
  db.close();
}

const addKeysBySql = (file: string, count: number) =>
  execute(
    file,
    `INSERT INTO api_keys (name, digest, created_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT 'key', 'digest ' || i, 0 FROM n`,
  );

const lastUses = async (store: Store) =>
  new Map((await store.listKeys()).map(({ id, lastUsedAt }) => [id, lastUsedAt]));

describe('The key ring', () => {
  it('reads a bounded number of keys per tick, and then only what has changed', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const store = await openStore(`sqlite:${file}`);
    t.after(() => store.close());
    addKeysBySql(file, 50_000);
    const last = await addKey(store);
    let ticks = 0;
    let counting = true;
    const count = () => {
      ticks++;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    t.after(() => {
      counting = false;
    });
    const sizes: number[] = [];
    const tickOfRead: number[] = [];
    const { listKeyChanges } = store;
    t.mock.method(store, 'listKeyChanges', async (after: number, limit: number) => {
      const changes = await listKeyChanges(after, limit);
      sizes.push(changes.keys.length);
      tickOfRead.push(ticks);
      return changes;
    });
    const listKeys = t.mock.method(store, 'listKeys');
    const ring = new KeyVerifier(store, [], EVENTS);
    await ring.start();
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      50_001,
    );
    assert.ok(Math.max(...sizes) <= 1000, `${Math.max(...sizes)} keys at once`);
    assert.equal(new Set(tickOfRead).size, tickOfRead.length, 'two reads in one tick');
    assert.equal(ring.verify(last.key).refused, undefined);

    sizes.length = 0;
    await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' });
    await store.recordKeyUse([{ id: last.id, at: new Date() }]);
    while (sizes.length < 2) await sleep(10);
    assert.deepEqual(new Set(sizes), new Set([0]));

    await store.revokeKey(last.id);
    await eventuallyEqual(() => ring.verify(last.key).refused, 'revoked');
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      1,
    );
    assert.equal(listKeys.mock.callCount(), 0);
    await ring.stop();
  });

  it('refuses a key that was deleted or replaced in the database', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const store = await openStore(`sqlite:${file}`);
    t.after(() => store.close());
    const [deleted, replaced, other] = [await addKey(store), await addKey(store), await addKey(store)];
    const ring = new KeyVerifier(store, [], EVENTS);
    await ring.start();
    const refusals = () => [deleted, replaced, other].map(({ key }) => ring.verify(key).refused);
    assert.deepEqual(refusals(), [undefined, undefined, undefined]);
    execute(file, `DELETE FROM api_keys WHERE id = ${deleted.id}`);
    execute(file, `UPDATE api_keys SET digest = 'replaced' WHERE id = ${replaced.id}`);
    await eventuallyEqual(refusals, ['unknown', 'unknown', undefined]);
    await ring.stop();
  });

  it('records which keys were used and when, at the latest when it stops', async (t) => {
    const { store, ring } = await open(t);
    const [used, unused] = [await addKey(store), await addKey(store)];
    await ring.start();
    assert.equal(keyIdOf(ring, used.key), used.id);
    const before = Date.now();
    assert.equal(keyIdOf(ring, used.key), used.id);
    await ring.stop();
    const uses = await lastUses(store);
    const at = uses.get(used.id)?.getTime() ?? 0;
    assert.ok(at >= before && at <= Date.now(), `the last of its uses, not ${at}`);
    assert.equal(uses.get(unused.id), undefined);
  });

  it('knows the name, the scopes and the expiry of a key, and follows their changes', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const store = await openStore(`sqlite:${file}`);
    t.after(() => store.close());
    const expiresAt = new Date(Date.now() + 60_000);
    const { key, id } = await addKey(store, expiresAt);
    const ring = new KeyVerifier(store, [], EVENTS);
    await ring.start();
    const { permissions, author, ...known } = acceptedBy(ring, key);
    assert.deepEqual(known, { id, name: 'till', scopes: ['pets:write'], expiresAt });
    assert.deepEqual(author, { keyId: id, keyName: 'till' });
    assert.deepEqual([...permissions], ['pets:read', 'pets:write']);
    const other = await addKey(store);
    await eventually(() => ring.verify(other.key).refused === undefined, 'the other key is known');
    assert.equal(
      acceptedBy(ring, other.key).permissions,
      permissions,
      'one set for all keys with the same scopes',
    );
    execute(file, `UPDATE api_keys SET scopes = 'store:read' WHERE id = ${id}`);
    await eventuallyEqual(() => acceptedBy(ring, key).scopes, ['store:read']);
    await ring.stop();
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

  it('accepts a configured key in addition to the stored ones, under an id that reveals nothing, and records no use', async (t) => {
    const { store, ring } = await open(t);
    const stored = await addKey(store);
    await ring.start();
    const key = acceptedBy(ring, CONFIGURED);
    assert.match(key.id, /^env-[0-9a-f]{8}$/);
    assert.deepEqual([key.name, key.scopes, key.expiresAt], [key.id, ['*'], undefined]);
    assert.equal(keyIdOf(ring, stored.key), stored.id);
    const recorded = t.mock.method(store, 'recordKeyUse');
    await ring.stop();
    assert.deepEqual(
      recorded.mock.calls.map(({ arguments: [uses] }) => uses.map(({ id }) => id)),
      [[stored.id]],
    );
  });

  it('refuses a key that has expired or was revoked, even though it was accepted before', async (t) => {
    const { store, ring } = await open(t);
    const expiresAt = new Date(Date.now() + 60_000);
    const [expiring, revoked, valid] = [
      await addKey(store, expiresAt),
      await addKey(store),
      await addKey(store),
    ];
    await ring.start();
    const verdicts = () => [expiring, revoked, valid].map(({ key }) => ring.verify(key).refused);
    assert.deepEqual([verdicts(), verdicts()], Array(2).fill([undefined, undefined, undefined]));

    // The clocks of the store and of this process are compared to within some milliseconds.
    t.mock.timers.enable({ apis: ['Date'], now: expiresAt.getTime() + 1000 });
    assert.deepEqual([verdicts(), verdicts()], Array(2).fill(['expired', undefined, undefined]));
    t.mock.timers.reset();

    await store.revokeKey(revoked.id);
    const { key } = await addKey(store);
    assert.equal(ring.verify(key).refused, 'unknown');
    await eventuallyEqual(() => ring.verify(key).refused, undefined);
    assert.deepEqual([verdicts(), verdicts()], Array(2).fill([undefined, 'revoked', undefined]));
    await ring.stop();
  });

  it('asks the store about a key when the machine has been suspended, and accepts none that it cannot ask about', async (t) => {
    const { store, ring } = await open(t);
    const [{ key }, revoked] = [await addKey(store), await addKey(store)];
    await ring.start();
    const isOutdated = (text: string) => (ring.verify(text) as { isOutdated?: boolean }).isOutdated;
    assert.equal(isOutdated(key), false);
    await store.revokeKey(revoked.id);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + WITHIN_MS + 1 });
    assert.deepEqual([isOutdated(key), isOutdated(CONFIGURED)], [true, false]);
    assert.equal((await ring.verifyAgain(revoked.key)).refused, 'revoked');
    assert.equal(isOutdated(key), false, 'it was asked about all of them');
    t.mock.timers.tick(WITHIN_MS + 1);
    t.mock.method(store, 'listKeyChanges', () => Promise.reject(new Error('unavailable')));
    await assert.rejects(ring.verifyAgain(key), /unavailable/);
    t.mock.timers.reset();
    await ring.stop();
  });

  it('takes a slow answer of the store for no difference of the clocks', async (t) => {
    const { store } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
    const slow: Store = Object.create(store, {
      listKeyChanges: {
        value: (...args: Parameters<Store['listKeyChanges']>) =>
          store.listKeyChanges(...args).finally(() => t.mock.timers.tick(60_000)),
      },
    });
    const ring = new KeyVerifier(slow, [], EVENTS);
    await ring.start();
    assert.equal(ring.clockAheadMs, 0);
    await ring.stop();
  });

  it('never confuses a key with another accepted key', async (t) => {
    const { store, ring } = await open(t);
    const { key, id } = await addKey(store);
    await ring.start();
    assert.equal(keyIdOf(ring, key), id);
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

  it('stores nothing about unknown keys, regardless of how many are tried', async (t) => {
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
