import assert from 'node:assert/strict';
import { it } from 'node:test';
import postgres from 'postgres';
import { openStore } from '../../src/store/open.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { listPets } from '../support/lists.ts';
import { petIn } from '../support/service/created.ts';

const server = await createCluster();
await server.start();

/** One write of the batch fails, so that its parts are tried again in groups of two; another one is of an animal that cannot be changed. */
const FAILURES = `
  CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
  CREATE TRIGGER fail_create BEFORE INSERT ON pets FOR EACH ROW WHEN (new.name = 'bad') EXECUTE FUNCTION fail();
  CREATE TRIGGER fail_change BEFORE UPDATE ON pets FOR EACH ROW EXECUTE FUNCTION fail()`;

it('what a part of a batch has committed is not done again when the rest of that part fails', async (t) => {
  const url = await createDatabase(server);
  const store = await openStore(url);
  t.after(() => store.close());
  const sql = postgres(url, { max: 2, connection: { search_path: 'animal_store' } });
  t.after(() => sql.end());
  const pet = { name: 'locked', categoryId: 1n, status: 'available' } as const;
  const locked = petIn(await store.createPet(pet));
  await sql.unsafe(FAILURES);

  const { promise: isSeen, resolve: release } = Promise.withResolvers<void>();
  // Whoever waits for the row meanwhile finds another one in its place: then the write is decided anew.
  const replaced = sql.begin(async (tx) => {
    await tx`DELETE FROM pets WHERE id = ${`${locked.id}`}`;
    await isSeen;
    await tx`INSERT INTO pets (id, name, category_id, status, folded_name) VALUES (${`${locked.id}`}, 'locked', 1, 'available', 'locked')`;
  });
  await eventually(async () => {
    const [held] =
      await sql`SELECT 1 FROM pg_locks WHERE relation = 'pets'::regclass AND mode = 'RowExclusiveLock'`;
    return held !== undefined;
  }, 'the animal is locked');

  const results = Promise.allSettled([
    store.createPet({ ...pet, name: 'bad' }),
    store.createPet({ ...pet, name: 'first' }),
    store.updatePet(locked.id, { name: 'changed' }),
    store.createPet({ ...pet, name: 'second' }),
  ]);
  let isSettled = false;
  void results.then(() => {
    isSettled = true;
  });
  await eventually(async () => {
    const [waiting] = await sql`SELECT 1 FROM pg_locks WHERE NOT granted`;
    return waiting !== undefined || isSettled;
  }, 'a part of the batch waits for it');
  release();
  await replaced;

  assert.deepEqual(
    (await results).map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected', 'fulfilled'],
  );
  const names = (await listPets(store, { limit: 100 })).map(({ name }) => name).sort();
  assert.deepEqual(names, ['first', 'locked', 'second']);
});
