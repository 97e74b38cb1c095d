import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import type { Author } from '../../../src/contract/event.ts';
import type { ApiKey, NewApiKey, Store } from '../../../src/store/store.ts';
import { rejects } from '../../support/assert.ts';
import { petIn } from '../../support/service/created.ts';
import { countOutcomes } from '../../support/service/two-instances.ts';
import type { Capabilities, Open } from '../conformance.ts';

const till: NewApiKey = { name: 'till 3 – été 🐶', digest: 'a'.repeat(64), scopes: ['*'] };
const temporary: NewApiKey = {
  name: 'temporary',
  digest: 'b'.repeat(64),
  scopes: ['pets:read', 'store:write'],
  expiresAt: new Date('2037-03-04T05:06:07.089Z'),
};

const rex = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
/** A key of the configuration, which is not stored. */
const configured: Author = { keyId: 'env-0a1b2c3d', keyName: 'env-0a1b2c3d' };

const authorOf = ({ id, name }: ApiKey): Author => ({ keyId: id, keyName: name });

let keyCount = 0;
const newDigest = () => `digest ${keyCount++}`;

const addKey = (store: Store, key: Partial<NewApiKey> = {}, by?: Author): Promise<ApiKey> =>
  store.createKey({ ...till, digest: newDigest(), ...key }, by);

const rotate = (store: Store, { id }: Pick<ApiKey, 'id'>, by?: Author) =>
  store.rotateKey(id, { digest: newDigest(), overlapMs: 3_600_000 }, by);

const keyIn = async (store: Store, key: ApiKey) => (await store.listKeys()).find(({ id }) => id === key.id);

const assertNow = (date: Date | undefined, since: number) =>
  assert.ok(date && date.getTime() >= since && date.getTime() <= Date.now(), `${date} is now`);

