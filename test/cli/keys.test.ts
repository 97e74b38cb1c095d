import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { digestOf } from '../../src/keys/format.ts';
import { openStore } from '../../src/store/open.ts';
import { runCommand } from '../support/service/command.ts';
import { temporaryFolder } from '../support/service/service.ts';

const KEY = /^anst_[0-9A-Za-z]{36}$/;
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  readonly expiresSoon: boolean;
  readonly neverUsed: boolean;
  readonly replaces?: Shown;
}

const folder = await temporaryFolder({ after });

/** A function that runs `animal-store keys …` on a database of its own. */
function commandsOn(name: string) {
  const file = join(folder, name);
  const database = `sqlite:${file}`;
  const run = (...args: string[]) => runCommand(['keys', ...args], { DATABASE_URL: database });
  const keys = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await keys(...args, '--json')) as Shown;
  const list = async () =>
    (await keys('list', '--json')).split('\n').flatMap((line) => (line ? [JSON.parse(line) as Shown] : []));
  return { file, database, run, keys, json, list };
}

/** Asserts that a time is about as far away as given. */
const assertIn = (ms: number, time: string | undefined) =>
  assert.ok(Math.abs(Date.parse(time ?? '') - Date.now() - ms) < 600_000, `${time}`);

/** The cells of a printed table, which ends with an empty line: columns begin where their titles do. */
function cellsOf(table: string): string[][] {
  const [head = '', ...rows] = (table.split('\n\n')[0] ?? '').trimEnd().split('\n');
  const starts = [...head.matchAll(/\S+(?: \S+)*/g)].map(({ index }) => index);
  return rows.map((row) => starts.map((start, i) => row.slice(start, starts[i + 1]).trimEnd()));
}

