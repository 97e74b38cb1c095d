import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { readDump as readPostgres } from '../../src/store/postgres/tools/move-from.ts';
import { createFromDump } from '../../src/store/postgres/tools/move-into.ts';
import { readDump as readSqlite } from '../../src/store/sqlite/tools/move-from.ts';
import { createFromDump as createSqlite } from '../../src/store/sqlite/tools/move-into.ts';
import { StoreUnavailableError } from '../../src/store/store.ts';
import type { Dump, DumpChunk } from '../../src/store/tools/dump.ts';
import { type Kind, newUrl, server } from '../support/database/both-stores.ts';
import { createDatabase, createStore } from '../support/database/postgres.ts';
import { connect, runSql } from '../support/database/sql.ts';
import { listPets } from '../support/lists.ts';
import { launch, MAIN } from '../support/service/launch.ts';
import { animalStore, assertRefused, type Finished, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { isRootWith } from '../support/service/tools.ts';
import { startProxy } from '../support/wire/proxy.ts';

const pathOf = (url: string): string => url.slice('sqlite:'.length);

const move = (from: string, to: string): Promise<Finished> =>
  animalStore(['move', '--database', from, '--to', to]);

/** A new store with this animal; its URL. */
async function storeWith(t: TestContext, kind: Kind, name = 'Rex'): Promise<string> {
  const url = await newUrl[kind](t);
  const store = await openStore(url);
  await store.createPet({ name, categoryId: 1n, status: 'available' });
  await store.close();
  return url;
}

/** A PostgreSQL store with so many animals; its URL. */
async function storeWithMany(count: number): Promise<string> {
  const url = await createStore(server);
  await runSql(
    url,
    `INSERT INTO pets (name, category_id, status, folded_name)
    SELECT 'Pet ' || n, 1, 'available', 'pet ' || n FROM generate_series(1, ${count}) AS n`,
  );
  return url;
}

/** The names of its animals, at most ten, the newest first. */
async function namesIn(url: string): Promise<string[]> {
  const store = await openStore(url);
  const pets = await listPets(store, { limit: 10 });
  await store.close();
  return pets.map(({ name }) => name);
}

/** Asserts that a move is refused with one line. */
const refuses = async (from: string, to: string, says: RegExp, code = 2): Promise<void> =>
  assertRefused(await move(from, to), says, code);

describe('While a store is moved', () => {
  it('no process can open an SQLite file', async (t) => {
    const from = await storeWith(t, 'sqlite');
    await readSqlite(pathOf(from), async () => {
      const refused = await animalStore(['keys', 'list'], { DATABASE_URL: from });
      assert.equal(refused.code, 3);
      assert.match(refused.stderr, /pets\.db is locked by another process: try again/);
    });
    assert.equal((await animalStore(['keys', 'list'], { DATABASE_URL: from })).code, 0);
  });

  it('no session can write to a PostgreSQL database, and it is read as of one moment', async (t) => {
    const from = await storeWith(t, 'postgres');
    const to = await newUrl.sqlite(t);
    const other = connect(t, from);
    await other`SET lock_timeout = 200`;
    await readPostgres(from, async (dump) => {
      for (const table of ['pets', 'orders', 'api_keys', 'events', 'categories'])
        await assert.rejects(other.unsafe(`DELETE FROM ${table}`), { code: '55P03' }, table);
      await createSqlite(pathOf(to), dump);
    });
    assert.equal((await other`DELETE FROM pets RETURNING id`).length, 1);
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
      const from = await storeWith(t, 'sqlite');
      const to = await newUrl[kind](t);
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
    const from = await storeWith(t, 'sqlite');
    const to = await createStore(server);
    await runSql(
      to,
      `CREATE FUNCTION shorten() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := 'R'; RETURN NEW; END $$;
      CREATE TRIGGER shorten BEFORE INSERT ON pets FOR EACH ROW EXECUTE FUNCTION shorten()`,
    );
    await refuses(from, to, /the copy of pets differs from the original: nothing was moved/);
    assert.deepEqual(await namesIn(to), []);
  });

  it('if the connection to the old or the new database is lost between two statements', async (t) => {
    const admin = connect(t, server.url('postgres'));
    const cut = (url: string) => async (chunk: DumpChunk) => {
      const database = new URL(url).pathname.slice(1);
      if (chunk.resource === 'events')
        await admin`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = ${database}`;
      return chunk;
    };
    const lost = (error: unknown) =>
      error instanceof StoreUnavailableError &&
      /^the connection to the database was lost: try again/.test(error.message);
    const [from, old] = [await storeWith(t, 'sqlite'), await storeWith(t, 'postgres')];
    // With the tables in place, rows could be added after a reconnection if nothing prevented it.
    const [to, file] = [await createStore(server), await newUrl.sqlite(t)];
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
    const from = await storeWithMany(3000);
    const to = await newUrl.sqlite(t);
    const folder = dirname(pathOf(to));
    // The animals are copied, and the events are not.
    const proxy = await startProxy(server.port);
    const isHeld = proxy.swallowFrom('SELECT id, type, pet_id');
    const slow = from.replace(`:${server.port}/`, `:${proxy.port}/`);
    const { child } = launch(t, [process.execPath, MAIN, 'move', '--database', slow, '--to', to]);
    await isHeld;
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

const UNREACHABLE = 'postgres://127.0.0.1:1/pets';

describe('animal-store move refuses', () => {
  it('a database that already contains data, or that a service uses', async (t) => {
    const from = await storeWith(t, 'sqlite');
    const to = await storeWith(t, 'postgres', 'Ada');
    const says =
      /the database postgres:\/\/\S+ already contains animals or keys: create another one, for example with createdb NAME, and move into that/;
    await refuses(from, to, says);
    await refuses(to, to, says);
    assert.deepEqual(await namesIn(to), ['Ada']);
    const used = await createDatabase(server);
    await spawnService(t, { DATABASE_URL: used });
    await refuses(from, used, /the database \S+ is in use: stop .*, then move/);
  });

  it('a target that cannot be used, which it names', async (t) => {
    const from = await storeWith(t, 'sqlite');
    await refuses(
      from,
      `${server.url('postgres')}?sslmode=perhaps`,
      /cannot use the database postgres:\/\/\S+\/postgres: sslmode must be one of/,
    );
  });

  it('a file that exists, and one of which only the log is there', async (t) => {
    const from = await storeWith(t, 'postgres');
    const to = await storeWith(t, 'sqlite', 'Ada');
    await refuses(from, to, /pets\.db exists: move into a new file/);
    assert.deepEqual(await namesIn(to), ['Ada']);
    const lost = join(await temporaryFolder(t), 'lost.db');
    await writeFile(`${lost}-journal`, 'x');
    await refuses(from, `sqlite:${lost}`, /lost\.db-journal exists: move into a new file/);
    assert.deepEqual(await readdir(dirname(lost)), ['lost.db-journal']);
  });

  for (const kind of ['sqlite', 'postgres'] as const)
    it(`a store in ${kind} that a service uses, even an idle one, and accepts it after the service has stopped`, async (t) => {
      const from = await storeWith(t, kind);
      const to = await newUrl[kind === 'sqlite' ? 'postgres' : 'sqlite'](t);
      const { child, exited, origin } = await spawnService(t, { DATABASE_URL: from });
      await refuses(from, to, /the database \S+ is in use: stop .*, then move/);
      const body = { name: 'Ada', categoryId: 1 };
      assert.equal((await call(origin, 'POST', '/v1/pets', { body })).status, 201);
      child.kill('SIGTERM');
      await exited;
      const { code, stderr } = await move(from, to);
      assert.deepEqual([code, stderr], [0, '']);
      assert.deepEqual(await namesIn(to), ['Ada', 'Rex']);
    });

  it('a database that does not exist, is empty, in memory or out of reach', async (t) => {
    const file = await storeWith(t, 'sqlite');
    const fresh = await newUrl.sqlite(t);
    const empty = await createDatabase(server);
    await refuses(fresh, empty, /there is no database .*pets\.db/);
    await refuses(
      empty,
      fresh,
      /the database \S+ has no store yet: start the service once, or name its database/,
    );
    await refuses('sqlite::memory:', empty, /in memory can only be used by the service itself/);
    await refuses(file, 'sqlite::memory:', /in memory can only be used by the service itself/);
    await refuses(UNREACHABLE, fresh, /cannot use the database postgres:\/\/127\.0\.0\.1/, 3);
    await refuses(file, UNREACHABLE, /cannot use the database postgres:\/\/127\.0\.0\.1/, 3);
    assert.deepEqual(await readdir(dirname(pathOf(fresh))), []);
    const schemas = await runSql(empty, "SELECT 1 FROM pg_namespace WHERE nspname = 'animal_store'");
    assert.deepEqual(schemas, []);
  });

  it('text that PostgreSQL cannot store, which only a change by hand can put into an SQLite file', async (t) => {
    const from = await storeWith(t, 'sqlite');
    const to = await createDatabase(server);
    const db = new DatabaseSync(pathOf(from));
    db.exec("UPDATE pets SET name = 'Rex' || char(0)");
    db.close();
    await refuses(from, to, /cannot use the database \S+: invalid byte sequence .* 0x00/);
    assert.deepEqual(await namesIn(to), []);
  });

  it('a folder in which it cannot create a file, and a disk that is too small', async (t) => {
    const from = await storeWithMany(20_000);
    const folder = await temporaryFolder(t);
    await writeFile(join(folder, 'file'), '');
    await refuses(
      from,
      `sqlite:${join(folder, 'file', 'pets.db')}`,
      /there can be no \S+pets\.db: \S+file is not a folder/,
    );
    if (!isRootWith(t, 'unshare', 'mount')) return;
    // The mount is in a namespace of its own: it disappears with the process.
    const small = 'mount -t tmpfs -o size=1m small . && cd "$PWD" && "$@"; code=$?; ls -A; exit $code';
    const args = ['move', '--database', from, '--to', 'sqlite:pets.db'];
    const command = ['unshare', '-m', 'sh', '-c', small, 'sh', process.execPath, MAIN, ...args];
    const moved = launch(t, command, { cwd: folder });
    assert.deepEqual(await moved.ended(), { code: 3, signal: null });
    assert.match(
      moved.output(),
      /^animal-store: the disk of \S+ is full, \d+ kB are free: make room on it\n$/,
    );
  });
});
