import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { ApiError } from '../../src/contract/errors.ts';
import { limits } from '../../src/contract/limits.ts';
import { digestOf, generateKey } from '../../src/keys/format.ts';
import { type AuthenticatedKey, KeyVerifier } from '../../src/keys/verifier.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { rejects } from '../support/assert.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { heapUsed } from '../support/measure/heap.ts';
import { temporaryFolder } from '../support/service/service.ts';

const CONFIGURED = 'configured-key';
/** What was read longer ago may be wrong. */
const MAX_AGE_MS = 1000;

const EVENTS = {
  failed: (error: unknown) => assert.fail(String(error)),
  clockSkewed: () => assert.fail('there is one clock'),
};

/** A store, and a verifier of its keys that has not started. */
async function open(t: TestContext, database = 'sqlite::memory:') {
  const store = await openStore(database);
  const ring = new KeyVerifier(store, [CONFIGURED], EVENTS);
  t.after(async () => {
    await ring.stop();
    await store.close();
  });
  const refusals = (...keys: readonly { key: string }[]) => keys.map(({ key }) => ring.verify(key).refused);
  return { store, ring, refusals };
}

async function addKey(store: Store, expiresAt?: Date): Promise<{ key: string; id: string }> {
  const key = generateKey();
  const given = { name: 'till', digest: digestOf(key), scopes: ['pets:write'], expiresAt } as const;
  const { id } = await store.createKey(given);
  return { key, id };
}

function acceptedBy(ring: KeyVerifier, text: string): AuthenticatedKey {
  const verdict = ring.verify(text);
  assert.ok(verdict.refused === undefined, `${verdict.refused}`);
  return verdict.key;
}

function execute(file: string, sql: string): void {
  const db = new DatabaseSync(file, { timeout: 10_000 });
  db.exec(sql);
  db.close();
}

