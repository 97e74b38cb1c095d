import assert from 'node:assert/strict';
import { it } from 'node:test';
import postgres from 'postgres';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { listPets } from '../support/lists.ts';
import { petIn } from '../support/service/created.ts';
import { atOnce, openTwoInstances } from '../support/service/two-instances.ts';

const server = await createCluster();
await server.start();

it('an Idempotency-Key that has expired, used again on two instances at once, adds one animal', async (t) => {
  const url = await createDatabase(server);
  const stores = await openTwoInstances(t, url);
  const sql = postgres(url, { max: 1, connection: { search_path: 'animal_store' } });
  t.after(() => sql.end());
  const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;
  for (let attempt = 0; attempt < 30; attempt++) {
    const key = { owner: 'o', key: `${attempt}`, fingerprint: 'f' };
    await stores[0].createPet(rex, key);
    await sql`UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'`;
    const results = await atOnce(stores, 2, (store) => store.createPet(rex, key));
    const ids = results.map((result) =>
      result.status === 'fulfilled' ? petIn(result.value).id : result.reason,
    );
    assert.equal(ids[0], ids[1], 'the key was used twice');
  }
  assert.equal((await listPets(stores[0], { limit: 1000 })).length, 60);
});
