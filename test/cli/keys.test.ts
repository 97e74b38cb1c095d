import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { digestOf } from '../../src/keys/format.ts';
import { openStore } from '../../src/store/open.ts';
import { runCommand } from '../support/service/command.ts';
import { spawnService } from '../support/service/process.ts';
import { assertSoonRefused } from '../support/service/refused-key.ts';
import { call, temporaryFolder } from '../support/service/service.ts';

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  readonly key?: string;
  readonly expiresSoon: boolean;
  readonly neverUsed: boolean;
  readonly replaces?: Shown;
}

/** A new database, and a function that runs `animal-store keys …` on it and expects success. */
async function start(t: TestContext) {
  const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const keys = async (...args: string[]): Promise<string> => {
    const flags = args[0] === 'create' ? ['--create'] : [];
    const { code, stdout, stderr } = await runCommand(['keys', ...args, ...flags], {
      DATABASE_URL: database,
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await keys(...args, '--json')) as Shown;
  const list = async () =>
    JSON.parse(`[${(await keys('list', '--json')).trimEnd().replaceAll('\n', ',')}]`) as Shown[];
  return { database, keys, json, list };
}

/** The cells of a printed table, which ends with an empty line: columns begin where their titles do. */
function cellsOf(table: string): Record<string, string>[] {
  const [head = '', ...rows] = (table.split('\n\n')[0] ?? '').trimEnd().split('\n');
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
      /^Created key 1 \(till 3\) in (\S+)\nIt has full access\.\nIt works at once, until it is revoked\.\n.*cannot be shown again\.\n$/,
    );
    assert.ok(rest[0]?.endsWith(` in ${database}`), 'names the database that was used');
    const listed = (await keys('list')) + (await keys('list', '--json'));
    assert.ok(!listed.includes(key) && !listed.includes(digestOf(key)), 'the key is not listed');
  });

  it('limits the key to the given scopes', async (t) => {
    const { database, keys, json, list } = await start(t);
    const { scopes, key = '' } = await json('create', '--name=display', '--scopes=store:read, pets:read');
    assert.deepEqual(scopes, ['pets:read', 'store:read']);
    const till = await keys('create', '--name', 'till', '--scopes', 'store:write');
    assert.match(till, /\nScopes: store:write\n/);
    assert.deepEqual(
      cellsOf(await keys('list')).map(({ SCOPES }) => SCOPES),
      ['pets:read,store:read', 'store:write'],
    );
    assert.deepEqual((await list())[1]?.scopes, ['store:write']);
    const rotated = await json('rotate', '1');
    assert.deepEqual(rotated.scopes, scopes);
    const { origin } = await spawnService(t, { DATABASE_URL: database });
    assert.equal((await call(origin, 'GET', '/v1/pets', { key })).status, 200);
    assert.equal((await call(origin, 'DELETE', '/v1/pets/1', { key })).status, 403);
  });

  it('refuses scopes and names that are none, with what to do', async (t) => {
    const { database } = await start(t);
    const run = (...args: string[]) =>
      runCommand(['keys', 'create', '--create', ...args], { DATABASE_URL: database });
    for (const scopes of ['', 'pets', '*,pets:read', 'pets:read,pets:read', 'pets:read store:read']) {
      const { code, stderr } = await run('--name', 'till', '--scopes', scopes);
      assert.equal(code, 2, scopes);
      assert.match(stderr, /--scopes must be \* alone, or one or more of pets:read, .*separated by commas/);
    }
    for (const name of ['', ' ', 'a\nb', '\u001b[31mred', 'x'.repeat(101)]) {
      const { code, stderr } = await run('--name', name);
      assert.equal(code, 2, name);
      assert.match(stderr, /--name must be 1 to 100 printable characters/);
    }
    assert.match((await run()).stderr, /--name is required/);
  });

  it('sets the expiry time', async (t) => {
    const { keys, json } = await start(t);
    const times = { '90d': 90 * 86_400_000, '12h': 12 * 3_600_000, '30m': 30 * 60_000 };
    for (const [expires, wanted] of Object.entries(times)) {
      const before = Date.now();
      const { expiresAt = '' } = await json('create', '--name', expires, '--expires', expires);
      const from = Date.parse(expiresAt) - wanted;
      assert.ok(before <= from && from <= Date.now(), `${expires}: ${expiresAt}`);
      const row = cellsOf(await keys('list')).at(-1);
      assert.equal(row?.EXPIRES, expiresAt.replace(/\.\d+/, ''));
    }
    assert.equal((await json('create', '--name', 'till', '--expires', 'never')).expiresAt, undefined);
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
      const { code, stdout, stderr } = await runCommand(create, env, cwd);
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
    const { code, stdout } = await runCommand([...create, '--create', '--json'], {}, cwd);
    assert.equal(code, 0);
    const file = join(cwd, 'data/animal-store.db');
    assert.equal(JSON.parse(stdout).database, `sqlite:${file}`);
    await stat(file);
  });

  it('creates none in a folder that exists, not even the default one', async (t) => {
    const cwd = await temporaryFolder(t);
    await mkdir(join(cwd, 'data'));
    for (const args of [create, ['seed', '1'], ['import', '-', '--format', 'csv']]) {
      const { code, stderr } = await runCommand(args, {}, cwd);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /^animal-store: there is no database sqlite:\S+\.db: .*--create[^\n]*\n$/);
    }
    assert.deepEqual(await readdir(join(cwd, 'data')), []);
  });
});

