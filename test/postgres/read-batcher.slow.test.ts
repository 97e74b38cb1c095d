import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { encodeCursor } from '../../src/contract/cursor.ts';
import type { Pet } from '../../src/contract/pet.ts';
import { ReadBatcher } from '../../src/store/postgres/reads/read-batcher.ts';
import { anyPet } from '../store/conformance/animals.ts';
import { createDatabase, startCluster } from '../support/database/postgres.ts';
import { connect, type Sql } from '../support/database/sql.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, type Service, startService } from '../support/service/service.ts';

const server = await startCluster();

/** A service on a new database with so many animals, which it reads from `all_pets` if there is a condition on them. */
async function startWith(
  t: TestContext,
  animals: number,
  condition?: string,
): Promise<{ service: Service; sql: Sql }> {
  const database = await createDatabase(server);
  const service = await startService(t, { database });
  const sql = connect(t, database);
  await sql`
    INSERT INTO pets (name, folded_name, category_id, status)
    SELECT 'Rex ' || n, 'REX ' || n, n, 'available' FROM generate_series(1, ${animals}::int) AS n`;
  if (condition)
    await sql.unsafe(
      `ALTER TABLE pets RENAME TO all_pets; CREATE VIEW pets AS SELECT * FROM all_pets WHERE ${condition}`,
    );
  return { service, sql };
}

const comparable = ({ status, headers, text }: Answer) => ({ status, text, link: headers.get('link') });

const ANIMALS = 150;
const anyId = fc.integer({ min: 0, max: ANIMALS + 1 });
const anyStatus = fc.constantFrom(undefined, 'available', 'pending', 'sold');
/** Without what is undefined. */
const pathOf = (given: object) => `/v1/pets?${new URLSearchParams(JSON.parse(JSON.stringify(given)))}`;
const anyPage = fc
  .record({ status: anyStatus, limit: fc.constantFrom(undefined, 1, 7, 100), from: fc.option(anyId) })
  .map(({ status, limit, from }) => {
    const scope = status === undefined ? 'listPets' : `listPets&status,${status}`;
    const cursor = from === null ? undefined : encodeCursor(scope, { id: BigInt(from) });
    return pathOf({ status, limit, cursor });
  });
const anyCategory = fc
  .record({ categoryId: fc.nat(3), status: anyStatus, limit: fc.constantFrom(1, 7, 100) })
  .map(pathOf);
const anyPath = fc.oneof(
  { weight: 3, arbitrary: anyId.map((id) => `/v1/pets/${id}`) },
  { weight: 3, arbitrary: anyPage },
  { weight: 2, arbitrary: anyCategory },
  { weight: 1, arbitrary: anyId.map((id) => `/v1/pets?id=${id}&id=7`) },
  { weight: 1, arbitrary: fc.constantFrom('/v1/pets', '/v1/pets?name=r', '/v1/pets?cursor=wrong') },
  // The same page, with links of their own.
  { weight: 1, arbitrary: fc.constantFrom('/v1/pets?x=1', '/v1/pets?x=2', '/v1/pets?limit=20') },
);