describe('animal-store keys', () => {
  it('creates, changes, rotates and revokes a key: each says what it did, and prints a new key first and once', async () => {
    const { database, keys, json, list } = commandsOn('texts.db');
    const [key = '', ...created] = (await keys('create', '--name', 'till 3', '--create')).split('\n');
    assert.match(key, KEY);
    assert.match(
      created.join('\n'),
      /^\nCreated key 1 \(till 3\) in (\S+)\nIt has full access\.\nIt works at once, until it is revoked\.\n.*cannot be shown again\.\n$/,
    );
    assert.ok(created[1]?.endsWith(` in ${database}`), 'names the database that was used');

    const changes = ['--name', 'till 4', '--scopes', 'store:write, pets:read', '--expires', '90d'];
    const changed = await keys('update', '1', ...changes);
    assert.match(
      changed,
      new RegExp(
        `^Changed key 1 \\(till 4\\)\\.\nScopes: pets:read, store:write\nIt works until ${TIME}\\.\n$`,
      ),
    );
    assertIn(90 * DAY_MS, (await list())[0]?.expiresAt);

    const [next = '', ...rotated] = (await keys('rotate', '1', '--overlap', '7d')).split('\n');
    assert.match(next, KEY);
    assert.match(rotated.join('\n'), new RegExp(`\nKey 1, which it replaces, works until ${TIME}\\.\n$`));
    const [old, successor] = await list();
    assertIn(7 * DAY_MS, old?.expiresAt);
    assertIn(90 * DAY_MS, successor?.expiresAt);
    assert.deepEqual([successor?.name, successor?.scopes], ['till 4', ['pets:read', 'store:write']]);

    const revoked = await keys('revoke', '1');
    const also = `Key 2, which replaces it, is not: animal-store keys revoke 2 --database ${database}`;
    assert.match(revoked, new RegExp(`^Key 1 \\(till 4\\) was revoked at ${TIME}\\.\n`));
    assert.ok(revoked.endsWith(`\n${also}\n`), revoked);
    const { state, revokedAt } = await json('revoke', '1');
    assert.equal(state, 'revoked');
    assert.equal(revokedAt, (await list())[0]?.revokedAt);

    const unlimited = await json('update', '2', '--expires', 'never', '--scopes', '*');
    assert.deepEqual([unlimited.expiresAt, unlimited.scopes], [undefined, ['*']]);
    const { replaces, expiresAt } = await json('rotate', '2', '--expires', '30d');
    assertIn(30 * DAY_MS, expiresAt);
    assert.equal(replaces?.id, '2');
    assertIn(DAY_MS, replaces?.expiresAt);
    const lent = await json('create', '--name=lent', '--scopes=pets:read', '--expires=12h');
    assert.deepEqual(lent.scopes, ['pets:read']);
    assertIn(DAY_MS / 2, lent.expiresAt);

    const listed = (await keys('list')) + (await keys('list', '--json'));
    for (const secret of [key, next])
      assert.ok(!listed.includes(secret) && !listed.includes(digestOf(secret)), 'the key is not listed');
  });

  it('fails with one line that says what to do, and changes nothing', async () => {
    const { database, run, keys, list } = commandsOn('errors.db');
    await keys('create', '--name', 'gone', '--create');
    await keys('revoke', '1');
    const scopes = /--scopes must be \* alone, or one or more of pets:read, .*separated by commas/;
    const name = /--name must be 1 to 100 printable characters/;
    const missing = `there is no key 99: see all keys with animal-store keys list --database ${database}`;
    const calls: [string[], number, RegExp | string][] = [
      [['create'], 2, '--name is required, for example --name "till 3"'],
      [['create', '--name', '\u001b[31mred'], 2, name],
      [['create', '--name', 'x', '--scopes', ''], 2, scopes],
      [['create', '--name', 'x', '--scopes', 'pets:read store:read'], 2, scopes],
      [['update', '1'], 2, 'nothing to change: give --name, --scopes or --expires'],
      [['update', '1', '--name', ' '], 2, name],
      [['update', '1', '--scopes', 'pets:sell'], 2, scopes],
      [['update', '--name', 'x'], 2, /usage: animal-store keys update ID \[flags\]/],
      [['update', '1', '--name', 'x'], 1, 'The key is revoked: create a new one.'],
      [['rotate', '1'], 1, 'The key is revoked: create a new one.'],
      [['rotate', '1', '--overlap', 'soon'], 2, /--overlap must be a time such as 90d, 12h or 30m/],
      [['rotate', '1', '--expires', '0d'], 2, /--expires must be a time such as 90d, 12h or 30m/],
      [['update', '99', '--name', 'x'], 1, missing],
      [['rotate', '99'], 1, missing],
      [['revoke', '99'], 1, missing],
    ];
    const before = await list();
    for (const [args, expected, says] of calls) {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual({ code, stdout }, { code: expected, stdout: '' }, args.join(' '));
      const [, message = ''] = /^animal-store: ([^\n]+)\n$/.exec(stderr) ?? assert.fail(stderr);
      if (typeof says === 'string') assert.equal(message, says);
      else assert.match(message, says);
    }
    assert.deepEqual(await list(), before);
  });

  it('creates no database in the wrong directory, nor in a folder that exists, unless told', async (t) => {
    const cwd = await temporaryFolder(t);
    const create = ['keys', 'create', '--name', 'till 3'];
    await mkdir(join(cwd, 'data'));
    for (const [args, env] of [
      [create, { DATABASE_URL: 'sqlite:shop/pets.db' }],
      [create, {}],
      [['seed', '1'], {}],
      [['import', '-', '--format', 'csv'], {}],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(args, env, cwd);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, args.join(' '));
      assert.match(
        stderr,
        /^animal-store: there is no database sqlite:\S+\.db: .*--database.*--create[^\n]*\n$/,
      );
      assert.ok(stderr.includes(cwd), 'names the database by its absolute path');
    }
    assert.deepEqual(await readdir(cwd, { recursive: true }), ['data']);
    const { code, stdout } = await runCommand([...create, '--create', '--json'], {}, cwd);
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).database, `sqlite:${join(cwd, 'data/animal-store.db')}`);
    assert.ok((await readdir(join(cwd, 'data'))).includes('animal-store.db'));
  });
});