describe('animal-store keys list', { concurrency: true }, () => {
  it('says what to do when there are no keys', async (t) => {
    const { database, keys } = await start(t);
    await (await openStore(database)).close();
    assert.match(await keys('list'), /^There are no keys yet\. .*animal-store keys create --name .*\n$/);
    assert.equal(await keys('list', '--json'), '');
  });

  it('shows a table with a row for each key, or the same data as JSON', async (t) => {
    const { database, keys, list } = await start(t);
    const store = await openStore(database);
    await store.createKey({ name: 'a name that is long', digest: 'secret 1', scopes: ['*'] });
    await store.createKey({
      name: 'gone',
      digest: 'secret 2',
      scopes: ['*'],
      expiresAt: new Date('2026-01-02T03:04:05Z'),
    });
    await store.createKey({ name: 'lost', digest: 'secret 3', scopes: ['pets:read'] });
    await store.revokeKey('3');
    await store.recordKeyUse([{ id: '1', at: new Date('2026-10-11T12:13:14.156Z') }]);
    await store.close();

    const table = await keys('list');
    const rows = cellsOf(table);
    assert.deepEqual(
      rows.map(({ CREATED, ...row }) => Object.values(row)),
      [
        ['1', 'a name that is long', '*', 'active', '-', '2026-10-11T12:13:14Z', ''],
        ['2', 'gone', '*', 'expired', '2026-01-02T03:04:05Z', '-', ''],
        ['3', 'lost', 'pets:read', 'revoked', '-', '-', ''],
      ],
    );
    for (const { CREATED = '' } of rows) assert.match(CREATED, DATE);
    const shown = await list();
    assert.deepEqual(
      shown.map(({ id, name, state }) => [id, name, state]),
      rows.map(({ ID, NAME, STATE }) => [ID, NAME, STATE]),
    );
    assert.ok(!`${table}${JSON.stringify(shown)}`.includes('secret'), 'no digest');
  });
});

describe('animal-store keys list, for keys that need attention,', { concurrency: true }, () => {
  it('marks those that expire soon or were never used, names who changed them, and says how to replace one', async (t) => {
    const { database, keys, list } = await start(t);
    const store = await openStore(database);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    await store.createKey({ name: 'used', digest: '1', scopes: ['*'], expiresAt: inDays(15) });
    await store.createKey({ name: 'unused', digest: '2', scopes: ['*'] });
    await store.createKey({ name: 'ending', digest: '3', scopes: ['*'], expiresAt: inDays(13) });
    await store.createKey({ name: 'both', digest: '4', scopes: ['*'], expiresAt: inDays(1) });
    await store.createKey({ name: 'revoked', digest: '5', scopes: ['*'] });
    await store.revokeKey('5');
    const [used, unused] = ['1', '2'].map((keyId) => ({ keyId, keyName: 'till' }));
    await store.createKey({ name: 'changed', digest: '6', scopes: ['*'] }, used);
    await store.updateKey('6', { name: 'changed again' }, used);
    await store.revokeKey('6', unused);
    await store.recordKeyUse(['1', '3'].map((id) => ({ id, at: new Date() })));
    await store.createKey({ name: 'lent', digest: '7', scopes: ['*'], expiresAt: inDays(2) });
    await store.close();
    const db = new DatabaseSync(database.replace('sqlite:', ''));
    db.exec('UPDATE api_keys SET created_at = created_at - 8640000000 WHERE id < 7');
    db.close();
    const [table = '', hint] = (await keys('list')).split('\n\n');
    assert.deepEqual(
      cellsOf(table).map(({ NOTE }) => NOTE),
      [
        '',
        'never used',
        'expires soon',
        'expires soon, never used',
        '',
        'created by 1, changed by 1, revoked by 2',
        'never used',
      ],
    );
    assert.equal(
      hint,
      `Replace key 3 before it expires: animal-store keys rotate 3 --database ${database}\n`,
    );
    assert.deepEqual(
      (await list()).map(({ expiresSoon, neverUsed }) => [expiresSoon, neverUsed]),
      [
        [false, false],
        [false, true],
        [true, false],
        [true, true],
        [false, true],
        [false, true],
        [false, true],
      ],
    );
  });
});

