import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../src/contract/errors.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { actionsOn, run, type Write } from '../../src/store/actions.ts';
import { openStore } from '../../src/store/open.ts';
import type { Db } from '../../src/store/postgres/pool/connection.ts';
import { onConnection } from '../../src/store/postgres/transaction.ts';
import { parseUrl } from '../../src/store/postgres/url.ts';
import { load } from '../../src/store/postgres/writer/load.ts';
import { LOCK_CATEGORIES, LOCK_EVENTS, TRY_LOCK_KEYS } from '../../src/store/postgres/writer/locks.ts';
import { save } from '../../src/store/postgres/writer/save.ts';
import type { Store } from '../../src/store/store.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import type { ImportedPet } from '../../src/store/tools/pet-transfer.ts';
import { untilBlocked } from '../support/database/blocked.ts';
import { createDatabase, type Server } from '../support/database/postgres.ts';
import { startVersions } from '../support/database/postgres-versions.ts';
import { connect, type Sql, type Statements } from '../support/database/sql.ts';
import { eventually } from '../support/eventually.ts';
import { listPets } from '../support/lists.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { orderIn, petIn } from '../support/service/created.ts';
import { atOnce, countOutcomes, openTwoInstances } from '../support/service/two-instances.ts';
import { openGroup } from './support/instance.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };
const ROUNDS = LONG_RUN ? 30 : 6;
const CANCELLED = LONG_RUN ? 1000 : 200;
async function* batches(...pets: ImportedPet[]) {
  yield pets;
}
const LOCK_ORDERED = 'SELECT FROM pets WHERE id = 40 FOR UPDATE';
const times = <T>(count: number, work: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => work(i));

/** Commits writes in one transaction, which the store would try apart if all together failed. */
async function commit(connection: Db, writes: Write[], beforeSave = async () => {}): Promise<void> {
  const { rows } = await load(connection, writes);
  for (const write of writes) run(actionsOn(rows), write);
  await beforeSave();
  await save(connection, rows);
}

const isNothingWritten = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'unavailable' && /nothing was written/.test(error.message);

for (const { name, server } of await startVersions(LONG_RUN ? undefined : 1))
  describe(`Writes to ${name}`, () => writerSuite(server));

