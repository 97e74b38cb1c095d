import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import postgres from 'postgres';
import { ApiError } from '../../src/contract/errors.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { listPets } from '../support/lists.ts';

const server = await createCluster();
await server.start();

/** A store whose server fails in its own way for an animal of this name. */
async function openFailing(t: TestContext, name: string, failure: string): Promise<Store> {
  const url = await createDatabase(server);
  const store = await openStore(url);
  t.after(() => store.close());
  const sql = postgres(url, { max: 1, connection: { search_path: 'animal_store' } });
  await sql.unsafe(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${failure}; RETURN new; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON pets FOR EACH ROW WHEN (new.name = '${name}') EXECUTE FUNCTION fail()`);
  await sql.end();
  return store;
}

const isNothingWritten = (error: unknown) =>
  error instanceof ApiError && error.code === 'unavailable' && /nothing was written/.test(error.message);

const isOutcomeUnknown = (error: unknown) => error instanceof ApiError && /not known/.test(error.message);

/** Creates animals at once, of which the one in the middle has the name. Returns the errors by name. The others are stored. */
async function createAround(store: Store, name: string, count = 100): Promise<Map<string, unknown>> {
  const middle = Math.floor(count / 2);
  const names = Array.from({ length: count }, (_, i) => (i === middle ? name : `pet ${i}`));
  const errors = new Map<string, unknown>();
  await Promise.all(
    names.map((name) =>
      store
        .createPet({ name, categoryId: 1n, status: 'available' })
        .catch((error: unknown) => errors.set(name, error)),
    ),
  );
  const stored = (await listPets(store, { limit: 100 })).map(({ name }) => name);
  const unknown = names.filter((other) => other !== name && isOutcomeUnknown(errors.get(other)));
  assert.deepEqual(
    stored.filter((name) => !unknown.includes(name)).toSorted(),
    names.filter((name) => !errors.has(name)).toSorted(),
  );
  return errors;
}

/** The error of the animal, which is the only one that was refused. */
async function refusalAmong(store: Store, name: string): Promise<unknown> {
  const errors = await createAround(store, name);
  assert.deepEqual([...errors.keys()], [name]);
  return errors.get(name);
}

describe('an animal that PostgreSQL refuses does not affect the others of its batch', () => {
  for (const [reason, failure] of [
    ['a deadlock', "RAISE 'deadlock detected' USING ERRCODE = '40P01'"],
    ['a conflict', "RAISE 'could not serialize access' USING ERRCODE = '40001'"],
  ] as const) {
    it(reason, async (t) => {
      const store = await openFailing(t, 'bad', failure);
      assert.ok(isNothingWritten(await refusalAmong(store, 'bad')));
    });
  }

  it('a statement that takes too long', async (t) => {
    const store = await openFailing(t, 'bad', 'PERFORM pg_sleep(60)');
    const errors = await createAround(store, 'bad', 25);
    assert.ok(errors.has('bad'));
    for (const error of errors.values())
      assert.ok(error instanceof ApiError && error.code === 'unavailable', String(error));
    // The writes of a batch are tried again in groups of five, and those of the group that takes too long one by one, for a limited time:
    // on a busy machine, the time can be over before the neighbours have had their turn.
    assert.ok(errors.size <= 5, [...errors.keys()].join(', '));
  });

  it('an error of the statement', async (t) => {
    const store = await openFailing(t, 'bad', "RAISE 'refused'");
    assert.match(String(await refusalAmong(store, 'bad')), /refused/);
  });

  it('a key that another transaction has locked', async (t) => {
    const url = await createDatabase(server);
    const store = await openStore(url);
    t.after(() => store.close());
    const sql = postgres(url, { max: 1 });
    t.after(() => sql.end());
    const pet = { name: 'Rex', categoryId: 1n, status: 'available' } as const;
    const results = await sql.begin(async (tx) => {
      await tx`INSERT INTO animal_store.idempotency_keys (owner, key, fingerprint, result) VALUES ('o', 'k', 'f', '')`;
      return Promise.allSettled([
        store.createPet(pet),
        store.createPet(pet, { owner: 'o', key: 'k', fingerprint: 'f' }),
        store.createPet(pet),
      ]);
    });
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.ok(results[1]?.status === 'rejected' && isNothingWritten(results[1].reason));
  });

  it('unless all of them fail: then the batch is not tried again and again', async (t) => {
    const url = await createDatabase(server);
    const store = await openStore(url);
    t.after(() => store.close());
    const sql = postgres(url, { max: 1 });
    t.after(() => sql.end());
    const results = await sql.begin(async (tx) => {
      await tx`LOCK TABLE animal_store.pets IN SHARE ROW EXCLUSIVE MODE`;
      return Promise.allSettled(
        Array.from({ length: 200 }, () =>
          store.createPet({ name: 'Rex', categoryId: 1n, status: 'available' }),
        ),
      );
    });
    assert.deepEqual(new Set(results.map(({ status }) => status)), new Set(['rejected']));
    for (const result of results)
      assert.ok(result.status === 'rejected' && isNothingWritten(result.reason), JSON.stringify(result));
    assert.equal((await listPets(store, { limit: 1 })).length, 0);
  });
});
