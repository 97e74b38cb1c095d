import assert from 'node:assert/strict';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf } from '../../src/keys/format.ts';
import { openStore } from '../../src/store/open.ts';
import { animalStore, spawnService } from '../support/process.ts';
import { call, temporaryFolder } from '../support/service.ts';

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  readonly key?: string;
}

/** A new database, and a function that runs `animal-store keys …` on it and expects success. */
async function start(t: TestContext) {
  const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const keys = async (...args: string[]): Promise<string> => {
    const flags = args[0] === 'create' ? ['--create'] : [];
    const { code, stdout, stderr } = await animalStore(['keys', ...args, ...flags], {
      DATABASE_URL: database,
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    return stdout;
  };
  const json = async <T = Shown>(...args: string[]) => JSON.parse(await keys(...args, '--json')) as T;
  return { database, keys, json };
}

/** The cells of a printed table: columns begin where their titles do. */
function cellsOf(table: string): Record<string, string>[] {
  const [head = '', ...rows] = table.trimEnd().split('\n');
  const titles = [...head.matchAll(/\S+(?: \S+)*/g)].map(({ 0: title, index }) => ({ title, index }));
  return rows.map((row) =>
    Object.fromEntries(
      titles.map(({ title, index }, i) => [title, row.slice(index, titles[i + 1]?.index).trimEnd()]),
    ),
  );
}

describe('animal-store keys create', { concurrency: true }, () => {
  it('prints the key on the first line, the database, and that the key is shown only once', async (t) => {
    const { database, keys } = await start(t);
    const [key = '', blank, ...rest] = (await keys('create', '--name', 'till 3')).split('\n');
    assert.match(key, /^anst_[0-9A-Za-z]{36}$/);
    assert.equal(blank, '');
    assert.match(
      rest.join('\n'),
      /^Created key 1 \(till 3\) in (\S+)\nIt works within a second, until it is revoked\.\n.*cannot be shown again\.\n$/,
    );
    assert.ok(rest[0]?.endsWith(` in ${database}`), 'names the database that was used');
    const listed = (await keys('list')) + (await keys('list', '--json'));
    assert.ok(!listed.includes(key) && !listed.includes(digestOf(key)), 'the key is not listed');
  });

  it('sets the expiry time', async (t) => {
    const { keys, json } = await start(t);
    const times = { '90d': 90 * 86_400_000, '12h': 12 * 3_600_000, '30m': 30 * 60_000 };
    for (const [expires, wanted] of Object.entries(times)) {
      const { createdAt, expiresAt = '' } = await json('create', '--name', expires, '--expires', expires);
      const lifetime = Date.parse(expiresAt) - Date.parse(createdAt);
      assert.ok(Math.abs(lifetime - wanted) < 10_000, `${expires}: ${lifetime} ms`);
      const row = cellsOf(await keys('list')).at(-1);
      assert.equal(row?.EXPIRES, expiresAt.replace(/\.\d+/, ''));
    }
  });
});

describe('animal-store keys create without a database', { concurrency: true }, () => {
  const create = ['keys', 'create', '--name', 'till 3'];

  it('creates no database in the wrong directory, and says what to do', async (t) => {
    const cwd = await temporaryFolder(t);
    for (const env of [
      {},
      { DATABASE_URL: 'sqlite:shop/pets.db' },
      { DATABASE_URL: `sqlite:${cwd}/pets.db` },
    ]) {
      const { code, stdout, stderr } = await animalStore(create, env, cwd);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
      assert.match(
        stderr,
        /^animal-store: there is no database sqlite:\/\S+\.db: .*--database.*--create[^\n]*\n$/,
      );
      assert.ok(stderr.includes(cwd), 'names the database by its absolute path');
    }
    assert.deepEqual(await readdir(cwd), []);
  });

  it('creates the database with --create', async (t) => {
    const cwd = await temporaryFolder(t);
    const { code, stdout } = await animalStore([...create, '--create', '--json'], {}, cwd);
    assert.equal(code, 0);
    const file = join(cwd, 'data/animal-store.db');
    assert.equal(JSON.parse(stdout).database, `sqlite:${file}`);
    await stat(file);
  });

  it('creates the default database if its folder exists', async (t) => {
    const cwd = await temporaryFolder(t);
    await mkdir(join(cwd, 'data'));
    const other = await animalStore(create, { DATABASE_URL: 'sqlite:data/other.db' }, cwd);
    assert.equal(other.code, 2, 'another database is not created');
    assert.equal((await animalStore(create, {}, cwd)).code, 0);
    await stat(join(cwd, 'data/animal-store.db'));
  });
});

describe('animal-store keys list', { concurrency: true }, () => {
  it('says what to do when there are no keys', async (t) => {
    const { database, keys, json } = await start(t);
    await (await openStore(database)).close();
    assert.match(await keys('list'), /^There are no keys yet\. .*animal-store keys create --name .*\n$/);
    assert.deepEqual(await json('list'), []);
  });

  it('shows a table with a row for each key, or the same data as JSON', async (t) => {
    const { database, keys, json } = await start(t);
    const store = await openStore(database);
    await store.createKey({ name: 'a name that is long', digest: 'secret 1' });
    await store.createKey({ name: 'gone', digest: 'secret 2', expiresAt: new Date('2026-01-02T03:04:05Z') });
    await store.createKey({ name: 'lost', digest: 'secret 3' });
    await store.revokeKey('3');
    await store.recordKeyUse([{ id: '1', at: new Date('2026-10-11T12:13:14.156Z') }]);
    await store.close();

    const table = await keys('list');
    const rows = cellsOf(table);
    assert.deepEqual(
      rows.map(({ CREATED, ...row }) => row),
      [
        {
          ID: '1',
          NAME: 'a name that is long',
          STATE: 'active',
          EXPIRES: '-',
          'LAST USED': '2026-10-11T12:13:14Z',
        },
        { ID: '2', NAME: 'gone', STATE: 'expired', EXPIRES: '2026-01-02T03:04:05Z', 'LAST USED': '-' },
        { ID: '3', NAME: 'lost', STATE: 'revoked', EXPIRES: '-', 'LAST USED': '-' },
      ],
    );
    for (const { CREATED = '' } of rows) assert.match(CREATED, DATE);
    const shown = await json<Shown[]>('list');
    assert.deepEqual(
      shown.map(({ id, name, state }) => [id, name, state]),
      rows.map(({ ID, NAME, STATE }) => [ID, NAME, STATE]),
    );
    assert.ok(!`${table}${JSON.stringify(shown)}`.includes('secret'), 'no digest');
  });
});

describe('animal-store keys revoke', { concurrency: true }, () => {
  it('revokes a key permanently', async (t) => {
    const { keys, json } = await start(t);
    const { id } = await json('create', '--name', 'lost');
    await json('create', '--name', 'kept');
    const first = await json('revoke', id);
    assert.equal(first.state, 'revoked');
    assert.match(await keys('revoke', id), /^Key 1 \(lost\) was revoked at \S+Z\.\n$/);
    assert.equal((await json('revoke', id)).revokedAt, first.revokedAt);
    assert.deepEqual(
      (await json<Shown[]>('list')).map(({ state }) => state),
      ['revoked', 'active'],
    );
  });

  it('fails with one line and exit code 1 for an unknown id', async (t) => {
    const { database } = await start(t);
    await (await openStore(database)).close();
    const { code, stdout, stderr } = await animalStore(['keys', 'revoke', '99'], { DATABASE_URL: database });
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.match(stderr, /^animal-store: there is no key 99: [^\n]+\n$/);
  });
});

describe('A key created on the command line', () => {
  it('works in a running service within one second, and stops working within one second after it is revoked', async (t) => {
    const { database, keys, json } = await start(t);
    const { origin } = await spawnService(t, { DATABASE_URL: database });
    const { id, key = '' } = await json('create', '--name', 'till 3');
    await sleep(1000);
    assert.equal((await call(origin, 'GET', '/v1/pets', { key })).status, 200);
    await keys('revoke', id);
    await sleep(1000);
    assert.equal((await call(origin, 'GET', '/v1/pets', { key })).status, 401);
  });
});
