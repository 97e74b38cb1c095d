import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import postgres, { type Sql } from 'postgres';
import type { NewPet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import type { Result, Store } from '../../src/store/store.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import { untilBlocked } from '../support/database/blocked.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { listPets } from '../support/lists.ts';
import { petsIn } from '../support/service/created.ts';
import { countOutcomes } from '../support/service/two-instances.ts';

const server = await createCluster();
await server.start();

const IMPORTED = 50;
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' };

async function start(t: TestContext): Promise<{ url: string; store: Store; sql: Sql }> {
  const url = await createDatabase(server);
  const store = await openStore(url);
  const sql = postgres(url, { max: 2, connection: { search_path: 'animal_store' } });
  t.after(async () => {
    await store.close();
    await sql.end();
  });
  return { url, store, sql };
}

const importedPets = async function* () {
  yield Array.from({ length: IMPORTED }, (_, i) => ({ ...rex, id: BigInt(i + 1) }));
};

describe('animals that are added during the last step of an import that keeps ids', () => {
  /** The operations alone: one that waits for another in a batch would hide what it does itself. */
  const creates: readonly [name: string, create: (store: Store) => Promise<Result>][] = [
    ['createPet', (store) => store.createPet(rex)],
    ['createPet with an idempotency key', (store) => store.createPet(rex, { idempotencyKey })],
    ['createPets', (store) => store.createPets([rex, rex, rex])],
    ['createPets with an idempotency key', (store) => store.createPets([rex, rex, rex], { idempotencyKey })],
  ];
  const idempotencyKey = { owner: '1', key: 'k', fingerprint: 'f' };

  for (const [name, create] of creates)
    it(`get ids after those of the import: ${name}`, async (t) => {
      const { url, store, sql } = await start(t);
      let imported: Promise<unknown> | undefined;
      let created: Promise<PromiseSettledResult<Result>[]> | undefined;
      // The import stops where it writes its event, after its animals and before its commit.
      await sql.begin(async (other) => {
        await other`LOCK TABLE events IN SHARE MODE`;
        imported = importPets(url, importedPets(), { keepIds: true });
        // It is awaited below, and must not count as unhandled if it fails before.
        imported.catch(() => {});
        await untilBlocked(sql);
        let isSettled = false;
        created = Promise.allSettled([create(store)]).finally(() => (isSettled = true));
        // The create waits for the import, or is refused.
        await untilBlocked(sql, 2, () => isSettled);
      });
      await imported;
      const outcomes = countOutcomes((await created) ?? []);
      // Unavailable is fine, too: the client can repeat it.
      assert.ok(outcomes.ok === 1 || outcomes.unavailable === 1, JSON.stringify(outcomes));
      const again = petsIn(await store.createPets([rex, rex]));
      const pets = await listPets(store, { limit: 1000 });
      const added = pets.filter(({ id }) => id > IMPORTED);
      assert.equal(pets.length, IMPORTED + added.length);
      assert.deepEqual(
        added.slice(0, 2).map(({ id }) => id),
        again.map(({ id }) => id).reverse(),
      );
      const expected = outcomes.ok === undefined ? 0 : name.startsWith('createPets') ? 3 : 1;
      assert.equal(added.length, expected + 2);
    });
});
