import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { advised } from '../../src/cli/database.ts';
import { readConfig, settings } from '../../src/config.ts';
import { openStore } from '../../src/store/open.ts';
import { runCommand } from '../support/service/command.ts';
import { freePort } from '../support/service/free-port.ts';
import { launch } from '../support/service/launch.ts';
import { animalStore, assertRefused } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';

const commands = [
  'serve',
  'keys create',
  'keys list',
  'keys update',
  'keys revoke',
  'keys rotate',
  'categories merge',
  'backup',
  'restore',
  'doctor',
  'move',
  'openapi',
];
/** A database that cannot be opened, so that a command that is wrongly accepted still exits. */
const UNUSABLE = { DATABASE_URL: 'sqlite:/dev/null/pets.db' };
const ROOT = join(import.meta.dirname, '../..');

describe('animal-store --help', () => {
  it('lists every command, and those of a group after its first word', async () => {
    for (const args of [['--help'], ['help'], ['-h']]) {
      const { code, stdout, stderr } = await runCommand(args);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      for (const command of commands) assert.match(stdout, new RegExp(`^  ${command}  +\\S`, 'm'));
    }
    for (const line of ['keys --help', 'help keys']) {
      const { code, stdout } = await runCommand(line.split(' '));
      assert.equal(code, 0);
      assert.deepEqual(
        stdout.match(/^ {2}\w+ \w+(?= {2})/gm),
        ['create', 'list', 'update', 'revoke', 'rotate'].map((word) => `  keys ${word}`),
      );
    }
  });

  it('explains each command, even if other arguments are wrong', async () => {
    for (const command of commands) {
      const words = command.split(' ');
      const explained = await runCommand([...words, '--help'], UNUSABLE);
      const { code, stdout, stderr } = explained;
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      assert.match(stdout, new RegExp(`^animal-store ${command}\\b.*\\[flags\\]\\n\\S`));
      assert.match(stdout, /^ {2}--help +\S/m);
      for (const args of [
        [...words, '-h'],
        ['help', ...words],
      ])
        assert.deepEqual(await runCommand(args, UNUSABLE), explained);
    }
  });

  it('lists every setting of the service with its flag, variable and default', async () => {
    const { stdout } = await runCommand(['serve', '--help'], UNUSABLE);
    for (const { flag, env, fallback } of Object.values(settings)) {
      const line = stdout.split('\n').find((line) => line.includes(`(${env}`)) ?? '';
      assert.ok(
        line.startsWith(`  ${flag === undefined ? '' : `--${flag} `}`) && line.includes(fallback),
        env,
      );
    }
    const { stdout: keys } = await runCommand(['keys', 'create', '--help'], UNUSABLE);
    for (const flag of ['--name', '--expires', '--create', '--json', '--database'])
      assert.ok(keys.includes(`  ${flag} `), flag);
  });
});