it('A key whose replacement is revoked: keys list and the doctor say how to create another, quoted for the shell', async (t) => {
  const { database, keys } = await start(t);
  const name = `-$(touch owned) 'till' "3"`;
  await keys('create', `--name=${name}`, '--expires', '36h');
  await keys('rotate', '1');
  await keys('revoke', '2');
  const { stdout } = await runCommand(['doctor', '--database', database]);
  const cwd = await temporaryFolder(t);
  for (const text of [await keys('list'), stdout]) {
    const [, command = ''] = /(?:expires: |-> )(animal-store keys create .*)/.exec(text) ?? [];
    const words = spawnSync('sh', ['-c', `printf '%s\\n' ${command}`], { cwd, encoding: 'utf8' }).stdout;
    const expected = ['animal-store', 'keys', 'create', `--name=${name}`, '--expires=36h', '--database'];
    assert.deepEqual(words.split('\n'), [...expected, database, ''], text);
  }
});

describe('animal-store keys rotate', { concurrency: true }, () => {
  const HOUR = 3_600_000;
  const msUntil = (time = '') => Date.parse(time) - Date.now();
  const isAbout = (ms: number, expected: number) => assert.ok(Math.abs(ms - expected) < HOUR / 2, `${ms} ms`);

  it('creates a key with the same name and lifetime, and lets the old one expire after the overlap', async (t) => {
    const { database, keys, json } = await start(t);
    const old = await json('create', '--name', 'till 3', '--expires', '90d');
    const { key = '', replaces, ...created } = await json('rotate', old.id);
    assert.equal(created.name, 'till 3');
    assert.notEqual(created.id, old.id);
    isAbout(msUntil(created.expiresAt), 90 * 24 * HOUR);
    assert.equal(replaces?.id, old.id);
    isAbout(msUntil(replaces?.expiresAt), 24 * HOUR);
    const { origin } = await spawnService(t, { DATABASE_URL: database });
    for (const valid of [old.key ?? '', key])
      assert.equal(
        (await call(origin, 'GET', '/v1/pets', { key: valid })).status,
        200,
        'both work meanwhile',
      );
    assert.doesNotMatch(await keys('list'), /Replace key/, 'what was replaced may expire');
  });

  it('takes another overlap and lifetime, prints the key first, and never extends an expiry', async (t) => {
    const { keys, json, list } = await start(t);
    const unlimited = await json('create', '--name', 'unlimited');
    const [key = '', , ...rest] = (await keys('rotate', unlimited.id, '--overlap', '7d')).split('\n');
    assert.match(key, /^anst_[0-9A-Za-z]{36}$/);
    assert.match(
      rest.join('\n'),
      /until it is revoked\..*\n.*\nKey 1, which it replaces, works until \S+Z\.\n$/,
    );
    isAbout(msUntil((await list())[0]?.expiresAt), 7 * 24 * HOUR);
    const short = await json('create', '--name', 'short', '--expires', '2h');
    const { replaces, expiresAt } = await json('rotate', short.id, '--expires', '30d');
    assert.equal(replaces?.expiresAt, short.expiresAt);
    isAbout(msUntil(expiresAt), 30 * 24 * HOUR);
  });

  it('replaces a key only once', async (t) => {
    const { database, json, list } = await start(t);
    await json('create', '--name', 'till 3');
    await json('rotate', '1');
    const again = await runCommand(['keys', 'rotate', '1'], { DATABASE_URL: database });
    assert.match(again.stderr, /^animal-store: The key was replaced by key 2: rotate that one\.\n$/);
    assert.equal(again.code, 1);
    assert.equal((await list()).length, 2);
  });

  it('fails with one line for a key that is unknown or revoked, and for a wrong time', async (t) => {
    const { database, json, keys, list } = await start(t);
    await json('create', '--name', 'gone');
    await keys('revoke', '1');
    const expected: [string[], number, RegExp][] = [
      [['99'], 1, /^animal-store: there is no key 99: [^\n]+\n$/],
      [['1'], 1, /^animal-store: The key is revoked: create a new one\.\n$/],
      [['1', '--overlap', 'soon'], 2, /^animal-store: --overlap must be a time such as 90d, [^\n]+\n$/],
      [['1', '--expires', '0d'], 2, /^animal-store: --expires must be a time such as 90d, [^\n]+\n$/],
      [[], 2, /^animal-store: usage: animal-store keys rotate ID [^\n]+\n$/],
    ];
    for (const [args, code, says] of expected) {
      const finished = await runCommand(['keys', 'rotate', ...args], { DATABASE_URL: database });
      assert.match(finished.stderr, says);
      assert.deepEqual({ code: finished.code, stdout: finished.stdout }, { code, stdout: '' });
    }
    assert.equal((await list()).length, 1);
  });
});