describe('The keys in memory', () => {
  it('are read in bounded parts, one per tick, and then only what has changed', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const { store, ring, refusals } = await open(t, `sqlite:${file}`);
    execute(
      file,
      `INSERT INTO api_keys (name, digest, created_at) WITH RECURSIVE n(i) AS
         (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT 'key', 'digest ' || i, 0 FROM n`,
    );
    const last = await addKey(store);
    let ticks = 0;
    let isCounting = true;
    const count = () => {
      ticks++;
      if (isCounting) setImmediate(count);
    };
    count();
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
    const keysRead = () => sizes.reduce((sum, size) => sum + size, 0);
    await ring.start();
    isCounting = false;
    assert.equal(keysRead(), 50_001);
    assert.ok(Math.max(...sizes) <= 1000, `${Math.max(...sizes)} keys at once`);
    assert.equal(new Set(tickOfRead).size, tickOfRead.length, 'two reads in one tick');
    assert.deepEqual(refusals(last), [undefined]);

    sizes.length = 0;
    await store.recordKeyUse([{ id: last.id, at: new Date() }]);
    await eventually(() => sizes.length > 0, 'they are read again');
    await store.revokeKey(last.id);
    await eventuallyEqual(() => refusals(last), ['revoked']);
    assert.equal(keysRead(), 1);
    assert.equal(listKeys.mock.callCount(), 0);
    await ring.stop();
  });

  it('follow what is deleted, replaced, changed and revoked, even if they were accepted before', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const { store, ring, refusals } = await open(t, `sqlite:${file}`);
    const add = () => addKey(store);
    const keys = [await add(), await add(), await add(), await add()] as const;
    const [deleted, replaced, revoked, changed] = keys;
    await ring.start();
    assert.deepEqual(refusals(...keys), [undefined, undefined, undefined, undefined]);
    execute(file, `DELETE FROM api_keys WHERE id = ${deleted.id}`);
    execute(file, `UPDATE api_keys SET digest = 'replaced' WHERE id = ${replaced.id}`);
    await store.revokeKey(revoked.id);
    await store.updateKey(changed.id, { scopes: ['store:read'] });
    await eventuallyEqual(() => refusals(...keys), ['unknown', 'unknown', 'revoked', undefined]);
    assert.deepEqual(acceptedBy(ring, changed.key).scopes, ['store:read']);
    await ring.stop();
  });

  it('are read again if the store has lost the latest changes, as in a failover', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const { store, ring, refusals } = await open(t, `sqlite:${file}`);
    const [kept, lost] = [await addKey(store), await addKey(store)];
    await ring.start();
    assert.deepEqual(refusals(kept, lost), [undefined, undefined]);
    execute(
      file,
      `BEGIN; DELETE FROM api_keys WHERE id = ${lost.id}; UPDATE key_removals SET removals = 0; COMMIT`,
    );
    await eventuallyEqual(() => refusals(kept, lost), [undefined, 'unknown']);
    await ring.stop();
  });

  it('have an id, a name, scopes and an expiry, and share what their scopes allow', async (t) => {
    const { store, ring } = await open(t);
    const expiresAt = new Date(Date.now() + 60_000);
    const [{ key, id }, other] = [await addKey(store, expiresAt), await addKey(store)];
    await ring.start();
    const { permissions, author, ...known } = acceptedBy(ring, key);
    assert.deepEqual(known, { id, name: 'till', scopes: ['pets:write'], expiresAt });
    assert.deepEqual(author, { keyId: id, keyName: 'till' });
    assert.deepEqual([...permissions], ['pets:read', 'pets:write']);
    assert.equal(acceptedBy(ring, other.key).permissions, permissions, 'one set for all of them');
  });

  it('are accepted beside configured ones, whose id reveals nothing; the latest use of stored ones is recorded', async (t) => {
    const { store, ring } = await open(t);
    const [used, unused, revoked] = [await addKey(store), await addKey(store), await addKey(store)];
    await store.revokeKey(revoked.id);
    await ring.start();
    const configured = acceptedBy(ring, CONFIGURED);
    assert.match(configured.id, /^env-[0-9a-f]{8}$/);
    const { id, name, scopes, expiresAt } = configured;
    assert.deepEqual([name, scopes, expiresAt], [id, ['*'], undefined]);
    assert.deepEqual(ring.verify(revoked.key), { keyId: revoked.id, refused: 'revoked' });
    acceptedBy(ring, used.key);
    const before = Date.now();
    assert.equal(acceptedBy(ring, used.key).id, used.id);
    const recorded = t.mock.method(store, 'recordKeyUse');
    await ring.stop();
    assert.equal(recorded.mock.calls[0]?.arguments[0].length, 1);
    const useOf = async (key: string) =>
      (await store.listKeys()).find(({ id }) => id === key)?.lastUsedAt?.getTime();
    const at = (await useOf(used.id)) ?? 0;
    assert.ok(at >= before && at <= Date.now(), `the last of its uses, not ${at}`);
    assert.equal(await useOf(unused.id), undefined);
  });

  it('expire by the clock of the store, and no slow answer is taken for a difference of the clocks', async (t) => {
    const { store, ring, refusals } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
    const { listKeyChanges } = store;
    t.mock.method(store, 'listKeyChanges', (after: number, limit: number) =>
      listKeyChanges(after, limit).finally(() => t.mock.timers.tick(60_000)),
    );
    const expiresAt = new Date(Date.now() + 120_000);
    const [expiring, valid] = [await addKey(store, expiresAt), await addKey(store)];
    await ring.start();
    assert.equal(ring.clockAheadMs, 0);
    assert.deepEqual(refusals(expiring, valid), [undefined, undefined]);
    t.mock.timers.setTime(expiresAt.getTime());
    for (const _ of 'twice') assert.deepEqual(refusals(expiring, valid), ['expired', undefined]);
  });

  it('are asked for again after a pause of the machine, and refused if they cannot be', async (t) => {
    const { store, ring } = await open(t);
    const [{ key }, revoked] = [await addKey(store), await addKey(store)];
    await ring.start();
    const isOutdated = (text: string) => (ring.verify(text) as { isOutdated?: boolean }).isOutdated;
    assert.equal(isOutdated(key), false);
    const later = performance.now() + MAX_AGE_MS + 1;
    const steady = t.mock.method(performance, 'now', () => later);
    assert.equal(isOutdated(key), true, 'also if the clock of the machine was set back meanwhile');
    steady.mock.restore();
    await store.revokeKey(revoked.id);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + MAX_AGE_MS + 1 });
    assert.deepEqual([isOutdated(key), isOutdated(CONFIGURED)], [true, false]);
    assert.equal((await ring.verifyAgain(revoked.key)).refused, 'revoked');
    assert.equal(isOutdated(key), false, 'it was asked about all of them');
    t.mock.timers.tick(MAX_AGE_MS + 1);
    t.mock.method(store, 'listKeyChanges', () => Promise.reject(new Error('unavailable')));
    await assert.rejects(ring.verifyAgain(key), /unavailable/);
  });

  it('leave no trace of unknown ones, regardless of how many are tried', async (t) => {
    const { ring } = await open(t);
    const tryMany = (prefix: string) => {
      for (let n = 0; n < 20_000; n++) ring.verify(`${prefix}${n}`.padEnd(100, 'x'));
    };
    tryMany('anst_');
    const before = heapUsed();
    tryMany('other');
    const grown = heapUsed() - before;
    assert.ok(grown < 1_000_000, `${grown} bytes more`);
  });
});