describe('A command that a message advises', () => {
  it('names the database that was given, quoted for the shell, on one line', async (t) => {
    const folder = await temporaryFolder(t);
    const url = "sqlite:the shop's $(touch owned)\n\u001b[31m \u202e–\\n.db";
    const run = async (args: string[], env = {}) => {
      const { stdout, stderr } = await runCommand(args, env, folder);
      return stdout + stderr;
    };
    const create = ['keys', 'create', '--name', 'office'];
    const given = { DATABASE_URL: url };
    const flag = ['--database', url];
    const other = { DATABASE_URL: 'sqlite:other.db' };
    const outputs: [string, RegExp, string[]][] = [
      [await run(['seed', '1', '--create', ...flag], other), /^The store .* Create one: (.*)$/m, create],
      [await run(['keys', 'list'], given), /^There are no keys yet\. Create one: (.*)$/m, create],
      [await run(['doctor', ...flag], other), /no valid API key\n +-> (.*)$/m, create],
      [await run(['doctor'], given), / or schedule (.*); give/, ['backup', 'FILE']],
    ];
    for (const [output, pattern, words] of outputs) {
      const command = `printf '%s|' ${pattern.exec(output)?.[1]}`;
      const options = { cwd: folder, encoding: 'utf8', env: { LC_ALL: 'C' } } as const;
      const { stdout } = spawnSync('bash', ['-c', command], options);
      const name = `sqlite:${join(folder, url.slice('sqlite:'.length))}`;
      assert.deepEqual(stdout.split('|'), ['animal-store', ...words, '--database', name, ''], output);
    }
  });

  it('names the default database only when DATABASE_URL is another one', async (t) => {
    const folder = await temporaryFolder(t);
    const seed = ['seed', '1', '--create'];
    const seeded = await runCommand(seed, {}, folder);
    assert.match(seeded.stdout, /: animal-store keys create --name office\n$/);
    const flag = ['--database', 'sqlite:data/animal-store.db'];
    const { stdout } = await runCommand([...seed, ...flag], { DATABASE_URL: 'sqlite:other.db' }, folder);
    assert.match(stdout, / --database sqlite:\/\S+\/data\/animal-store\.db\n$/);
  });

  it('names a database of PostgreSQL without its password, or by the variable that has it', () => {
    const url = 'postgres://shop:hid@den:x@db1,[::1]:5433/shop?pool_mode=session';
    const config = readConfig(['database'], { database: url }, {});
    assert.equal(
      advised({ config, flags: { database: url } }, 'keys', 'list'),
      "animal-store keys list --database 'postgres://shop@db1,[::1]:5433/shop?pool_mode=session' # with the password in PGPASSWORD",
    );
    const plain = 'postgres://shop@db1/shop';
    const named = advised({ config: { ...config, database: plain }, flags: { database: plain } }, 'doctor');
    assert.equal(named, `animal-store doctor --database ${plain}`);
    assert.equal(
      advised({ config, flags: {} }, 'keys', 'list'),
      'animal-store keys list --database "$DATABASE_URL"',
    );
  });
});

it('animal-store --version prints the version of the package', async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  for (const word of ['--version', '-v', '-V', 'version'])
    assert.deepEqual(await runCommand([word]), { code: 0, stdout: `${version}\n`, stderr: '' });
});

it('exit code 3 says that the database cannot be used now', async (t) => {
  const file = join(await temporaryFolder(t), 'pets.db');
  await (await openStore(`sqlite:${file}`)).close();
  const other = new DatabaseSync(file);
  t.after(() => other.close());
  other.exec('BEGIN EXCLUSIVE');
  const unreachable = { DATABASE_URL: `postgres://user:hidden@127.0.0.1:${await freePort()}/pets` };
  const refused = /ECONNREFUSED[^\n]*: start PostgreSQL, or correct its host and port/;
  const [locked, ...others] = await Promise.all([
    animalStore(['serve', '--port', '0'], { DATABASE_URL: `sqlite:${file}` }),
    animalStore(['serve', '--port', '0'], unreachable),
    runCommand(['keys', 'create', '--name', 'office'], unreachable),
  ]);
  for (const { code, stderr } of [locked, ...others]) {
    assert.match(stderr, /^animal-store: [^\n]+\n$/);
    assert.match(stderr, stderr === locked.stderr ? /locked/ : refused);
    assert.doesNotMatch(stderr, /hidden/);
    assert.equal(code, 3);
  }
});

it('the systemd unit restarts the service unless a person has to change something: exit code 2', async () => {
  const unit = await readFile(join(ROOT, 'deploy/animal-store@.service'), 'utf8');
  assert.match(unit, /^Restart=always$/m);
  assert.match(unit, /^RestartPreventExitStatus=2$/m);
  // Without this, systemd gives up after five starts in ten seconds.
  assert.match(unit, /^StartLimitIntervalSec=0$/m);
});