describe('animal-store keys update', { concurrency: true }, () => {
  it('changes what is given: the name, the scopes or the expiry', async (t) => {
    const { keys, json, list } = await start(t);
    const created = await json('create', '--name', 'till', '--scopes', 'pets:write,store:write');
    const before = Date.now();
    const lines = (await keys('update', '1', '--name', 'till 4', '--expires', '90d')).split('\n');
    assert.deepEqual(lines.slice(0, 2), ['Changed key 1 (till 4).', 'Scopes: pets:write, store:write']);
    assert.match(lines.slice(2).join('\n'), /^It works until \S+Z\.\n$/);
    const narrowed = await json('update', '1', '--scopes', 'store:read, pets:read');
    assert.deepEqual([narrowed.name, narrowed.scopes], ['till 4', ['pets:read', 'store:read']]);
    const from = Date.parse(narrowed.expiresAt ?? '') - 90 * 86_400_000;
    assert.ok(before <= from && from <= Date.now(), `${narrowed.expiresAt}`);
    assert.equal(
      await keys('update', '1', '--expires', 'never', '--scopes', '*'),
      'Changed key 1 (till 4).\nIt has full access.\nIt works until it is revoked.\n',
    );
    const [listed] = await list();
    assert.deepEqual(
      [listed?.name, listed?.scopes, listed?.expiresAt, listed?.createdAt],
      ['till 4', ['*'], undefined, created.createdAt],
    );
  });

  it('fails with one line for a key that is unknown or revoked, and for a wrong value', async (t) => {
    const { database, json, keys, list } = await start(t);
    await json('create', '--name', 'gone');
    await json('create', '--name', 'till');
    await keys('revoke', '1');
    const expected: [string[], number, RegExp][] = [
      [['99', '--name', 'x'], 1, /there is no key 99: see all keys with animal-store keys list --database /],
      [['1', '--name', 'x'], 1, /The key is revoked: create a new one\./],
      [['2'], 2, /nothing to change: give --name, --scopes or --expires/],
      [['2', '--name', ' '], 2, /--name must be 1 to 100 printable characters/],
      [
        ['2', '--scopes', 'pets:sell'],
        2,
        /--scopes must be \* alone, or one or more of .*separated by commas/,
      ],
      [['2', '--expires', 'soon'], 2, /--expires must be a time such as 90d, 12h or 30m/],
      [['--name', 'x'], 2, /usage: animal-store keys update ID \[flags\]/],
    ];
    for (const [args, code, says] of expected) {
      const finished = await runCommand(['keys', 'update', ...args], { DATABASE_URL: database });
      assert.match(finished.stderr, /^animal-store: [^\n]+\n$/);
      assert.match(finished.stderr, says);
      assert.deepEqual({ code: finished.code, stdout: finished.stdout }, { code, stdout: '' });
    }
    assert.deepEqual(
      (await list()).map(({ name }) => name),
      ['gone', 'till'],
    );
  });
});

describe('animal-store keys revoke', { concurrency: true }, () => {
  it('revokes a key permanently', async (t) => {
    const { keys, json, list } = await start(t);
    const { id } = await json('create', '--name', 'lost');
    await json('create', '--name', 'kept');
    const first = await json('revoke', id);
    assert.equal(first.state, 'revoked');
    assert.match(await keys('revoke', id), /^Key 1 \(lost\) was revoked at \S+Z\.\n$/);
    assert.equal((await json('revoke', id)).revokedAt, first.revokedAt);
    await json('rotate', '2');
    assert.match(
      await keys('revoke', '2'),
      /was revoked at \S+Z\.\nKey 3, which replaces it, is not: animal-store keys revoke 3 --database \S+\n$/,
    );
    assert.deepEqual(
      (await list()).map(({ state }) => state),
      ['revoked', 'revoked', 'active'],
    );
  });
});

describe('A key created on the command line', () => {
  it('works in a running service at once, and stops working within one second after it is revoked', async (t) => {
    const { database, keys, json } = await start(t);
    const { origin } = await spawnService(t, { DATABASE_URL: database });
    const { id, key = '' } = await json('create', '--name', 'till 3');
    assert.equal((await call(origin, 'GET', '/v1/pets', { key })).status, 200);
    await keys('revoke', id);
    await assertSoonRefused([origin], key);
  });
});