function writerSuite(server: Server): void {
  /** A store with forty animals, the last of them reserved, and a connection of another program. */
  async function open(t: TestContext): Promise<{ store: Store; sql: Sql; url: string }> {
    const url = await createDatabase(server);
    const store = await openStore(url);
    t.after(() => store.close());
    const sql = connect(t, url, { max: 12 });
    await store.createPets(times(40, () => rex));
    await store.createOrder({ petId: 40n });
    return { store, sql, url };
  }

  /**
   * While another program holds a lock, `start` makes writes that need it, and have been tried at least once when `work` begins. They
   * wait for two seconds: on a machine that is busy `work` may take longer, not three times in a row.
   */
  async function whileHeld(
    t: TestContext,
    lock: (tx: Statements) => Promise<unknown>,
    start: (store: Store) => Promise<unknown>[],
    work: (store: Store, sql: Sql) => Promise<unknown>,
    attempts = 3,
  ): Promise<PromiseSettledResult<unknown>[]> {
    const { store, sql } = await open(t);
    let settled = 0;
    const waiting = await sql.begin(async (tx) => {
      await lock(tx);
      const writes = start(store);
      await store.createPet(rex);
      // Others that come later.
      writes.push(...start(store));
      await store.createPet(rex);
      const results = Promise.allSettled(writes.map((write) => write.finally(() => settled++)));
      await work(store, sql);
      return { results, haveWaited: settled === 0 };
    });
    const results = await waiting.results;
    if (waiting.haveWaited) return results;
    assert.ok(attempts > 1, 'the others have waited for the lock');
    return whileHeld(t, lock, start, work, attempts - 1);
  }

  describe('What another program has locked in PostgreSQL delays only the writes that need it:', () => {
    const others = (store: Store) => [
      store.createPet(rex),
      store.createPet(rex, { idempotencyKey: { owner: 'o', key: 'k', fingerprint: 'f' } }),
      store.updatePet(20n, { name: 'Tom' }),
      store.createOrder({ petId: 21n }),
      store.ready(),
    ];

    it('an animal, also for animals that are locked for a moment', async (t) => {
      const waiting = await whileHeld(
        t,
        (tx) => tx`SELECT FROM pets WHERE id = 1 FOR UPDATE`,
        (store) => times(30, () => store.updatePet(1n, { name: 'Max' })),
        async (store, sql) => {
          const changeLocked = async (id: number) => {
            let written: Promise<unknown> | undefined;
            await sql.begin(async (tx) => {
              await tx`SELECT FROM pets WHERE id = ${id} FOR UPDATE`;
              written = store.updatePet(BigInt(id), { name: 'Tom' });
              await sleep(50);
            });
            return written;
          };
          await Promise.all([...others(store), ...times(10, (i) => changeLocked(i + 2))]);
        },
      );
      assert.deepEqual(countOutcomes(waiting), { ok: 60 });
    });

    const idempotencyKey = { owner: 'till', key: 'same', fingerprint: 'f' };
    const locksOfTill = TRY_LOCK_KEYS.replace('@owners, @keys', "'{till}'::text[], '{same}'::text[]");
    for (const [what, lock, write] of [
      [
        'an animal, also for its orders',
        LOCK_ORDERED,
        (store) => store.updateOrder(1n, { note: 'for Ms Lee' }),
      ],
      [
        'the names of categories, as an import does',
        LOCK_CATEGORIES,
        (store) => store.createCategory({ name: `New ${Math.random()}` }),
      ],
      [
        'an Idempotency-Key that another instance is deciding',
        locksOfTill,
        (store) => store.createPet(rex, { idempotencyKey }),
      ],
    ] as [string, string, (store: Store) => Promise<unknown>][])
      it(what, async (t) => {
        const waiting = await whileHeld(
          t,
          (tx) => tx.unsafe(lock),
          (store) => [write(store)],
          (store) => Promise.all(others(store)),
        );
        assert.deepEqual(countOutcomes(waiting), { ok: 2 });
      });

    const keyed = (store: Store) =>
      store.createPet(rex, { idempotencyKey: { owner: 'o', key: `${Math.random()}`, fingerprint: 'f' } });
    const rename = (store: Store) => store.setCategory({ id: 3n, name: 'Fish' });
    let n = 2;
    for (const [lock, needs, doesNot] of [
      ['idempotency_keys IN SHARE MODE', keyed, rename],
      ['categories IN ACCESS EXCLUSIVE MODE', rename, keyed],
      [
        'orders IN ACCESS EXCLUSIVE MODE',
        (store: Store) => store.createOrder({ petId: BigInt(n++) }),
        rename,
      ],
    ] as const)
      it(`a table (LOCK TABLE ${lock}, as REINDEX and ALTER TABLE do)`, async (t) => {
        const { store, sql } = await open(t);
        const blocked: Promise<unknown>[] = [];
        await sql.begin(async (tx) => {
          await tx.unsafe(`LOCK TABLE ${lock}`);
          for (let round = 0; round < 3; round++) {
            // In one batch, in turns.
            const others = times(10, () => {
              blocked.push(Promise.allSettled([needs(store)]));
              return store.createPet(rex);
            });
            await Promise.all([...others, doesNot(store)]);
          }
        });
        await Promise.all(blocked);
        await needs(store);
      });

    it('in vain for four seconds: then they are refused, nothing was written, and the animal can be ordered afterwards', async (t) => {
      const { store, sql } = await open(t);
      await sql.begin(async (tx) => {
        await tx`SELECT FROM pets WHERE id = 1 FOR UPDATE`;
        for (const result of await Promise.allSettled(times(50, () => store.createOrder({ petId: 1n }))))
          assert.ok(result.status === 'rejected' && isNothingWritten(result.reason));
      });
      assert.equal(orderIn(await store.createOrder({ petId: 1n })).petId, 1n);
    });

    it('the table of events, for writes of two kinds: none has an unknown outcome', async (t) => {
      const { store, sql } = await open(t);
      await sql.begin(async (tx) => {
        await tx`LOCK TABLE events IN SHARE MODE`;
        const writes = times(8, async (i) => {
          await sleep(i * 150);
          return i % 2 ? keyed(store) : store.createPet(rex);
        });
        for (const result of await Promise.allSettled(writes))
          assert.ok(result.status === 'rejected' && isNothingWritten(result.reason));
      });
      await store.createPet(rex);
    });

    it('the numbers of events: no write is tried in parts, and each succeeds, and so does an import', async (t) => {
      const { store, sql, url } = await open(t);
      const lastTransaction = async () => {
        const [row] = await sql<
          [{ xid: string }]
        >`SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid`;
        return Number(row.xid);
      };
      const before = await lastTransaction();
      let writes: Promise<unknown>[] = [];
      await sql.begin(async (tx) => {
        await tx.unsafe(LOCK_EVENTS);
        // As another instance that has not committed yet.
        await tx`INSERT INTO events (id, type, at, content) SELECT max(id) + 1, 'pet.updated', now(), '{}' FROM events`;
        writes = times(40, (i) => store.updatePet(BigInt(i + 1), { name: 'Tom' }));
        writes.push(importPets(url, batches(rex), {}));
        await sleep(1300);
      });
      await Promise.all(writes);
      const used = (await lastTransaction()) - before;
      assert.ok(used <= 7, `${used} transactions`);
    });

    it('the commits, for longer than a write may take: they are refused, and the next ones succeed', async (t) => {
      const { store, sql } = await open(t);
      const outcomes: Promise<unknown>[] = [];
      await sql.begin(async (tx) => {
        await tx.unsafe(LOCK_EVENTS);
        for (let i = 0; i < 60; i++) {
          const writes = [
            store.createPet(rex),
            store.createPet(rex, { idempotencyKey: { owner: 'o', key: `${i}`, fingerprint: 'f' } }),
          ];
          outcomes.push(Promise.allSettled(writes));
          await sleep(100);
        }
      });
      const results = (await Promise.all(outcomes)).flat() as PromiseSettledResult<unknown>[];
      const { ok = 0, unavailable = 0 } = countOutcomes(results);
      assert.equal(ok + unavailable, 120);
      assert.ok(unavailable > 0);
      await store.createPet(rex);
    });
  });

  it('A batch whose prepared statements are gone is written once, with its event', async (t) => {
    const { store, sql, url } = await open(t);
    const writing = openGroup(t, url);
    const rename = (name: string): Write => ({ method: 'updatePet', args: [1n, { name }] });
    await writing.write((session) => commit(session, [rename('Max')]));
    let lost = 0;
    await writing.write((session) =>
      commit(session, [rename('Tom')], async () => {
        if (lost++ === 0) await session.query('DEALLOCATE ALL');
      }),
    );
    assert.equal(lost, 2, 'the statements of the first attempt have failed');
    assert.match(String((await store.getPet(1n))?.name), /Tom/);
    assert.equal((await sql`SELECT FROM events WHERE type = 'pet.updated'`).length, 2);
  });

  it('A statement of a batch that arrives after its transaction does nothing', async (t) => {
    const { store, sql, url } = await open(t);
    await onConnection(parseUrl(url), async (session) => {
      const write: Write = { method: 'updatePet', args: [1n, { name: 'Tom' }] };
      await commit(session, [write], async () => void (await session.query('ROLLBACK'))).catch(() => {});
    });
    assert.equal((await store.getPet(1n))?.name, 'Rex');
    assert.equal((await sql`SELECT FROM events WHERE type = 'pet.updated'`).length, 0);
  });

  describe('An animal that PostgreSQL refuses does not affect the others of its batch:', () => {
    /** Creates a hundred animals at once, of which the server fails one in its own way. The errors by name; all others are stored. */
    async function createAround(t: TestContext, failure: string): Promise<Map<string, unknown>> {
      const { store, sql } = await open(t);
      await sql.unsafe(`
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${failure}; RETURN new; END $$;
        CREATE TRIGGER fail BEFORE INSERT ON pets FOR EACH ROW WHEN (new.name = 'bad') EXECUTE FUNCTION fail()`);
      const names = times(100, (i) => (i === 50 ? 'bad' : `pet ${i}`));
      const errors = new Map<string, unknown>();
      const creates = names.map((name) => store.createPet({ ...rex, name }));
      // An animal that cannot be changed, and one write that has an effect beside those that are tried again.
      const changed = store.updatePet(1n, { name: 'Tom' });
      for (const [i, result] of (await Promise.allSettled(creates)).entries())
        if (result.status === 'rejected') errors.set(names[i] as string, result.reason);
      await changed.catch((error) => errors.set('Tom', error));
      const stored = (await listPets(store, { limit: 1000 })).map(({ name }) => name);
      assert.deepEqual(
        stored.filter((name) => name !== 'Rex').toSorted(),
        [...names, 'Tom'].filter((name) => !errors.has(name)).toSorted(),
        'each that was acknowledged is stored once, and no other',
      );
      return errors;
    }

    for (const [reason, failure, says] of [
      ['a deadlock', "RAISE 'deadlock detected' USING ERRCODE = '40P01'", /nothing was written/],
      ['a conflict', "RAISE 'could not serialize access' USING ERRCODE = '40001'", /nothing was written/],
      ['a constraint', "RAISE 'duplicate key' USING ERRCODE = '23505'", /nothing was written/],
      ['an error of the statement', "RAISE 'refused'", /refused/],
    ] as const)
      it(reason, async (t) => {
        const errors = await createAround(t, failure);
        assert.deepEqual([...errors.keys()], ['bad']);
        assert.match(String(errors.get('bad')), says);
      });

    it('a statement that takes too long: what cannot be tried again in time is refused, with nothing written', async (t) => {
      const errors = await createAround(t, 'PERFORM pg_sleep(60)');
      assert.ok(errors.has('bad'));
      for (const error of errors.values()) assert.ok(isNothingWritten(error), String(error));
    });

    it('an error of the program in the decision of one write', async (t) => {
      const { store } = await open(t);
      const results = await Promise.allSettled([
        store.createPet({ ...rex, name: 'first' }),
        store.updatePet(1n, null as never),
        store.updatePet(2n, { name: 'second' }),
      ]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
    });
  });

  it('The same Idempotency-Keys on two instances at once are one animal each, whatever else is written', async (t) => {
    const { url } = await open(t);
    const stores = await openTwoInstances(t, url);
    for (let round = 0; round < ROUNDS; round++) {
      const key = { owner: 'o', key: `${round}`, fingerprint: 'f' };
      const results = await atOnce<unknown>(stores, 200, (store, i) =>
        i % 4 < 2
          ? store.createPet({ ...rex, name: 'Max' }, { idempotencyKey: key })
          : store.updatePet(BigInt((i % 40) + 1), { name: `${i}` }),
      );
      assert.deepEqual(countOutcomes(results), { ok: 200 });
    }
    assert.equal((await listPets(stores[0], { limit: 1000, name: 'Max' })).length, ROUNDS);
  });

  it('Twenty instances with any number of Idempotency-Keys have room for their locks on a server with default settings', async (t) => {
    const { store, sql, url } = await open(t);
    const keyed = (owner: string, n: number) =>
      [rex, { idempotencyKey: { owner, key: `${n}`, fingerprint: 'f' } }] as const;
    await Promise.all(times(1000, (n) => store.createPet(...keyed('one', n))));
    const [largest] = await sql`
      SELECT max(keys)::int AS keys FROM (SELECT count(*) AS keys FROM idempotency_keys GROUP BY xmin::text) AS batches`;
    const { keys = 1000 } = largest ?? {};
    assert.ok(keys > 1);
    let begun = 0;
    const allHaveBegun = () => {
      begun++;
      return eventually(() => begun === 20, 'all transactions have begun');
    };
    const writesOf = (i: number) =>
      times(keys, (n): Write => ({ method: 'createPet', args: [...keyed(`${i}`, n)] }));
    const instance = (i: number) =>
      onConnection(parseUrl(url), (connection) => commit(connection, writesOf(i), allHaveBegun));
    await Promise.all(times(20, instance));
    assert.equal((await store.countPets()).available, BigInt(1039 + 20 * keys));
  });

  it('An Idempotency-Key that has expired, used again on two instances at once, adds one animal', async (t) => {
    const { url, sql } = await open(t);
    const stores = await openTwoInstances(t, url);
    for (let attempt = 0; attempt < ROUNDS; attempt++) {
      const key = { owner: 'o', key: `${attempt}`, fingerprint: 'f' };
      await stores[0].createPet(rex, { idempotencyKey: key });
      await sql`UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'`;
      const results = await atOnce(
        stores,
        2,
        async (store) => petIn(await store.createPet(rex, { idempotencyKey: key })).id,
      );
      assert.deepEqual(countOutcomes(results), { ok: 2 });
      assert.deepEqual(results[0], results[1], 'the key was used twice');
    }
    assert.equal((await listPets(stores[0], { limit: 1000 })).length, 40 + 2 * ROUNDS);
  });

  it('A category is not removed while another instance puts an animal into it: the events say so', async (t) => {
    const { url } = await open(t);
    const [store, other] = await openTwoInstances(t, url);
    for (let id = 100n; id < 160n; id++) {
      await store.setCategory({ id, name: `Category ${id}` });
      await Promise.allSettled([
        store.removeCategory(id),
        ...times(3, () => other.createPet({ ...rex, categoryId: id })),
        other.updatePet(3n, { categoryId: id }),
      ]);
    }
    const { events } = await store.listEvents({ limit: 1000 });
    const inUse = new Map<string, string>();
    for (const { type, json } of events) {
      const { category, pet } = JSON.parse(json) as {
        category?: { id: number };
        pet?: { id: number; categoryId: number };
      };
      if (pet) inUse.set(`${pet.id}`, `${pet.categoryId}`);
      if (type === 'category.removed')
        assert.ok(
          ![...inUse.values()].includes(`${category?.id}`),
          `category ${category?.id} was removed with an animal in it`,
        );
    }
  });

  it('An import changes the given fields alone of an animal that another program is changing', async (t) => {
    const { store, sql, url } = await open(t);
    let importing: Promise<unknown> | undefined;
    await sql.begin(async (tx) => {
      await tx`UPDATE pets SET category_id = 9 WHERE id = 1`;
      importing = importPets(url, batches({ id: 1n, name: 'Max', line: 2 }), { update: true });
      await untilBlocked(sql);
    });
    await importing;
    assert.deepEqual(await store.getPet(1n), { ...rex, id: 1n, name: 'Max', categoryId: 9n });
  });

  it('In one batch, an order is placed of an animal whose other order is no longer placed', async (t) => {
    const { store, url } = await open(t);
    const first = orderIn(await store.createOrder({ petId: 1n })).id;
    await store.updateOrder(first, { status: 'cancelled' });
    const second = orderIn(await store.createOrder({ petId: 1n })).id;
    for (const [placed, next] of [
      [second, first],
      [first, second],
    ] as const) {
      const writes: Write[] = [
        { method: 'updateOrder', args: [placed, { status: 'cancelled' }] },
        { method: 'updateOrder', args: [next, { status: 'placed' }] },
      ];
      await onConnection(parseUrl(url), (connection) => commit(connection, writes));
      assert.equal((await store.getOrder(next))?.status, 'placed');
    }
  });

  it('A create that an administrator cancels at any moment is refused, and nothing of it is stored', async (t) => {
    const { store, sql } = await open(t);
    let isOver = false;
    const cancel = async () => {
      while (!isOver)
        await sql`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
          WHERE application_name = 'animal-store' AND datname = current_database()`;
    };
    const cancelling = Promise.all(times(2, cancel));
    const acknowledged: string[] = [];
    for (let i = 0; i < CANCELLED; i++) {
      const idempotencyKey = { owner: 'o', key: `${i}`, fingerprint: 'f' };
      const created = store.createPet({ ...rex, name: `${i}` }, i < CANCELLED / 2 ? {} : { idempotencyKey });
      await created.then(
        (pet) => void acknowledged.push(petIn(pet).name),
        (error) => assert.ok(isNothingWritten(error), String(error)),
      );
    }
    isOver = true;
    await cancelling;
    acknowledged.unshift(petIn(await store.updatePet(1n, { name: 'Tom' })).name);
    t.diagnostic(`${acknowledged.length} of ${CANCELLED} acknowledged`);
    const stored = await sql<{ name: string }[]>`SELECT name FROM pets WHERE name <> 'Rex' ORDER BY id`;
    assert.deepEqual(
      stored.map(({ name }) => name),
      acknowledged,
    );
  });
}
