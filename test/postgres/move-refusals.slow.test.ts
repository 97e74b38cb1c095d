import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { launch, MAIN } from '../support/service/launch.ts';
import { spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { isRootWith } from '../support/service/tools.ts';
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

const UNREACHABLE = 'postgres://127.0.0.1:1/pets';

describe('animal-store move refuses', () => {
  it('a database that already contains data', async (t) => {
    const from = await storeWith(t, server, 'sqlite');
    const to = await storeWith(t, server, 'postgres', 'Ada');
    const says =
      /the database postgres:\/\/\S+ already contains animals or keys: create another one, for example with createdb NAME, and move into that/;
    assertRefused(await move(from, to), 2, says);
    assertRefused(await move(to, to), 2, says);
    assert.deepEqual(await namesIn(to), ['Ada']);
  });

  it('a target that cannot be used, which it names', async (t) => {
    const from = await storeWith(t, server, 'sqlite');
    assertRefused(
      await move(from, `${server.url('postgres')}?sslmode=perhaps`),
      2,
      /cannot use the database postgres:\/\/\S+\/postgres: sslmode must be one of/,
    );
  });

  it('a file that exists, and one of which only the log is there', async (t) => {
    const from = await storeWith(t, server, 'postgres');
    const to = await storeWith(t, server, 'sqlite', 'Ada');
    assertRefused(await move(from, to), 2, /pets\.db exists: move into a new file/);
    assert.deepEqual(await namesIn(to), ['Ada']);
    const lost = join(await temporaryFolder(t), 'lost.db');
    await writeFile(`${lost}-journal`, 'x');
    assertRefused(await move(from, `sqlite:${lost}`), 2, /lost\.db-journal exists: move into a new file/);
    assert.deepEqual(await readdir(dirname(lost)), ['lost.db-journal']);
  });

  for (const kind of ['sqlite', 'postgres'] as const)
    it(`a store in ${kind} that a service uses, even an idle one, and accepts it after the service has stopped`, async (t) => {
      const from = await storeWith(t, server, kind);
      const to = await newStore(t, server, kind === 'sqlite' ? 'postgres' : 'sqlite');
      const { child, exited, origin } = await spawnService(t, { DATABASE_URL: from });
      assertRefused(await move(from, to), 2, /the database \S+ is in use: stop .*, then move/);
      const body = { name: 'Ada', categoryId: 1 };
      assert.equal((await call(origin, 'POST', '/v1/pets', { body })).status, 201);
      child.kill('SIGTERM');
      await exited;
      const { code, stderr } = await move(from, to);
      assert.deepEqual([code, stderr], [0, '']);
      assert.deepEqual(await namesIn(to), ['Ada', 'Rex']);
    });

  it('a database that does not exist, is empty, in memory or out of reach', async (t) => {
    const file = await storeWith(t, server, 'sqlite');
    const fresh = await newStore(t, server, 'sqlite');
    const empty = await createDatabase(server);
    assertRefused(await move(fresh, empty), 2, /there is no database .*pets\.db/);
    assertRefused(
      await move(empty, fresh),
      2,
      /the database \S+ is empty: it is not an Animal Store database/,
    );
    assertRefused(
      await move('sqlite::memory:', empty),
      2,
      /in memory can only be used by the service itself/,
    );
    assertRefused(await move(file, 'sqlite::memory:'), 2, /in memory can only be used by the service itself/);
    assertRefused(await move(UNREACHABLE, fresh), 3, /cannot use the database postgres:\/\/127\.0\.0\.1/);
    assertRefused(await move(file, UNREACHABLE), 3, /cannot use the database postgres:\/\/127\.0\.0\.1/);
    assert.deepEqual(await readdir(dirname(pathOf(fresh))), []);
    const sql = connect(empty);
    assert.deepEqual([...(await sql`SELECT 1 FROM pg_namespace WHERE nspname = 'animal_store'`)], []);
    await sql.end();
  });

  it('text that PostgreSQL cannot store, which only a change by hand can put into an SQLite file', async (t) => {
    const from = await storeWith(t, server, 'sqlite');
    const to = await createDatabase(server);
    const db = new DatabaseSync(pathOf(from));
    db.exec("UPDATE pets SET name = 'Rex' || char(0)");
    db.close();
    assertRefused(await move(from, to), 2, /cannot use the database \S+: invalid byte sequence .* 0x00/);
    assert.deepEqual(await namesIn(to), []);
  });

  it('a folder in which it cannot create a file, and a disk that is too small', async (t) => {
    const from = await storeWithMany(server, 20_000);
    const folder = await temporaryFolder(t);
    await writeFile(join(folder, 'file'), '');
    assertRefused(
      await move(from, `sqlite:${join(folder, 'file', 'pets.db')}`),
      2,
      /cannot use the database \S+pets\.db: /,
    );
    if (!isRootWith(t, 'unshare', 'mount')) return;
    // The mount is in a namespace of its own: it disappears with the process.
    const small = 'mount -t tmpfs -o size=1m small . && cd "$PWD" && "$@"; code=$?; ls -A; exit $code';
    const args = ['move', '--database', from, '--to', 'sqlite:pets.db'];
    const command = ['unshare', '-m', 'sh', '-c', small, 'sh', process.execPath, MAIN, ...args];
    const moved = launch(t, command, { cwd: folder });
    assert.deepEqual(await moved.ended(), { code: 3, signal: null });
    assert.equal(
      moved.output(),
      `animal-store: cannot use the database ${join(folder, 'pets.db')}: database or disk is full\n`,
    );
  });
});