describe('Reads that share a round trip to PostgreSQL', () => {
  it('return exactly what SQLite returns to one request after the other', async (t) => {
    const shared = await startService(t, { database: await createDatabase(server) });
    const sequential = await startService(t);
    for (const [i, pet] of fc.sample(anyPet, { numRuns: ANIMALS, seed: 1 }).entries()) {
      for (const { store } of [shared, sequential])
        await store.createPet({ ...pet, categoryId: BigInt(i % 3) });
    }
    await fc.assert(
      fc.asyncProperty(fc.array(anyPath, { minLength: 1, maxLength: 60 }), async (paths) => {
        const answers = await Promise.all(paths.map((path) => shared.call('GET', path)));
        for (const [i, path] of paths.entries()) {
          const expected = await sequential.call('GET', path);
          assert.deepEqual(comparable(answers[i] as Answer), comparable(expected), path);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('are few in a batch when what they return is large', async () => {
    const batches: number[] = [];
    const batcher = new ReadBatcher<number, string>({
      async read(queries) {
        batches.push(queries.length);
        return queries.map(() => 'x'.repeat(100_000));
      },
      keyOf: (query) => query,
      itemsOf: () => 20,
      sizeOf: ({ length }) => length,
    });
    for (let round = 0; round < 2; round++)
      await Promise.all(Array.from({ length: 10 }, (_, n) => batcher.add(n)));
    assert.deepEqual(batches, [10, 5, 5]);
  });

  it('by name run one at a time on two connections of their own, and fail alone', async (t) => {
    const { service, sql } = await startWith(t, 10);
    const [database] = await sql`SELECT current_database() AS name`;
    const watching = connect(t, server.url(database?.name));
    const pids = () => watching`SELECT pid FROM pg_locks WHERE relation = 'pets'::regclass AND NOT granted`;
    let results: Promise<PromiseSettledResult<unknown>[]> | undefined;
    await sql.begin(async (transaction) => {
      await transaction`LOCK TABLE pets IN ACCESS EXCLUSIVE MODE`;
      results = Promise.allSettled(
        Array.from({ length: 9 }, (_, n) => service.store.listPets({ limit: n + 1, name: 'rex' })),
      );
      await eventually(async () => (await pids()).length === 2, 'two searches are under way');
      const [one] = await pids();
      await watching`SELECT pg_sleep(0.2), pg_cancel_backend(${one?.pid})`;
      assert.ok((await pids()).length <= 2, 'not more at a time');
    });
    const failed = (await results)?.filter(({ status }) => status === 'rejected');
    assert.equal(failed?.length, 1);
  });

  it('never join a read that was sent before they were requested', async (t) => {
    const { service, sql } = await startWith(t, 3, 'id <> 1 OR pg_sleep(1) IS NOT NULL');
    const statusOf = ({ json }: Answer) => [json].flat().map((pet) => (pet as Pet).status);
    for (const path of ['/v1/pets/1', '/v1/pets?limit=3']) {
      await sql`UPDATE all_pets SET status = 'available'`;
      const early = service.call('GET', path);
      const sleeping = () => sql`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
      await eventually(async () => (await sleeping()).length > 0, 'the read has begun');
      await sql`UPDATE all_pets SET status = 'sold'`;
      const late = service.call('GET', path);
      assert.deepEqual(new Set(statusOf(await early)), new Set(['available']));
      assert.deepEqual(new Set(statusOf(await late)), new Set(['sold']));
    }
  });

  it('do not wait for, or fail with, a slow read', async (t) => {
    const { service } = await startWith(t, 300, 'id <> 5 OR pg_sleep(20) IS NOT NULL');
    // On a machine that is busy the others may take as long as the slow one; not again and again.
    await eventually(async () => {
      let isSettled = false;
      const slow = service.call('GET', '/v1/pets/5').finally(() => {
        isSettled = true;
      });
      const others = ['/v1/pets/6', '/v1/pets', '/v1/pets/7'].map((path) => service.call('GET', path));
      for (const { status } of await Promise.all(others)) assert.equal(status, 200);
      const wereFaster = !isSettled;
      assert.equal((await slow).status, 503);
      return wereFaster;
    }, 'the others do not wait for the slow read');
  });

  it('are refused at once when too many wait', async (t) => {
    const { service, sql } = await startWith(t, 2000);
    const { store } = service;
    const { accepted } = await sql.begin(async (transaction) => {
      await transaction`LOCK TABLE pets IN ACCESS EXCLUSIVE MODE`;
      const accepted = Array.from({ length: 2000 }, (_, i) => store.getPet(BigInt(i + 1)));
      await assert.rejects(store.getPet(2001n), { code: 'unavailable' });
      return { accepted };
    });
    assert.ok((await Promise.all(accepted)).every((pet, i) => pet?.id === BigInt(i + 1)));
  });

  it('do not fail with a read that the server refuses', async (t) => {
    const { service } = await startWith(t, 300, 'id <> 100 OR 1 / (id - 100) IS NOT NULL');
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const id = i + 20;
        const cursor = encodeCursor('listPets', { id: BigInt(id) });
        const [one, page] = await Promise.all([
          service.call('GET', `/v1/pets/${id}`),
          service.call('GET', `/v1/pets?limit=9&cursor=${cursor}`),
        ]);
        assert.equal(one.status, id === 100 ? 500 : 200, `animal ${id}`);
        // The page reads one animal more than it has.
        assert.equal(page.status, id - 9 <= 100 && id >= 100 ? 500 : 200, `the page from animal ${id}`);
      }),
    );
  });
});
