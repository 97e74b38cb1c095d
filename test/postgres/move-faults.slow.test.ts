import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { dirname } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { readDump as readPostgres } from '../../src/store/postgres/tools/move-from.ts';
import { createFromDump } from '../../src/store/postgres/tools/move-into.ts';
import { readDump as readSqlite } from '../../src/store/sqlite/tools/move-from.ts';
import { createFromDump as createSqlite } from '../../src/store/sqlite/tools/move-into.ts';
import { StoreUnavailableError } from '../../src/store/store.ts';
import type { Dump, DumpChunk } from '../../src/store/tools/dump.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { launch, MAIN } from '../support/service/launch.ts';
import { animalStore } from '../support/service/process.ts';
import { newStore } from './support/moved-store.ts';
import {
  assertRefused,
  connect,
  move,
  namesIn,
  pathOf,
  storeWith,
  storeWithMany,
} from './support/small-store.ts';

const server = await createCluster();
await server.start();

describe('While a store is moved', () => {
  it('no process can open an SQLite file', async (t) => {
    const from = await storeWith(t, server, 'sqlite');
    await readSqlite(pathOf(from), async () => {
      const refused = await animalStore(['keys', 'list'], { DATABASE_URL: from });
      assert.equal(refused.code, 3);
      assert.match(refused.stderr, /database is locked/);
    });
    assert.equal((await animalStore(['keys', 'list'], { DATABASE_URL: from })).code, 0);
  });

  it('no session can write to a PostgreSQL database, and it is read as of one moment', async (t) => {
    const from = await storeWith(t, server, 'postgres');
    const to = await newStore(t, server, 'sqlite');
    const other = connect(from);
    t.after(() => other.end());
    await other`SET lock_timeout = 200`;
    await readPostgres(from, async (dump) => {
      for (const table of ['pets', 'orders', 'api_keys', 'events', 'categories'])
        await assert.rejects(other`DELETE FROM ${other(table)}`, { code: '55P03' }, table);
      await createSqlite(pathOf(to), dump);
    });
    assert.equal((await other`DELETE FROM pets`).count, 1);
    assert.deepEqual(await namesIn(to), ['Rex']);
  });
});

describe('A move that fails leaves nothing', () => {
  /** What `change` makes of the chunks on their way. */
  const changed = (
    { counts, chunks }: Dump,
    change: (chunk: DumpChunk) => DumpChunk | Promise<DumpChunk>,
  ): Dump => ({
    counts,
    chunks: (async function* () {
      for await (const chunk of chunks) yield change(chunk);
    })(),
  });

  for (const kind of ['sqlite', 'postgres'] as const) {
    const create = (to: string, dump: Dump) =>
      kind === 'sqlite' ? createSqlite(pathOf(to), dump) : createFromDump(to, dump);

    async function assertNothingMoved(to: string): Promise<void> {
      if (kind === 'sqlite') return assert.deepEqual(await readdir(dirname(pathOf(to))), []);
      assert.deepEqual(await namesIn(to), []);
    }

    it(`in ${kind} if rows are missing in the copy`, async (t) => {
      const from = await storeWith(t, server, 'sqlite');
      const to = await newStore(t, server, kind);
      const copied = readSqlite(pathOf(from), (dump) =>
        create(
          to,
          changed(dump, (chunk) => (chunk.resource === 'pets' ? { ...chunk, items: [] } : chunk)),
        ),
      );
      await assert.rejects(copied, {
        message: 'the copy has 0 rows of pets instead of 1: nothing was moved, try again',
      });
      await assertNothingMoved(to);
    });
  }

  it('if the copy differs from the original', async (t) => {
    const from = await storeWith(t, server, 'sqlite');
    const to = await createDatabase(server);
    await (await openStore(to)).close();
    const sql = connect(to);
    t.after(() => sql.end());
    await sql.unsafe(`
      CREATE FUNCTION shorten() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := 'R'; RETURN NEW; END $$;
      CREATE TRIGGER shorten BEFORE INSERT ON pets FOR EACH ROW EXECUTE FUNCTION shorten()`);
    assertRefused(await move(from, to), 2, /the copy of pets differs from the original: nothing was moved/);
    assert.deepEqual(await namesIn(to), []);
  });

  it('if the connection to the old or the new database is lost between two statements', async (t) => {
    const admin = connect(server.url('postgres'));
    t.after(() => admin.end());
    const cut = (url: string) => async (chunk: DumpChunk) => {
      const database = new URL(url).pathname.slice(1);
      if (chunk.resource === 'events')
        await admin`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = ${database}`;
      return chunk;
    };
    const lost = (error: unknown) =>
      error instanceof StoreUnavailableError &&
      error.message === 'the connection to the database was lost: try again';
    const [from, old] = [await storeWith(t, server, 'sqlite'), await storeWith(t, server, 'postgres')];
    const [to, file] = [await createDatabase(server), await newStore(t, server, 'sqlite')];
    // With the tables in place, rows could be added after a reconnection if nothing prevented it.
    await (await openStore(to)).close();
    await assert.rejects(
      readSqlite(pathOf(from), (dump) => createFromDump(to, changed(dump, cut(to)))),
      lost,
    );
    assert.deepEqual(await namesIn(to), []);
    await assert.rejects(
      readPostgres(old, (dump) => createSqlite(pathOf(file), changed(dump, cut(old)))),
      lost,
    );
    assert.deepEqual(await readdir(dirname(pathOf(file))), []);
  });

  it('that looks complete if it is killed, and can be repeated', async (t) => {
    const from = await storeWithMany(server, 3000);
    const to = await newStore(t, server, 'sqlite');
    const folder = dirname(pathOf(to));
    // The animals are copied, and the events are not.
    const { port, isHeld } = await proxyUntil(t, 'SELECT id, type, pet_id');
    const slow = from.replace(`:${server.port}/`, `:${port}/`);
    const { child } = launch(t, [process.execPath, MAIN, 'move', '--database', slow, '--to', to]);
    await eventually(isHeld, 'the move is in the middle');
    child.kill('SIGKILL');
    await once(child, 'close');
    const left = await readdir(folder);
    assert.deepEqual(left, ['.pets.db.partial'], 'the file has no name before it is complete');
    const { code, stderr } = await move(from, to);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(await readdir(folder), ['pets.db'], 'what the killed one has left is removed');
    assert.equal((await namesIn(to))[0], 'Pet 3000');
  });
});

/** A proxy to the server that forwards no more after a client has sent this text. */
async function proxyUntil(t: TestContext, text: string) {
  let held = false;
  const proxy = createServer((client) => {
    const upstream = connectTo(server.port, '127.0.0.1');
    t.after(() => upstream.destroy());
    client.on('data', (chunk) => {
      held ||= chunk.includes(text);
      if (!held) upstream.write(chunk);
    });
    client.on('error', () => {}).on('close', () => upstream.destroy());
    upstream.on('error', () => {}).pipe(client);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => proxy.close());
  return { port: (proxy.address() as AddressInfo).port, isHeld: () => held };
}
