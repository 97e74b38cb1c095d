import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/store/open.ts';
import { forgetEvents } from '../../src/store/postgres/events.ts';
import { deleteExpired } from '../../src/store/postgres/idempotency.ts';
import type { Db } from '../../src/store/postgres/pool/connection.ts';
import { isAlone } from '../../src/store/postgres/writer/locks.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import { clientOf } from '../client/support/client.ts';
import { collectEvents } from '../client/support/events.ts';
import { createDatabase, createStore, startCluster } from '../support/database/postgres.ts';
import { connect } from '../support/database/sql.ts';
import { type Frame, openStream } from '../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { freePort } from '../support/service/free-port.ts';
import { spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';
import { startProxy } from '../support/wire/proxy.ts';
import { openGroup } from './support/instance.ts';

const server = await startCluster();
const proxy = await startProxy(server.port);

/** Adds animals, all clients at once, and returns the names of those that were acknowledged. */
async function createPets(origins: readonly string[], perClient: number): Promise<string[]> {
  const clients = Array.from({ length: 8 }, async (_, client) => {
    const names = Array.from({ length: perClient }, (_, n) => `pet ${n} of ${client}`);
    for (const [n, name] of names.entries()) {
      const origin = origins[(client + n) % origins.length] ?? '';
      assert.equal((await call(origin, 'POST', '/v1/pets', { body: { name, categoryId: 1 } })).status, 201);
    }
    return names;
  });
  return (await Promise.all(clients)).flat();
}

/** An import whose transaction is open for a while. */
function slowImport(url: string): Promise<unknown> {
  const batches = async function* () {
    for (let batch = 0; batch < 4; batch++) {
      yield [{ name: 'Rex', categoryId: 1n, status: 'available' }] as const;
      await sleep(Math.random() * 100);
    }
  };
  return importPets(url, batches(), {});
}

/** The name of the added animal, or `import`. */
const nameOf = ({ data }: Frame): string =>
  (JSON.parse(data) as { pet?: { name: string } }).pet?.name ?? 'import';

describe('streams of events on PostgreSQL', { timeout: 120_000 }, () => {
  it('of every instance have every change of every instance once, in the same order, beside slow transactions', async (t) => {
    const url = await createDatabase(server);
    const start = () => spawnService(t, { DATABASE_URL: url });
    const instances = [await start(), await start()];
    const streams = [];
    for (const { port } of [...instances, ...instances]) streams.push(await openStream(t, port));
    const origins = instances.map(({ origin }) => origin);
    const importing = Promise.all(Array.from({ length: 6 }, () => slowImport(url)));
    const writing = createPets(origins, 50);
    // One that begins in between, from the first event that another one has got.
    const [first] = (await streams[0]?.received(1)) ?? [];
    const late = await openStream(t, instances[1]?.port ?? 0, { query: `?after=${first?.id}` });
    const created = [...(await writing), ...(await importing).map(() => 'import')];
    const [frames = [], ...others] = await Promise.all(
      streams.map((stream) => stream.received(created.length)),
    );
    assert.deepEqual(frames.map(nameOf).sort(), created.sort());
    for (const other of others) assert.deepEqual(other, frames);
    assert.deepEqual(await late.received(created.length - 1), frames.slice(1));
  });

  it('go on after an outage of the database, without a gap', async (t) => {
    const url = (await createDatabase(server)).replace(`:${server.port}/`, `:${proxy.port}/`);
    const { origin, port, output } = await spawnService(t, { DATABASE_URL: url });
    const { names } = collectEvents(t, clientOf(`${origin}/v1`));
    const raw = await openStream(t, port);
    const before = await createPets([origin], 2);
    await raw.received(before.length);
    proxy.switchTo(await freePort());
    const statusOfRead = async () => (await call(origin, 'GET', '/v1/store/inventory')).status;
    await eventuallyEqual(statusOfRead, 503);
    await eventually(
      () => output.stdout.includes('the events could not be read'),
      'the streams have met the outage',
    );
    proxy.switchTo(server.port);
    await eventuallyEqual(statusOfRead, 200);
    const after = await createPets([origin], 2);
    await eventuallyEqual(() => names().toSorted(), [...before, ...after].sort());
    assert.equal((await raw.received(before.length + after.length)).length, before.length + after.length);
    assert.equal(raw.isClosed, false);
  });
});

describe('maintenance of PostgreSQL', { timeout: 120_000 }, () => {
  it('goes on from where it was, past what an open snapshot keeps, and is done by one instance at a time', async (t) => {
    const url = await createStore(server);
    const [sql, exporting] = [connect(t, url), connect(t, url)];
    const background = openGroup(t, url);
    await sql`INSERT INTO events (id, type, at, content)
      SELECT n, 'pet.created', now() - interval '9 days', '{}' FROM generate_series(1, 5000) AS n`;
    await sql`INSERT INTO idempotency_keys (owner, key, fingerprint, result, created_at)
      SELECT 'o', n, '', '', now() - interval '9 days' + n * interval '1 ms' FROM generate_series(1, 5000) AS n`;
    await exporting`BEGIN ISOLATION LEVEL REPEATABLE READ`;
    await exporting`SELECT FROM events LIMIT 1`;
    const from = { event: '0', key: '-infinity' };
    const steps = [
      ['events', 'event_numbers', (db: Db) => forgetEvents(db, from, 86_400_000, 200)],
      ['idempotency_keys', 'idempotency_keys_by_age', (db: Db) => deleteExpired(db, from, 200)],
    ] as const;
    for (const [table, index, step] of steps) {
      for (let i = 0; i < 20; i++) assert.equal(await background.write(step), 200);
      const read = await background.write(async (db) => {
        await db.query('SELECT pg_stat_force_next_flush()');
        await db.query('BEGIN');
        await step(db);
        const [row] = await db.query('SELECT pg_stat_get_xact_tuples_returned($1::regclass)', [index]);
        await db.query('COMMIT');
        return Number(row?.[0]);
      });
      assert.ok(read < 1000, `${read} entries of ${index} were read to delete 200 rows`);
      await sql.begin(async (other) => {
        await other.unsafe(`SELECT ${isAlone(table)}`);
        assert.equal(await background.write(step), 0);
      });
      assert.equal(await background.write(step), 200);
    }
  });

  it('compacts the counts while there are still old events to delete', async (t) => {
    const url = await createStore(server);
    const sql = connect(t, url);
    await sql`INSERT INTO events (id, type, at, content)
      SELECT n, 'pet.created', now() - interval '9 days', '{}' FROM generate_series(1, 60000) AS n`;
    await sql.unsafe(`
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.2); RETURN NULL; END $$;
      CREATE TRIGGER wait AFTER DELETE ON events EXECUTE FUNCTION wait()`);
    const store = await openStore(url, { eventsKeepMs: 86_400_000 });
    t.after(() => store.close());
    const rowsIn = async (table: string) =>
      Number((await sql.unsafe(`SELECT count(*) FROM ${table}`))[0]?.count);
    await eventually(async () => (await rowsIn('events')) < 60_000, 'old events are deleted');
    await sql`INSERT INTO inventory (status, pets) SELECT 'available', 1 FROM generate_series(1, 1000)`;
    await eventually(async () => (await rowsIn('inventory')) < 1000, 'the counts are compacted', 30_000);
    assert.ok((await rowsIn('events')) > 1, 'before all old events are deleted');
    assert.equal((await store.countPets()).available, 1000n);
  });
});