describe('A key that is not known yet', () => {
  /** A verifier that has read all keys, whose further reads wait until the test says what becomes of them. */
  async function openHeld(t: TestContext) {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { store, ring } = await open(t);
    await ring.start();
    const { promise, resolve: release, reject: fail } = Promise.withResolvers<void>();
    const { listKeyChanges } = store;
    const { mock: reads } = t.mock.method(store, 'listKeyChanges', async (after: number, limit: number) => {
      await promise;
      return listKeyChanges(after, limit);
    });
    return { ring, key: (await addKey(store)).key, reads, release, fail };
  }

  it('is looked up once for all that wait for it: a thousand at most', async (t) => {
    const { ring, key, reads, release } = await openHeld(t);
    const first = ring.verifyAgain(key);
    await nextTick();
    const others = Array.from({ length: limits.keyLookUps - 1 }, () => ring.verifyAgain(key));
    const refused = rejects(ring.verifyAgain(key), 'unavailable');
    release();
    await refused;
    for (const { refused } of await Promise.all([first, ...others])) assert.equal(refused, undefined);
    assert.equal(reads.callCount(), 2, 'the one that was under way, and one more');
    assert.equal((await ring.verifyAgain(generateKey())).refused, 'unknown');
  });

  it('is not looked up if it is mistyped or has another form', async (t) => {
    const { ring, key, reads } = await openHeld(t);
    const mistyped = key.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    assert.equal((await ring.verifyAgain(mistyped)).refused, 'mistyped');
    assert.equal((await ring.verifyAgain('of-another-service-altogether')).refused, 'unknown');
    assert.equal(reads.callCount(), 0);
  });

  it('is refused as soon as a look-up has failed, without waiting for a second one', async (t) => {
    const { ring, key, reads, fail } = await openHeld(t);
    const waiting = [ring.verifyAgain(key)];
    await nextTick();
    waiting.push(ring.verifyAgain(key));
    fail(new ApiError('unavailable', 'The database cannot be reached.'));
    await Promise.all(waiting.map((one) => rejects(one, 'unavailable')));
    assert.equal(reads.callCount(), 1);
    reads.restore();
    assert.equal((await ring.verifyAgain(key)).refused, undefined);
  });
});
