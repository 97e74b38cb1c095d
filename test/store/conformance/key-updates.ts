import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Scope } from '../../../src/contract/scope.ts';
import type { ApiKey, Store } from '../../../src/store/store.ts';
import { rejects } from '../../support/assert.ts';
import type { Open } from '../conformance.ts';

let number = 0;
const add = (store: Store, scopes: readonly Scope[], expiresAt?: Date): Promise<ApiKey> =>
  store.createKey({ name: 'till', digest: `digest ${number++} ${Math.random()}`, scopes, expiresAt });
const by = ({ id, name }: ApiKey) => ({ keyId: id, keyName: name });
const soon = () => new Date(Date.now() + 3_600_000);

export function keyUpdates(open: Open): void {
  describe('changes an API key', () => {
    it('in the given fields, says who did it, and numbers the change', async (t) => {
      const { store } = await open(t);
      const admin = await add(store, ['*']);
      const till = await add(store, ['pets:write', 'store:write']);
      const { latest } = await store.listKeyChanges(0, 100);
      const expiresAt = soon();
      const changed = await store.updateKey(
        till.id,
        { name: 'till 2', scopes: ['pets:read'], expiresAt },
        by(admin),
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
      assert.deepEqual(await store.updateKey(till.id, {}, by(admin)), forever);
      assert.deepEqual(await store.getKey(till.id), forever);
    });

    it('only with all scopes of the key, before and after', async (t) => {
      const { store } = await open(t);
      const manager = await add(store, ['keys:write', 'pets:write']);
      const [reader, clerk] = [
        await add(store, ['pets:read']),
        await add(store, ['pets:read', 'store:read']),
      ];
      assert.deepEqual(
        (await store.updateKey(reader.id, { scopes: ['pets:read', 'pets:write'] }, by(manager))).scopes,
        ['pets:read', 'pets:write'],
      );
      for (const scopes of [['store:read'], ['*'], ['keys:write', 'metrics:read']] as Scope[][])
        await rejects(store.updateKey(reader.id, { scopes }, by(manager)), 'insufficient_scope');
      await rejects(store.updateKey(clerk.id, { name: 'mine' }, by(manager)), 'insufficient_scope');
      // A key can narrow itself, and has less from then on, whatever services remember of it.
      await store.updateKey(manager.id, { scopes: ['keys:write'] }, by(manager));
      await rejects(store.updateKey(reader.id, { name: 'mine' }, by(manager)), 'insufficient_scope');
      await store.updateKey(manager.id, { scopes: ['keys:read'] }, by(manager));
      await rejects(store.updateKey(manager.id, { name: 'mine' }, by(manager)), 'insufficient_scope');
      await rejects(store.revokeKey(manager.id, by(manager)), 'insufficient_scope');
      assert.deepEqual((await store.getKey(clerk.id))?.name, 'till');
    });

    it('only while it works, and only by one that works', async (t) => {
      const { store } = await open(t);
      const [admin, gone] = [await add(store, ['*']), await add(store, ['*'])];
      const till = await add(store, ['pets:read']);
      await store.revokeKey(gone.id);
      await rejects(store.updateKey(till.id, { name: 'x' }, by(gone)), 'unauthorized');
      await rejects(store.updateKey(gone.id, { name: 'x' }, by(admin)), 'key_not_active');
      await rejects(store.updateKey('99999', { name: 'x' }, by(admin)), 'key_not_found');
      await rejects(store.updateKey('0x1', { name: 'x' }, by(admin)), 'key_not_found');
      const expired = await add(store, ['pets:read'], new Date(Date.now() - 1000));
      await rejects(store.updateKey(expired.id, { expiresAt: soon() }, by(admin)), 'key_not_active');
      await rejects(store.updateKey(till.id, { name: 'x' }, by(expired)), 'unauthorized');
    });

    it('so that of two that narrow each other at once, the second no longer has the scopes', async (t) => {
      const { store } = await open(t);
      for (let round = 0; round < 10; round++) {
        const [a, b] = [await add(store, ['*']), await add(store, ['*'])];
        const results = await Promise.allSettled([
          store.updateKey(b.id, { scopes: ['keys:write'] }, by(a)),
          store.updateKey(a.id, { scopes: ['keys:write'] }, by(b)),
        ]);
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1, `round ${round}`);
      }
    });
  });
}