export function keys(open: Open, { persistent }: Capabilities): void {
  describe('stores API keys', () => {
    it('with the given name, digest, scopes and expiry, each with its own id, and lists them', async (t) => {
      const { store } = await open(t);
      assert.deepEqual(await store.listKeys(), []);
      const created: ApiKey[] = [];
      for (const given of [till, temporary, { ...till, digest: 'c' }]) {
        const before = Date.now();
        const key = await store.createKey(given);
        const { id, createdAt, ...rest } = key;
        assert.deepEqual(rest, given);
        assertNow(createdAt, before);
        created.unshift(key);
      }
      const [newest, second, oldest] = created as [ApiKey, ApiKey, ApiKey];
      assert.equal(new Set(created.map(({ id }) => id)).size, 3);
      assert.deepEqual(await store.listKeys(), [oldest, second, newest]);
      assert.deepEqual(await store.listNewestKeys({ limit: 9 }), created);
      assert.deepEqual(await store.listNewestKeys({ limit: 1 }), [newest]);
      const from = { id: BigInt(second.id) };
      assert.deepEqual(await store.listNewestKeys({ limit: 2, from }), [second, oldest]);
    });

    it('and finds none by an id that is written in another way', async (t) => {
      const { store } = await open(t);
      const { id: one } = await addKey(store);
      const variants = [`0${one}`, ` ${one}`, `${one}.0`, `${one}e0`, `+${one}`];
      for (const id of ['', 'x', '0', '-1', '99', '9'.repeat(40), "' OR 1=1", ...variants]) {
        await rejects(store.revokeKey(id), 'key_not_found');
        await rejects(store.updateKey(id, { name: 'x' }), 'key_not_found');
        await rejects(rotate(store, { id }), 'key_not_found');
      }
    });

    it('and their changes, each with its author', async (t) => {
      const { store } = await open(t);
      const [owner, other] = [await addKey(store), await addKey(store)];
      const { latest } = await store.listKeyChanges(0, 1);
      const old = await addKey(store, temporary, authorOf(owner));
      assert.equal(old.createdBy, owner.id);

      const expiresAt = new Date(Date.now() + 3_600_000);
      const changes = { name: 'till 2', scopes: ['pets:read'], expiresAt } as const;
      const updated = await store.updateKey(old.id, changes, authorOf(other));
      assert.deepEqual(updated, { ...old, ...changes, changedBy: other.id });
      assert.deepEqual(await store.updateKey(old.id, {}, authorOf(owner)), updated);
      assert.equal((await store.updateKey(old.id, { expiresAt: null })).expiresAt, undefined);

      const before = Date.now();
      const rotation = { digest: 'd', lifetimeMs: 90_000, overlapMs: 30_000 };
      const { created, replaced } = await store.rotateKey(old.id, rotation, authorOf(other));
      const { id, createdAt } = created;
      assertNow(createdAt, before);
      const lifetime = { createdAt, expiresAt: new Date(createdAt.getTime() + 90_000) };
      const { name, scopes } = changes;
      assert.deepEqual(created, { id, name, scopes, digest: 'd', ...lifetime, createdBy: other.id });
      const { changedBy, ...unchanged } = updated;
      const end = new Date(createdAt.getTime() + 30_000);
      assert.deepEqual(replaced, { ...unchanged, expiresAt: end, replacedBy: id, rotatedBy: other.id });

      const revoked = await store.revokeKey(old.id, authorOf(owner));
      assertNow(revoked.revokedAt, createdAt.getTime());
      assert.deepEqual(revoked, { ...replaced, revokedAt: revoked.revokedAt, revokedBy: owner.id });
      await sleep(5);
      assert.deepEqual(await store.revokeKey(old.id, authorOf(other)), revoked);
      assert.deepEqual(await store.listKeys(), [owner, other, revoked, created]);
      const { keys } = await store.listKeyChanges(latest, 100);
      assert.deepEqual(
        keys.map(({ change, ...key }) => key),
        [created, revoked],
        'running services learn of them',
      );
    });

    it('and changes them for a key of the configuration, and for the last one itself', async (t) => {
      const { store } = await open(t);
      const only = await addKey(store, {}, configured);
      assert.equal(only.createdBy, configured.keyId);
      const { created } = await rotate(store, only, authorOf(only));
      await store.revokeKey(only.id, configured);
      assert.equal((await store.revokeKey(created.id, authorOf(created))).revokedBy, created.id);
    });

    it('and changes nothing for a key that is revoked, expired or unknown, or lacks a scope', async (t) => {
      const { store } = await open(t);
      const [revoked, other] = [await addKey(store), await addKey(store)];
      const expired = await addKey(store, { expiresAt: new Date(Date.now() - 1000) });
      const narrow = await addKey(store, { scopes: ['keys:write', 'pets:read'] });
      await store.revokeKey(revoked.id);
      const before = await store.listKeys();
      for (const [by, code] of [
        [authorOf(revoked), 'unauthorized'],
        [authorOf(expired), 'unauthorized'],
        [{ keyId: '99', keyName: 'unknown' }, 'unauthorized'],
        [authorOf(narrow), 'insufficient_scope'],
      ] as const)
        await Promise.all(
          [
            addKey(store, {}, by),
            rotate(store, other, by),
            store.updateKey(other.id, { name: 'mine' }, by),
            store.revokeKey(other.id, by),
          ].map((change) => rejects(change, code)),
        );
      assert.deepEqual(await store.listKeys(), before);
    });

    const races: Record<string, (store: Store, target: ApiKey, by: ApiKey) => Promise<unknown>> = {
      revoke: (store, { id }, by) => store.revokeKey(id, authorOf(by)),
      narrow: (store, { id }, by) => store.updateKey(id, { scopes: ['keys:write'] }, authorOf(by)),
    };
    for (const [what, change] of Object.entries(races))
      it(`so that of two keys that ${what} each other at once, one succeeds`, async (t) => {
        const { store } = await open(t);
        const code = what === 'revoke' ? 'unauthorized' : 'insufficient_scope';
        for (let round = 0; round < 10; round++) {
          const [a, b] = [await addKey(store), await addKey(store)];
          const results = await Promise.allSettled([change(store, a, b), change(store, b, a)]);
          assert.deepEqual(countOutcomes(results), { ok: 1, [code]: 1 }, `round ${round}`);
        }
      });

    it('and replaces two by each other at once, while their use is recorded, but each only once', async (t) => {
      const { store } = await open(t);
      for (let round = 0; round < 5; round++) {
        const [a, b] = [await addKey(store), await addKey(store)];
        const uses = [b, a].map(({ id }) => ({ id, at: new Date() }));
        const rotations = [rotate(store, a, authorOf(b)), rotate(store, b, authorOf(a)), rotate(store, a)];
        const [results] = await Promise.all([Promise.allSettled(rotations), store.recordKeyUse(uses)]);
        assert.deepEqual(countOutcomes(results), { ok: 2, key_not_active: 1 });
        assert.equal((await keyIn(store, b))?.rotatedBy, a.id);
      }
      assert.equal((await store.listKeys()).length, 20);
    });

    it('and the latest use of each, which never moves back in time', async (t) => {
      const { store } = await open(t);
      const [one, other] = [await addKey(store), await addKey(store)];
      const [early, middle, late] = [1, 2, 3].map((day) => new Date(`2026-11-0${day}T12:00:00.123Z`)) as [
        Date,
        Date,
        Date,
      ];
      for (const [at, expected] of [
        [middle, middle],
        [early, middle],
        [late, late],
        [middle, late],
      ] as const) {
        await store.recordKeyUse([{ id: one.id, at }]);
        assert.deepEqual(await keyIn(store, one), { ...one, lastUsedAt: expected });
      }
      assert.deepEqual(await keyIn(store, other), other);
      await store.recordKeyUse([]);
      await store.recordKeyUse([
        { id: 'unknown', at: late },
        { id: other.id, at: early },
      ]);
      assert.deepEqual(await keyIn(store, other), { ...other, lastUsedAt: early });
    });
  });

  describe('lists changes of API keys', () => {
    it('with each key once, in the order of its latest change, page by page; its use is no change', async (t) => {
      const { store } = await open(t);
      const { now, ...none } = await store.listKeyChanges(0, 10);
      assert.deepEqual(none, { keys: [], latest: 0, removals: 0 });
      assert.ok(Math.abs(now.getTime() - Date.now()) < 10_000, 'the clock of the store');
      const [a, b, c] = [await addKey(store), await addKey(store), await addKey(store)];
      const revoked = await store.revokeKey(a.id);
      const used = { id: b.id, at: new Date() };
      await store.recordKeyUse([used]);
      await store.createPet(rex);
      await store.createOrder({ petId: 1n });
      await store.ready();
      const first = await store.listKeyChanges(0, 2);
      const second = await store.listKeyChanges(first.keys[1]?.change ?? 0, 2);
      const all = [...first.keys, ...second.keys];
      const numbers = all.map(({ change }) => change);
      assert.deepEqual(
        all.map(({ change, ...key }) => key),
        [{ ...b, lastUsedAt: used.at }, c, revoked],
      );
      assert.ok(numbers.every((number, i) => number > (numbers[i - 1] ?? 0)));
      assert.deepEqual([first.latest, second.latest, first.removals], [numbers[2], numbers[2], 0]);
      const { now: later, ...after } = await store.listKeyChanges(first.latest, 10);
      assert.deepEqual(after, { keys: [], latest: first.latest, removals: 0 });
    });

    it('in the order in which they become visible, during concurrent changes', async (t) => {
      const { store } = await open(t);
      const seen: string[] = [];
      let after = 0;
      const look = async () => {
        const { keys } = await store.listKeyChanges(after, 1000);
        seen.push(...keys.map(({ id }) => id));
        after = keys.at(-1)?.change ?? after;
      };
      let creating = true;
      const creates = Promise.all(Array.from({ length: 20 }, () => addKey(store))).finally(() => {
        creating = false;
      });
      while (creating) {
        await look();
        await nextTick();
      }
      await look();
      assert.deepEqual(seen.toSorted(), (await creates).map(({ id }) => id).toSorted());
    });
  });

  describe('creates a first key', () => {
    it('in a new store, which a readiness check leaves new: exactly one for any number of calls at once', async (t) => {
      const { store } = await open(t);
      await store.ready();
      const calls = Array.from({ length: 20 }, () =>
        store.createFirstKey({ name: 'first key', digest: newDigest() }),
      );
      const created = (await Promise.all(calls)).filter((key) => key !== undefined);
      assert.equal(created.length, 1);
      assert.deepEqual(created[0]?.scopes, ['*']);
      assert.deepEqual(await store.listKeys(), created);
    });

    const used: Record<string, (store: Store) => Promise<unknown>> = {
      'a key, even a revoked one': async (store) => store.revokeKey((await addKey(store)).id),
      'an animal': (store) => store.createPet(rex),
      'an animal that was removed': async (store) => store.removePet(petIn(await store.createPet(rex)).id),
    };
    for (const [what, use] of Object.entries(used)) {
      it(`never in a store that has contained ${what}`, async (t) => {
        const { store, reopen } = await open(t);
        await use(store);
        assert.equal(await store.createFirstKey(temporary), undefined);
        const again = persistent ? await reopen() : store;
        assert.equal(await again.createFirstKey(temporary), undefined);
      });
    }
  });
}
