import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Author } from '../../../src/contract/event.ts';
import type { ApiKey, NewApiKey, Store } from '../../../src/store/store.ts';
import { rejects } from '../../support/assert.ts';
import { countOutcomes } from '../../support/service/two-instances.ts';
import type { Open } from '../conformance.ts';

/** A key of the configuration, which is not stored. */
const configured: Author = { keyId: 'env-0a1b2c3d', keyName: 'env-0a1b2c3d' };

const authorOf = ({ id, name }: ApiKey): Author => ({ keyId: id, keyName: name });

let keys = 0;
const digest = () => `digest ${keys++}`;

const addKey = (store: Store, key: Partial<NewApiKey> = {}, by?: Author): Promise<ApiKey> =>
  store.createKey({ name: 'till', digest: digest(), scopes: ['*'], ...key }, by);

const rotate = (store: Store, { id }: Pick<ApiKey, 'id'>, by?: Author) =>
  store.rotateKey(id, { digest: digest(), overlapMs: 3_600_000 }, by);

/** The ids of the keys that have created, replaced and revoked one. */
async function authorsOf(store: Store, { id }: ApiKey): Promise<(string | undefined)[]> {
  const { createdBy, rotatedBy, revokedBy } = (await store.getKey(id)) ?? {};
  return [createdBy, rotatedBy, revokedBy];
}

export function keyAuthors(open: Open): void {
  describe('changes API keys for the author of the change', () => {
    it('and records who has created, replaced and revoked each', async (t) => {
      const { store } = await open(t);
      const [owner, other] = [await addKey(store), await addKey(store)];
      assert.deepEqual(await authorsOf(store, owner), [undefined, undefined, undefined]);
      const till = await addKey(store, { scopes: ['pets:read'] }, authorOf(owner));
      const { created, replaced } = await rotate(store, till, authorOf(other));
      const revoked = await store.revokeKey(till.id, authorOf(owner));
      await store.revokeKey(till.id, authorOf(other));
      assert.deepEqual(
        [till.createdBy, created.createdBy, replaced.rotatedBy, revoked.revokedBy],
        [owner.id, other.id, other.id, owner.id],
      );
      assert.deepEqual(await authorsOf(store, till), [owner.id, other.id, owner.id]);
      assert.deepEqual(await authorsOf(store, created), [other.id, undefined, undefined]);
    });

    it('which may be a key of the configuration: it may do everything', async (t) => {
      const { store } = await open(t);
      const { created } = await rotate(store, await addKey(store, {}, configured), configured);
      await store.revokeKey(created.id, configured);
      assert.deepEqual(await authorsOf(store, created), [configured.keyId, undefined, configured.keyId]);
      await rejects(store.revokeKey('99', configured), 'key_not_found');
    });

    it('and changes nothing if that is a key that is revoked, expired or unknown', async (t) => {
      const { store } = await open(t);
      const [revoked, other] = [await addKey(store), await addKey(store)];
      const expired = await addKey(store, { expiresAt: new Date(Date.now() - 1000) });
      await store.revokeKey(revoked.id);
      const before = await store.listNewestKeys({ limit: 9 });
      for (const by of [authorOf(revoked), authorOf(expired), { keyId: '99', keyName: 'unknown' }])
        await Promise.all(
          [
            addKey(store, {}, by),
            rotate(store, other, by),
            rotate(store, { id: '99' }, by),
            store.updateKey(other.id, { name: 'mine' }, by),
            store.revokeKey(other.id, by),
            store.revokeKey(by.keyId, by),
          ].map((change) => rejects(change, 'unauthorized')),
        );
      assert.deepEqual(await store.listNewestKeys({ limit: 9 }), before);
    });

    it('so that of two keys that revoke each other, one remains', async (t) => {
      const { store } = await open(t);
      const [first, second] = [await addKey(store), await addKey(store)];
      await store.revokeKey(first.id, authorOf(second));
      await rejects(store.revokeKey(second.id, authorOf(first)), 'unauthorized');
      assert.equal((await store.getKey(second.id))?.revokedAt, undefined);
      for (let n = 0; n < 10; n++) {
        const [a, b] = [await addKey(store), await addKey(store)];
        const atOnce = [store.revokeKey(a.id, authorOf(b)), store.revokeKey(b.id, authorOf(a))];
        assert.deepEqual(countOutcomes(await Promise.allSettled(atOnce)), { ok: 1, unauthorized: 1 });
      }
    });

    it('which can replace one another at the same time, while their use is recorded', async (t) => {
      const { store } = await open(t);
      for (let n = 0; n < 5; n++) {
        const [a, b] = [await addKey(store), await addKey(store)];
        const uses = [b, a].map(({ id }) => ({ id, at: new Date() }));
        await Promise.all([
          rotate(store, a, authorOf(b)),
          rotate(store, b, authorOf(a)),
          store.recordKeyUse(uses),
        ]);
        assert.deepEqual(await authorsOf(store, a), [undefined, b.id, undefined]);
        assert.deepEqual(await authorsOf(store, b), [undefined, a.id, undefined]);
      }
    });

    it('in the given fields, and numbers the change', async (t) => {
      const { store } = await open(t);
      const admin = await addKey(store);
      const till = await addKey(store, { scopes: ['pets:write', 'store:write'] });
      const { latest } = await store.listKeyChanges(0, 100);
      const expiresAt = new Date(Date.now() + 3_600_000);
      const changed = await store.updateKey(
        till.id,
        { name: 'till 2', scopes: ['pets:read'], expiresAt },
        authorOf(admin),
      );
      assert.deepEqual(changed, {
        ...till,
        name: 'till 2',
        scopes: ['pets:read'],
        expiresAt,
        changedBy: admin.id,
      });
      const { keys } = await store.listKeyChanges(latest, 100);
      assert.deepEqual(
        keys.map(({ change, ...key }) => key),
        [changed],
      );
      const forever = await store.updateKey(till.id, { expiresAt: null });
      assert.deepEqual([forever.expiresAt, forever.changedBy], [undefined, undefined]);
      assert.deepEqual(await store.updateKey(till.id, {}, authorOf(admin)), forever);
      assert.deepEqual(await store.getKey(till.id), forever);
    });

    it('so that of two keys that narrow each other at once, the second no longer has the scopes', async (t) => {
      const { store } = await open(t);
      for (let round = 0; round < 10; round++) {
        const [a, b] = [await addKey(store), await addKey(store)];
        const results = await Promise.allSettled([
          store.updateKey(b.id, { scopes: ['keys:write'] }, authorOf(a)),
          store.updateKey(a.id, { scopes: ['keys:write'] }, authorOf(b)),
        ]);
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1, `round ${round}`);
      }
    });
  });
}
