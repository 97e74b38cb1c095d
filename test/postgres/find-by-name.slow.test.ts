import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import postgres from 'postgres';
import { openStore } from '../../src/store/open.ts';
import { petTable } from '../../src/store/postgres/pets.ts';
import { searchReader } from '../../src/store/postgres/reads/pages.ts';
import { StoreError } from '../../src/store/store.ts';
import { explaining } from '../support/explain.ts';
import { listPets } from '../support/lists.ts';
import { createCluster, createDatabase } from '../support/postgres.ts';

const server = await createCluster();
await server.start();

/** A database with its schema, and a connection to it. */
async function prepare(t: TestContext): Promise<{ url: string; sql: postgres.Sql }> {
  const url = await createDatabase(server);
  await (await openStore(url)).close();
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: 'animal_store' } });
  t.after(() => sql.end());
  return { url, sql };
}

describe('Finding by name in PostgreSQL', () => {
  it('reads only ranges of the index, on every page, even for animals with the same name', async (t) => {
    const { sql } = await prepare(t);
    await sql`
      INSERT INTO pets (name, category_id, status, folded_name)
      SELECT 'Rex', 1, CASE n % 2 WHEN 0 THEN 'sold' ELSE 'available' END, 'REX' FROM generate_series(1, 100000) AS n`;
    await sql`ANALYZE pets`;
    const { db, plan } = explaining(sql);
    const readNamePage = searchReader(petTable);
    for (const from of [undefined, { id: 90_000n, nameKey: 'REX' }]) {
      for (const status of [undefined, 'sold'] as const) {
        await readNamePage(db, { limit: 20, name: 're', status, from });
        assert.match(plan(), /Index Scan using pets_by_name/);
        assert.doesNotMatch(plan(), /Seq Scan|Removed by Filter: \d{3}|rows=\d{4,}[.\d]* loops/, plan());
      }
    }
  });

  it('finds animals without a name key after a restart, even if an earlier start was interrupted', async (t) => {
    const { url, sql } = await prepare(t);
    await sql`
      INSERT INTO pets (name, category_id, status) SELECT 'Rex ' || n, 1, 'sold' FROM generate_series(1, 5000) AS n`;
    await sql.unsafe(`
      CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'interrupted'; END $$;
      CREATE TRIGGER stop BEFORE UPDATE ON pets FOR EACH ROW WHEN (new.id = 4500) EXECUTE FUNCTION stop()`);
    await assert.rejects(
      openStore(url),
      (error) => error instanceof StoreError && /interrupted/.test(error.message),
    );
    const missing = async () =>
      Number((await sql`SELECT count(*) FROM pets WHERE folded_name IS NULL`)[0]?.count);
    assert.equal(await missing(), 1000, 'the finished batches are stored');
    await sql`DROP TRIGGER stop ON pets`;
    const store = await openStore(url);
    t.after(() => store.close());
    assert.equal(await missing(), 0);
    const [pet] = await listPets(store, { limit: 1, name: 'rex 4999' });
    assert.equal(pet?.name, 'Rex 4999');
  });
});
