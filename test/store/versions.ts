import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { rejects } from '../support/assert.ts';
import { withMigrations } from '../support/database/added-migrations.ts';
import { storedEvents } from '../support/events/events.ts';
import { listPets } from '../support/lists.ts';
import { petIn } from '../support/service/created.ts';

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;
const CREATES = 200;

/** This version beside the one after it, which has a migration more, on the kind of database that `createUrl` makes. */
export function versionsSuite(
  kind: 'sqlite' | 'postgres',
  createUrl: (t: TestContext) => Promise<string>,
): void {
  describe('two versions beside each other', () => {
    it('both read and write before, while and after the newer one upgrades the database; one that is newer still ends that', async (t) => {
      const url = await createUrl(t);
      const open = async (...added: string[]): Promise<Store> => {
        const { folder } = await withMigrations(t, kind, ...added);
        const store = await openStore(url, { upgrade: true, ...(added.length > 0 && { folder }) });
        t.after(() => store.close());
        return store;
      };
      const old = await open();
      const { id } = petIn(await old.createPet(rex));
      const idempotencyKey = { owner: '1', key: 'k', fingerprint: 'f' };
      const writes = (async () => {
        for (let i = 0; i < CREATES; i++) await old.createPet({ ...rex, name: `${i}` });
      })();
      const next = await open('ALTER TABLE pets ADD COLUMN price integer');
      await writes;
      const again = await open();
      for (const [i, store] of [old, next, again].entries()) {
        const renamed = await store.updatePet(id, { name: 'Tom' }, { idempotencyKey });
        assert.equal(renamed.replayed, i > 0);
        await store.removePet(id, 'died');
        await store.restorePet(id);
        await store.ready();
      }
      assert.equal((await listPets(next, { limit: 1000 })).length, CREATES + 1);
      assert.deepEqual((await inspectStore(url)).problems, []);
      assert.equal((await storedEvents(old, CREATES + 8)).length, CREATES + 8);
      // Only the migrations are those of a newer version: what opens the database here is this one, which may not write any more.
      await open('ALTER TABLE pets ADD COLUMN price integer', 'CREATE TABLE added (n integer)').catch(
        () => {},
      );
      await rejects(old.createPet(rex), 'unavailable');
      await assert.rejects(open(), /was created by a newer version of this program/);
    });
  });
}
