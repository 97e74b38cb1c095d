import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { launch } from '../support/launch.ts';
import { animalStore, type Finished } from '../support/process.ts';
import { temporaryFolder } from '../support/service.ts';

const commands = ['serve', 'keys create', 'keys list', 'keys revoke', 'move', 'openapi'];
/** With it, a call that should not have got so far ends all the same. */
const NONSENSE = { DATABASE_URL: 'nonsense:' };
const ROOT = join(import.meta.dirname, '../..');

function assertRefused({ code, stdout, stderr }: Finished, says: RegExp): void {
  assert.match(stderr, /^animal-store: [^\n]+\n$/, 'exactly one line');
  assert.match(stderr, says);
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
}

describe('animal-store --help', { concurrency: 4 }, () => {
  it('tells every command', async () => {
    for (const args of [['--help'], ['help'], ['keys', '--help']]) {
      const { code, stdout, stderr } = await animalStore(args);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      for (const command of commands) assert.match(stdout, new RegExp(`^  ${command}  +\\S`, 'm'));
    }
  });

  for (const command of commands) {
    it(`tells how to use ${command}, whatever else is wrong`, async () => {
      const { code, stdout, stderr } = await animalStore([...command.split(' '), '--help'], NONSENSE);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      assert.match(stdout, new RegExp(`^animal-store ${command}\\b.*\\[flags\\]\\n\\S`));
      assert.match(stdout, /^ {2}--help +\S/m);
    });
  }

  it('tells every setting of the service with its flag, variable and default', async () => {
    const { stdout } = await animalStore(['serve', '--help'], NONSENSE);
    const settings = [
      ['--host', 'HOST', '127.0.0.1'],
      ['--port', 'PORT', '8080'],
      ['--database', 'DATABASE_URL', 'sqlite:data/animal-store.db'],
      ['', 'API_KEYS'],
      ['--base-url', 'BASE_URL'],
      ['--staging-base-url', 'STAGING_BASE_URL'],
      ['--workers', 'WORKERS', '1'],
    ];
    const lines = stdout.split('\n');
    for (const [flag = '', variable = '', fallback = ''] of settings) {
      const line = lines.find((line) => line.includes(`(${variable}`)) ?? '';
      assert.ok(line.trimStart().startsWith(flag) && line.includes(fallback), `${variable}: ${line}`);
    }
    const { stdout: keys } = await animalStore(['keys', 'create', '--help'], NONSENSE);
    for (const flag of ['--name', '--expires', '--json', '--database'])
      assert.ok(keys.includes(`  ${flag} `), flag);
  });

  it('works through npx in the checkout', async (t) => {
    // Offline, so that it cannot be a package of that name from the registry.
    const npx = launch(t, ['npx', 'animal-store', '--help'], {
      cwd: ROOT,
      env: { npm_config_offline: 'true' },
    });
    assert.equal((await npx.ended()).code, 0, npx.output());
    assert.match(npx.output(), /^ {2}keys create {2,}\S/m);
  });
});