describe('A usage error', () => {
  type Call = [line: string, says: RegExp, env?: Record<string, string>];
  const calls: Call[] = [
    ['', /no command was given: animal-store --help lists the commands\n/],
    ['frobnicate --help', /no command "frobnicate": animal-store --help lists the commands\n/],
    ['serv --database postgres://u:hidden@h/x', /no command "serv": animal-store --help lists /],
    ['keys frobnicate 3', /no command "keys frobnicate 3": animal-store keys --help lists /],
    ['keys', /no command "keys": animal-store keys --help lists the commands\n/],
    ['--database=postgres://u:hidden@h/x serve', /no command was given: animal-store --help lists /],
    ['serve --frobnicate', /there is no flag --frobnicate \(see --help\)/],
    [
      'serve -p 80',
      /there is no flag -p; an argument that begins with a hyphen follows all flags and two hyphens \(/,
    ],
    ['categories merge -5 --into=-6', /follows all flags and two hyphens: -- -5 \(/],
    ['serve --port 1 --host x --port=1', /--port is given twice/],
    ['serve now', /usage: animal-store serve \[flags\]/],
    ['serve --port', /--port needs a value: port to listen on; /],
    ['keys list --json=true', /--json takes no value/],
    ...['x', '65536', '-1', '%208'].map(
      (port): Call => [`serve --port=${port}`, /--port must be a port from 0 to 65535/],
    ),
    ['serve --port -1', /--port=-1/],
    ['keys create --name -$(x)', /: --name='-\$\(x\)'\n/],
    [
      'serve --pages=x --log-level=loud --backup-keep 3 --reuse-port=',
      /: PORT must [^;]*; --reuse-port must be true or false, not ""; --pages must [^;]*; --backup-keep has no effect [^;]*; --log-level must [^;]*\n/,
      { PORT: 'http' },
    ],
    [
      'serve --reuse-port=true --backup-dir=backups',
      process.platform === 'linux'
        ? /in memory exists in one process only: leave out --reuse-port [^;]*; --backup-dir works with SQLite files only: /
        : /--reuse-port works on Linux only/,
      { DATABASE_URL: 'sqlite::memory:' },
    ],
    ...['base-url', 'staging-base-url', 'rate-limit', 'cors-origin', 'trust-proxy', 'backup-dir'].map(
      (flag): Call => [
        `serve --${flag}=`,
        new RegExp(`: --${flag} must not be empty: give it a value, or leave it out\\n`),
      ],
    ),
    ['serve', /: BACKUP_EVERY has no effect without --backup-dir/, { BACKUP_EVERY: '1h', BACKUP_DIR: '' }],
    ...['', '[127.0.0.1]', '[]', 'localhost:8080', 'http://localhost', 'a%20b', '-'].map(
      (host): Call => [`serve --host=${host}`, /--host must be an address or a host name without port/],
    ),
    ...['pets.test/v1', 'http://u:p@pets.test/v1', 'http://pets.test/v1?x=/v1', 'http://pets.test/v1#f'].map(
      (url): Call => [`serve --base-url=${url}`, /--base-url must be/],
    ),
    ['serve', /STAGING_BASE_URL must be/, { STAGING_BASE_URL: 'https://pets.test/v2' }],
    [
      'serve',
      /API_KEYS must contain only visible ASCII characters; key 2 has/,
      { API_KEYS: `${'x'.repeat(24)},hidden-pässword` },
    ],
    [
      'serve',
      /API_KEYS must contain keys of 24 characters or more; key 2 has 23: replace it/,
      { API_KEYS: `${'x'.repeat(24)},hidden-key${'x'.repeat(13)}` },
    ],
    ...Object.entries({
      'mysql://root:hidden@host/pets': /DATABASE_URL must be sqlite:PATH, .* or postgres:\/\/…, not "mysql:"/,
      'sqlite://shop/x.db': /write sqlite:shop\/x\.db for a relative path or sqlite:\/\/\/shop\/x\.db for/,
      'sqlite:////shop/x.db': /DATABASE_URL must not name a host/,
      'sqlite:shop.db?mode=ro': /DATABASE_URL must not have parameters/,
      'sqlite:~/shop.db': /DATABASE_URL must not begin with ~/,
      'sqlite:shop/': /DATABASE_URL must name a file, for example sqlite:data/,
    }).map(([url, says]): Call => ['serve', says, { DATABASE_URL: url }]),
    ['serve --database pets.db', /^animal-store: --database must be sqlite:PATH/],
    ...['h:99999/x', 'h/x?frobnicate=1', 'h/x?sslmode=on'].map(
      (rest): Call => [
        `keys list --database postgres://u:hidden@${rest}`,
        /: cannot use the database postgres:\/\/h\S*\/x: (?:its URL must name hosts|the parameter|sslmode)/,
      ],
    ),
    ['keys list --database sqlite:no%0Ane.db', /there is no database sqlite:\S+\/no\\u000ane\.db: /],
    ['keys create --name x', /in memory/, { DATABASE_URL: 'sqlite::memory:' }],
    ['keys create --name --json', /--name/],
    ...['90', '0d', '1.5d', '1y', 'tomorrow', ''].map(
      (expires): Call => [
        `keys create --name lent --expires=${expires}`,
        /--expires must be a time such as 90d, 12h or 30m, or never, not "/,
      ],
    ),
    ['keys update 1 --expires=90', /--expires must be a time such as 90d/],
    ['move', /--to is required, for example --to postgres:/],
    ['move --to mysql://u:hidden@h/x', /--to must be sqlite:PATH, .*, not "mysql:"/],
    ['move --to sqlite:x.db', /there is no database sqlite:\S+: name the one of the service with /],
    [
      'move --to postgres://h/x',
      /a database in memory can only be used by the service itself/,
      { DATABASE_URL: 'sqlite::memory:' },
    ],
    ['keys revoke', /usage: animal-store keys revoke ID/],
    ['openapi --database sqlite:x', /--database/],
  ];

  it('has exit code 2, one line without a secret, and creates nothing', async (t) => {
    const cwd = await temporaryFolder(t);
    for (const [line, says, env = {}] of calls) {
      const args = line.split(' ').filter(Boolean).map(decodeURIComponent);
      const finished = await runCommand(args, { ...UNUSABLE, ...env }, cwd);
      assertRefused(finished, says);
      assert.doesNotMatch(finished.stderr, /hidden|pässword/, line);
    }
    assertRefused(
      await animalStore(['serve'], UNUSABLE, cwd),
      /there can be no \/dev\/null\/pets\.db: \/dev\/null is not a folder/,
    );
    assert.deepEqual(await readdir(cwd), []);
  });

  it('is not caused by a setting that the command does not use, or by a reader that closes the pipe early', async (t) => {
    const cwd = await temporaryFolder(t);
    const create = ['keys', 'create', '--name', 'till', '--create'];
    assert.equal((await runCommand(create, { PORT: 'http' }, cwd)).code, 0);
    const main = join(ROOT, 'bin/animal-store.js');
    const head = launch(t, ['sh', '-c', `"${process.execPath}" "${main}" openapi | head -c 1; exit 0`], {
      cwd: ROOT,
    });
    assert.equal((await head.ended()).code, 0);
    assert.equal(head.output(), '{');
  });

  it('is caused by every use of a database that is none, which it names', async (t) => {
    const folder = await temporaryFolder(t);
    const run = (line: string, name: string) =>
      runCommand(line.split(' '), { DATABASE_URL: `sqlite:${name}` }, folder);
    await mkdir(join(folder, 'folder.db'));
    await writeFile(join(folder, 'text.db'), 'Rex, Ada\n'.repeat(100));
    await writeFile(join(folder, 'empty.db'), '');
    for (const line of ['keys list', 'export'])
      assertRefused(
        await run(line, 'empty.db'),
        /empty\.db has no store yet: start the service once, or name/,
      );
    await writeFile(join(folder, 'pets.ndjson'), '{"name":"Rex","categoryId":7}\n');
    const lines = ['keys list', 'export', 'import pets.ndjson', 'seed 1', 'backup copy.db'];
    lines.push('restore pets.ndjson', `move --to postgres://127.0.0.1:${await freePort()}/pets`);
    for (const name of ['folder.db', 'text.db'])
      for (const line of lines)
        assertRefused(
          await run(line, name),
          new RegExp(
            // It is the database that a restore cannot use, not its file.
            `${name} is (?:a folder: name a file in it|not an SQLite database: name another ${line.startsWith('restore') ? 'database, or move it away' : 'file'})`,
          ),
        );
  });
});
