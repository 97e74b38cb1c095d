import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiKey, NewApiKey, Store } from '../../../src/store/store.ts';
import { rejects } from '../../support/assert.ts';
import type { Capabilities, Open } from '../conformance.ts';

const till: NewApiKey = { name: 'till 3 – été 🐶', digest: 'a'.repeat(64), scopes: ['*'] };
const temporary: NewApiKey = {
  name: 'temporary',
  digest: 'b'.repeat(64),
  scopes: ['pets:read', 'store:write'],
  expiresAt: new Date('2027-03-04T05:06:07.089Z'),
};

const assertAbout = (date: Date | undefined, expected: number) =>
  assert.ok(Math.abs((date?.getTime() ?? 0) - expected) < 60_000, `${date}`);

const byId = (keys: ApiKey[]) => keys.toSorted((a, b) => a.id.localeCompare(b.id));

/** A field that is undefined and one that is absent mean the same. */
const present = (key: ApiKey) =>
  Object.fromEntries(Object.entries(key).filter(([, value]) => value !== undefined));

const keyIn = async (store: Store, id: string) => (await store.listKeys()).find((key) => key.id === id);

export function keys(open: Open, { persistent }: Capabilities): void {
  describe('stores API keys', () => {
    it('with the given name, digest, scopes and dates, each with its own id', async (t) => {
      const { store } = await open(t);
      assert.deepEqual(await store.listKeys(), []);
      const before = Date.now();
      const created = [await store.createKey(till), await store.createKey(temporary)];
      for (const [i, { id, createdAt, ...rest }] of created.entries()) {
        assert.match(id, /^\S+$/);
        assert.ok(createdAt.getTime() >= before && createdAt.getTime() <= Date.now(), 'created just now');
        assert.deepEqual(rest, [till, temporary][i]);
      }
      assert.notEqual(created[0]?.id, created[1]?.id);
      assert.deepEqual(byId(await store.listKeys()), byId(created));
    });

    it('and finds one by its id, and pages of them newest first', async (t) => {
      const { store } = await open(t);
      const created: ApiKey[] = [];
      for (let n = 0; n < 5; n++) created.unshift(await store.createKey({ ...temporary, digest: `${n}` }));
      const [newest, second] = created as [ApiKey, ApiKey];
      assert.deepEqual(await store.getKey(second.id), second);
      const variants = [
        `0${second.id}`,
        ` ${second.id}`,
        `${second.id}.0`,
        `${second.id}e0`,
        `+${second.id}`,
      ];
      for (const id of ['', 'x', '0', '-1', '99', '9'.repeat(40), "' OR 1=1", ...variants]) {
        assert.equal(await store.getKey(id), undefined, JSON.stringify(id));
        await rejects(store.revokeKey(id), 'key_not_found');
      }
      assert.deepEqual(await store.listNewestKeys({ limit: 1 }), [newest]);
      assert.deepEqual(await store.listNewestKeys({ limit: 9 }), created);
      const from = { id: BigInt(second.id) };
      assert.deepEqual(await store.listNewestKeys({ limit: 2, from }), created.slice(1, 3));
    });

    it('and revokes a key permanently; a second revocation does not change the date', async (t) => {
      const { store } = await open(t);
      const key = await store.createKey(till);
      const other = await store.createKey(temporary);
      const before = Date.now();
      const revoked = await store.revokeKey(key.id);
      const at = revoked.revokedAt;
      assert.ok(at && at.getTime() >= before && at.getTime() <= Date.now(), 'revoked just now');
      assert.deepEqual(present(revoked), { ...key, revokedAt: at });
      await sleep(5);
      assert.deepEqual(present(await store.revokeKey(key.id)), present(revoked));
      assert.deepEqual(byId(await store.listKeys()), byId([{ ...key, revokedAt: at }, other]));
    });

    it('and replaces an active key by one of the same name, without ever extending an expiry', async (t) => {
      const { store } = await open(t);
      const unlimited = await store.createKey(till);
      const limited = await store.createKey({ ...temporary, expiresAt: new Date(Date.now() + 3_600_000) });
      const changes = await store.listKeyChanges(0, 100);
      const DAY = 86_400_000;

      const first = await store.rotateKey(unlimited.id, { digest: 'c'.repeat(64), overlapMs: DAY });
      const { expiresAt } = first.replaced;
      assert.deepEqual(present(first.replaced), { ...unlimited, expiresAt, replacedBy: first.created.id });
      assertAbout(expiresAt, Date.now() + DAY);
      const { id, createdAt, ...created } = first.created;
      assert.deepEqual(created, { name: till.name, digest: 'c'.repeat(64), scopes: till.scopes });
      const second = await store.rotateKey(limited.id, {
        digest: 'd'.repeat(64),
        lifetimeMs: 90 * DAY,
        overlapMs: DAY,
      });
      assert.deepEqual(present(second.replaced), { ...limited, replacedBy: second.created.id });
      assert.deepEqual(second.created.scopes, temporary.scopes);
      assertAbout(second.created.expiresAt, Date.now() + 90 * DAY);
      const third = await store.rotateKey(second.created.id, { digest: 'e'.repeat(64), overlapMs: DAY });
      assertAbout(third.created.expiresAt, Date.now() + 90 * DAY);
      assert.deepEqual(
        byId(await store.listKeys()),
        byId([first.replaced, first.created, second.replaced, third.replaced, third.created]).map(present),
      );

      const { keys } = await store.listKeyChanges(changes.latest, 100);
      const numbers = keys.map(({ change }) => change);
      assert.equal(new Set(numbers).size, numbers.length, 'each change has its own number');
      for (const key of [first.replaced, first.created, second.created])
        assert.ok(
          keys.some((changed) => changed.id === key.id),
          'running services learn of it',
        );
    });

    it('and gives no replacement an expiry after the year 9999', async (t) => {
      const { store } = await open(t);
      const latest = new Date('9999-12-31T23:59:59.999Z');
      const { id } = await store.createKey({ ...temporary, expiresAt: latest });
      // Valid for as long as the old key was when it was created, which was a moment earlier.
      await sleep(10);
      const rotated = await store.rotateKey(id, { digest: 'c'.repeat(64), overlapMs: 1000 });
      assert.deepEqual(rotated.created.expiresAt, latest);
      assert.deepEqual(await keyIn(store, rotated.created.id), rotated.created);
    });

    it('and the latest use of each, which never moves back in time', async (t) => {
      const { store } = await open(t);
      const { id } = await store.createKey(till);
      const other = await store.createKey(temporary);
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
        await store.recordKeyUse([{ id, at }]);
        assert.deepEqual((await keyIn(store, id))?.lastUsedAt, expected);
      }
      assert.deepEqual(await keyIn(store, other.id), other);
      await store.recordKeyUse([]);
      await store.recordKeyUse([
        { id: 'unknown', at: late },
        { id: other.id, at: early },
      ]);
      assert.deepEqual(await keyIn(store, other.id), { ...other, lastUsedAt: early });
    });
  });

  describe('creates a first key', () => {
    it('in a new store, exactly one for any number of concurrent calls', async (t) => {
      const { store } = await open(t);
      const calls = Array.from({ length: 20 }, (_, i) =>
        store.createFirstKey({ ...till, digest: `digest ${i}` }),
      );
      const created = (await Promise.all(calls)).filter((key) => key !== undefined);
      assert.equal(created.length, 1);
      assert.deepEqual(created[0]?.scopes, ['*']);
      assert.equal(await store.createFirstKey(temporary), undefined);
      assert.deepEqual(await store.listKeys(), created);
    });

    it('after a readiness check, which stores nothing', async (t) => {
      const { store } = await open(t);
      await store.ready();
      assert.notEqual(await store.createFirstKey(till), undefined);
    });

    const used: Record<string, (store: Store) => Promise<unknown>> = {
      'a key': (store) => store.createKey(till),
      'a key that is revoked': async (store) => store.revokeKey((await store.createKey(till)).id),
      'an animal': (store) => store.createPet({ name: 'Rex', categoryId: 7n, status: 'sold' }),
    };
    for (const [what, use] of Object.entries(used)) {
      it(`never in a store that has contained ${what}`, async (t) => {
        const { store, reopen } = await open(t);
        await use(store);
        assert.equal(await store.createFirstKey(temporary), undefined);
        const again = persistent ? await reopen() : store;
        assert.equal(await again.createFirstKey(temporary), undefined);
        assert.ok((await again.listKeys()).every(({ name }) => name !== temporary.name));
      });
    }
  });
}