describe('A wrong call', { concurrency: 4 }, () => {
  const calls: [string[], RegExp, Record<string, string>?][] = [
    [[], /a command is needed: use one of serve, keys create/],
    [['frobnicate'], /no command "frobnicate"/],
    [['keys'], /no command "keys"/],
    [['keys', 'frobnicate'], /no command "keys frobnicate"/],
    [['--port', '0', 'serve'], /no command/],
    [['serve', '--frobnicate'], /--frobnicate/],
    [['serve', '-p', '80'], /-p/],
    [['serve', 'now'], /usage: animal-store serve \[flags\]/],
    [['serve', '--port'], /--port/],
    ...['x', '65536', '-1', ' 80'].map((port): [string[], RegExp] => [
      ['serve', `--port=${port}`],
      /--port must be a port from 0 to 65535/,
    ]),
    [['serve', '--port', '-1'], /--port/],
    [['serve'], /^animal-store: PORT must be a port/, { PORT: 'http' }],
    [['serve', '--host', ''], /--host must not be empty/],
    [['serve', '--base-url', 'pets.test/v1'], /--base-url must be/],
    ...['http://u:p@pets.test/v1', 'http://pets.test/v1?x=/v1', 'http://pets.test/v1#f'].map(
      (url): [string[], RegExp] => [['serve', '--base-url', url], /--base-url must be/],
    ),
    [['serve'], /STAGING_BASE_URL must be/, { STAGING_BASE_URL: 'https://pets.test/v2' }],
    [['serve'], /API_KEYS must hold visible ASCII/, { API_KEYS: 'good,pässword' }],
    [['serve'], /DATABASE_URL must begin with sqlite:/, { DATABASE_URL: 'mysql://root:hidden@host/pets' }],
    ...['0', '-1', '1.5', 'x', '02', '65', ''].map((count): [string[], RegExp] => [
      ['serve', `--workers=${count}`],
      /--workers must be a whole number from 1 to 64/,
    ]),
    [['serve'], /^animal-store: WORKERS must be a whole number/, { WORKERS: 'two' }],
    [['serve', '--workers', '2'], /in memory belongs to one process/, { DATABASE_URL: 'sqlite::memory:' }],
    [['serve', '--workers', '2'], /DATABASE_URL must begin with sqlite:/],
    [['keys', 'list'], /DATABASE_URL must begin with sqlite:/, { DATABASE_URL: 'pets.db' }],
    [['serve'], /DATABASE_URL names no file/, { DATABASE_URL: 'sqlite:' }],
    [['keys', 'list'], /there is no database none\/pets\.db/, { DATABASE_URL: 'sqlite:none/pets.db' }],
    [['keys', 'create', '--name', 'x'], /in memory/, { DATABASE_URL: 'sqlite::memory:' }],
    [['keys', 'create'], /--name is needed/],
    [['keys', 'create', '--name', ''], /--name is needed/],
    [['keys', 'create', '--name', 'two\nlines'], /--name is needed/],
    [['keys', 'create', '--name', 'x'.repeat(101)], /--name is needed/],
    [['keys', 'create', '--name', '--json'], /--name/],
    ...['90', '0d', '1.5d', '1y', ''].map((expires): [string[], RegExp] => [
      ['keys', 'create', '--name', 'lent', `--expires=${expires}`],
      /--expires must be a time as 90d, 12h or 30m/,
    ]),
    [['keys', 'revoke'], /usage: animal-store keys revoke ID/],
    [['keys', 'revoke', '1', '2'], /usage: animal-store keys revoke ID/],
    [['openapi', '--database', 'sqlite:x'], /--database/],
  ];

  for (const [args, says, env = {}] of calls) {
    const line = [...Object.entries(env).map((pair) => pair.join('=')), 'animal-store', ...args].join(' ');
    it(`is ${JSON.stringify(line)}: exit code 2, one line, and nothing made`, async (t) => {
      const cwd = await temporaryFolder(t);
      const finished = await animalStore(args, { ...NONSENSE, ...env }, cwd);
      assertRefused(finished, says);
      assert.ok(!/hidden|pässword/.test(finished.stderr), 'a secret is not printed');
      assert.deepEqual(await readdir(cwd), []);
    });
  }

  it('is none because of a setting that the command does not use', async (t) => {
    const cwd = await temporaryFolder(t);
    const { code } = await animalStore(['keys', 'create', '--name', 'till'], { PORT: 'http' }, cwd);
    assert.equal(code, 0);
  });

  it('is none because the reader has seen enough', async (t) => {
    const main = join(ROOT, 'src/main.ts');
    const head = launch(t, ['sh', '-c', `"${process.execPath}" "${main}" openapi | head -c 1; exit 0`], {
      cwd: ROOT,
    });
    assert.equal((await head.ended()).code, 0);
    assert.equal(head.output(), '{');
  });

  it('is also any on a database of a newer version', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    await (await openStore(`sqlite:${file}`)).close();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    for (const args of [
      ['serve', '--port', '0'],
      ['serve', '--port', '0', '--workers', '2'],
      ['keys', 'list'],
    ]) {
      assertRefused(
        await animalStore(args, { DATABASE_URL: `sqlite:${file}` }),
        /newer version .*update the program/,
      );
    }
  });
});