describe('animal-store keys list', () => {
  it('says what to do when there are no keys', async () => {
    const { database, keys } = commandsOn('empty.db');
    await (await openStore(database)).close();
    assert.match(await keys('list'), /^There are no keys yet\. .*animal-store keys create --name .*\n$/);
    assert.equal(await keys('list', '--json'), '');
  });

  it('shows a table or JSON: marks keys that expire soon or were never used, names their authors, and says how to replace one', async () => {
    const { file, database, keys, list } = commandsOn('list.db');
    const store = await openStore(database);
    const add = (name: string, days?: number, by?: string) => {
      const given = { name, digest: `secret ${name}`, scopes: ['pets:read'] } as const;
      const expiry = days === undefined ? {} : { expiresAt: inDays(days) };
      return store.createKey({ ...given, ...expiry }, by ? { keyId: by, keyName: 'till' } : undefined);
    };
    await store.createKey({ name: 'a name that is long', digest: 'secret', scopes: ['*'] });
    const used = { keyId: '1', keyName: 'till' };
    await add('unused');
    await add('in time', 15);
    await add('ending', 13);
    await add('both', 1);
    await add('gone', -1);
    await add('changed', undefined, '1');
    await store.updateKey('7', { name: 'changed again' }, used);
    await store.revokeKey('7', used);
    await add('short', 2);
    const at = new Date('2026-10-11T12:13:14.156Z');
    await store.recordKeyUse(['1', '3', '4'].map((id) => ({ id, at })));
    await store.close();
    const db = new DatabaseSync(file);
    db.exec('UPDATE api_keys SET created_at = created_at - 8640000000 WHERE id < 8');
    db.close();

    const table = await keys('list');
    const rows = cellsOf(table);
    assert.deepEqual(
      rows.map(([id, name, scopes, state, _created, _expires, _used, note]) => [
        id,
        name,
        scopes,
        state,
        note,
      ]),
      [
        ['1', 'a name that is long', '*', 'active', ''],
        ['2', 'unused', 'pets:read', 'active', 'never used'],
        ['3', 'in time', 'pets:read', 'active', ''],
        ['4', 'ending', 'pets:read', 'active', 'expires soon'],
        ['5', 'both', 'pets:read', 'active', 'expires soon, never used'],
        ['6', 'gone', 'pets:read', 'expired', ''],
        ['7', 'changed again', 'pets:read', 'revoked', 'created by 1, changed by 1, revoked by 1'],
        ['8', 'short', 'pets:read', 'active', 'never used'],
      ],
    );
    assert.match(rows[0]?.slice(4, 7).join() ?? '', new RegExp(`^${TIME},-,2026-10-11T12:13:14Z$`));
    assert.match(rows[3]?.[5] ?? '', new RegExp(`^${TIME}$`));
    const hint = `\n\nReplace key 4 before it expires: animal-store keys rotate 4 --database ${database}\n`;
    assert.ok(table.endsWith(hint), table);
    const shown = await list();
    assert.deepEqual(
      shown.map(({ id, name, scopes, state }) => [id, name, scopes.join(), state]),
      rows.map((row) => row.slice(0, 4)),
    );
    const idsOf = (marked: Shown[]) => marked.map(({ id }) => id).join();
    assert.equal(idsOf(shown.filter(({ expiresSoon }) => expiresSoon)), '4,5');
    assert.equal(idsOf(shown.filter(({ neverUsed }) => neverUsed)), '2,5,6,7,8');
    assert.ok(!`${table}${JSON.stringify(shown)}`.includes('secret'), 'no digest');
  });

  it('says how to create another key if the replacement is revoked, quoted for the shell, as the doctor does', async () => {
    const { database, keys } = commandsOn('revoked-replacement.db');
    const name = `-$(touch owned) 'till' "3"`;
    await keys('create', `--name=${name}`, '--expires', '36h', '--create');
    await keys('rotate', '1');
    assert.doesNotMatch(await keys('list'), /Replace key/, 'what was replaced may expire');
    await keys('revoke', '2');
    const { stdout } = await runCommand(['doctor', '--database', database]);
    for (const text of [await keys('list'), stdout]) {
      const [, command = ''] = /(?:expires: |-> )(animal-store keys create .*)/.exec(text) ?? [];
      const printed = spawnSync('sh', ['-c', `printf '%s\\n' ${command}`], { cwd: folder, encoding: 'utf8' });
      const expected = ['animal-store', 'keys', 'create', `--name=${name}`, '--expires=36h', '--database'];
      assert.deepEqual(printed.stdout.split('\n'), [...expected, database, ''], text);
    }
    assert.ok(!(await readdir(folder)).includes('owned'));
  });
});
