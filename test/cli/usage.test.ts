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
import { animalStore, type Finished } from '../support/service/process.ts';
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
/** Long enough for a key. */
const LONG = 'x'.repeat(24);
const ROOT = join(import.meta.dirname, '../..');

function assertRefused({ code, stdout, stderr }: Finished, says: RegExp): void {
  assert.match(stderr, /^animal-store: [^\n]+\n$/, 'exactly one line');
  assert.match(stderr, says);
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
}

describe('animal-store --help', { concurrency: 4 }, () => {
  it('lists every command', async () => {
    for (const args of [['--help'], ['help'], ['-h']]) {
      const { code, stdout, stderr } = await runCommand(args);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      for (const command of commands) assert.match(stdout, new RegExp(`^  ${command}  +\\S`, 'm'));
    }
  });

  it('lists the commands of a group after its first word', async () => {
    for (const line of ['keys --help', 'keys -h', 'help keys']) {
      const { code, stdout } = await runCommand(line.split(' '));
      assert.equal(code, 0);
      assert.deepEqual(
        stdout.match(/^ {2}\w+ \w+(?= {2})/gm),
        ['create', 'list', 'update', 'revoke', 'rotate'].map((word) => `  keys ${word}`),
      );
    }
  });

  for (const command of commands) {
    it(`explains ${command}, even if other arguments are wrong`, async () => {
      const { code, stdout, stderr } = await runCommand([...command.split(' '), '--help'], UNUSABLE);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      assert.match(stdout, new RegExp(`^animal-store ${command}\\b.*\\[flags\\]\\n\\S`));
      assert.match(stdout, /^ {2}--help +\S/m);
      for (const args of [
        [...command.split(' '), '-h'],
        ['help', ...command.split(' ')],
      ])
        assert.deepEqual(await runCommand(args, UNUSABLE), { code: 0, stdout, stderr: '' });
    });
  }

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
    const { stdout: move } = await runCommand(['move', '--help'], UNUSABLE);
    assert.match(move, /Stop the service/);
  });

  it('works through npx in the checkout', async (t) => {
    // Offline, so that npx cannot use a package of the same name from the registry.
    const npx = launch(t, ['npx', 'animal-store', '--help'], {
      cwd: ROOT,
      env: { npm_config_offline: 'true' },
    });
    assert.equal((await npx.ended()).code, 0, npx.output());
    assert.match(npx.output(), /^ {2}keys create {2,}\S/m);
  });
});

describe('A command that a message advises', { concurrency: 2 }, () => {
  it('names the database that was given, quoted for the shell, on one line', async (t) => {
    const folder = await temporaryFolder(t);
    const url = "sqlite:the shop's $(touch owned)\n\u001b[31m \u202e–\\n.db";
    const run = async (args: string[], env = {}) => {
      const { stdout, stderr } = await runCommand(args, env, folder);
      return stdout + stderr;
    };
    const create = ['keys', 'create', '--name', 'office'];
    const calls: [string[], RegExp, string[]][] = [
      [['seed', '1', '--create'], /^The store .* Create one: (.*)$/m, create],
      [['keys', 'list'], /^There are no keys yet\. Create one: (.*)$/m, create],
      [['keys', 'revoke', '9'], /no key 9: see all keys with (.*)$/m, ['keys', 'list']],
      [['doctor'], /no valid API key\n +-> (.*)$/m, create],
      [['doctor'], / or schedule (.*); give/, ['backup', 'FILE']],
    ];
    for (const [args, pattern, words] of calls)
      for (const output of [
        await run([...args, '--database', url], { DATABASE_URL: 'sqlite:other.db' }),
        await run(args, { DATABASE_URL: url }),
      ]) {
        const command = `printf '%s|' ${pattern.exec(output)?.[1]}`;
        const { stdout } = spawnSync('bash', ['-c', command], {
          cwd: folder,
          encoding: 'utf8',
          env: { LC_ALL: 'C' },
        });
        const name = `sqlite:${join(folder, url.slice('sqlite:'.length))}`;
        assert.deepEqual(stdout.split('|'), ['animal-store', ...words, '--database', name, ''], output);
      }
    assert.match(
      await run(['doctor', '--database', url]),
      /^(?:(?:ok|notice|problem| {24}->) .*\n)+\nFound 1 problem\.\n$/,
    );
    await run(['backup', 'copy.db', '--database', url]);
    const restored = await run(['restore', 'copy.db', '--database', 'sqlite:new.db']);
    assert.match(restored, / animal-store keys list --database sqlite:\/\S+\/new\.db\n$/);
  });

  it('names the default database when DATABASE_URL is another one', async (t) => {
    const folder = await temporaryFolder(t);
    const seed = ['seed', '1', '--create'];
    const seeded = await runCommand(seed, {}, folder);
    assert.match(seeded.stdout, /: animal-store keys create --name office\n$/);
    const { stdout } = await runCommand(
      [...seed, '--database', 'sqlite:data/animal-store.db'],
      { DATABASE_URL: 'sqlite:other.db' },
      folder,
    );
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

describe('animal-store --version', () => {
  it('prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    for (const word of ['--version', '-v', '-V', 'version'])
      assert.deepEqual(await runCommand([word]), { code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

it('exit code 3 says that the database cannot be used now', async (t) => {
  const file = join(await temporaryFolder(t), 'pets.db');
  await (await openStore(`sqlite:${file}`)).close();
  const other = new DatabaseSync(file);
  t.after(() => other.close());
  other.exec('BEGIN EXCLUSIVE');
  const unreachable = `postgres://127.0.0.1:${await freePort()}/pets`;
  for (const [DATABASE_URL, ...command] of [
    [`sqlite:${file}`, 'keys', 'create', '--name', 'office'],
    [unreachable, 'keys', 'create', '--name', 'office'],
    [unreachable, 'serve', '--port', '0'],
  ] as const) {
    const { code, stderr } = await runCommand(command, { DATABASE_URL });
    assert.match(
      stderr,
      /^animal-store: [^\n]*(?:locked[^\n]*|ECONNREFUSED[^\n]*: start PostgreSQL, or correct its host and port)\n$/,
    );
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

describe('A usage error', { concurrency: 4 }, () => {
  type Call = [string[], RegExp, Record<string, string>?];
  const calls: Call[] = [
    [[], /no command was given: animal-store --help lists the commands\n/],
    [['frobnicate'], /no command "frobnicate": animal-store --help lists the commands\n/],
    [['frobnicate', '--help'], /no command "frobnicate": animal-store --help lists /],
    [['help', 'frobnicate'], /no command "frobnicate": animal-store --help lists /],
    [['serv', '--database', 'postgres://u:hidden@h/x'], /no command "serv": animal-store --help lists /],
    [['keys', 'frobnicate', '3'], /no command "keys frobnicate 3": animal-store keys --help lists /],
    [['pets', 'list'], /no command "pets list": animal-store --help lists /],
    [['version', 'now'], /no command "version now"/],
    [['serve', '--version'], /--version/],
    [['keys'], /no command "keys": animal-store keys --help lists the commands\n/],
    [['--database=postgres://u:hidden@h/x', 'serve'], /no command was given: animal-store --help lists /],
    [['serve', '--frobnicate'], /there is no flag --frobnicate \(see --help\)/],
    [
      ['serve', '-p', '80'],
      /there is no flag -p; an argument that begins with a hyphen follows all flags and two hyphens \(/,
    ],
    [['categories', 'merge', '-5', '--into=-6'], /follows all flags and two hyphens: -- -5 \(/],
    [['serve', '--port', '1', '--host', 'x', '--port=1'], /--port is given twice/],
    [['serve', 'now'], /usage: animal-store serve \[flags\]/],
    [['serve', '--port'], /--port needs a value: port to listen on; /],
    [['serve', '--reuse-port', '--port', '0'], /--reuse-port needs a value: true lets several processes /],
    [['keys', 'list', '--json=true'], /--json takes no value/],
    ...['x', '65536', '-1', ' 80'].map(
      (port): Call => [['serve', `--port=${port}`], /--port must be a port from 0 to 65535/],
    ),
    [['serve', '--port', '-1'], /--port=-1/],
    [['keys', 'create', '--name', '-$(x)'], /: --name='-\$\(x\)'\n/],
    [['serve'], /^animal-store: PORT must be a port/, { PORT: 'http' }],
    [
      ['serve', '--pages=x', '--log-level=loud', '--backup-keep', '3'],
      /: PORT must [^;]*; --pages must [^;]*; --backup-keep has no effect [^;]*; --log-level must [^;]*\n/,
      { PORT: 'http' },
    ],
    [
      ['serve', '--reuse-port=true', '--backup-dir=backups'],
      process.platform === 'linux'
        ? /in memory exists in one process only: leave out --reuse-port [^;]*; --backup-dir works with SQLite files only: /
        : /--reuse-port works on Linux only/,
      { DATABASE_URL: 'sqlite::memory:' },
    ],
    ...['base-url', 'staging-base-url', 'rate-limit', 'cors-origin', 'trust-proxy', 'backup-dir'].map(
      (flag): Call => [
        ['serve', `--${flag}=`],
        new RegExp(`: --${flag} must not be empty: give it a value, or leave it out\\n`),
      ],
    ),
    ...['/dev/null', '/dev/null/below'].map(
      (path): Call => [
        ['serve', '--backup-dir', path],
        new RegExp(`--backup-dir \\(BACKUP_DIR\\) cannot be used: ${path} is not a folder: name one\\n`),
      ],
    ),
    [['serve', '--database='], /: --database must be sqlite:PATH/],
    ...['every=1h', 'keep=24'].map(
      (flag): Call => [
        ['serve', `--backup-${flag}`],
        /--backup-\w+ has no effect without --backup-dir \(BACKUP_DIR\): add that, or leave it out\n/,
      ],
    ),
    [['serve'], /: BACKUP_EVERY has no effect without --backup-dir/, { BACKUP_EVERY: '1h', BACKUP_DIR: '' }],
    ...['', '[127.0.0.1]', '[]', 'localhost:8080', 'http://localhost', 'a b', '-'].map(
      (host): Call => [['serve', `--host=${host}`], /--host must be an address or a host name without port/],
    ),
    [['serve', '--base-url', 'pets.test/v1'], /--base-url must be/],
    ...['http://u:p@pets.test/v1', 'http://pets.test/v1?x=/v1', 'http://pets.test/v1#f'].map(
      (url): Call => [['serve', '--base-url', url], /--base-url must be/],
    ),
    [['serve'], /STAGING_BASE_URL must be/, { STAGING_BASE_URL: 'https://pets.test/v2' }],
    [
      ['serve'],
      /API_KEYS must contain only visible ASCII characters; key 2 has/,
      { API_KEYS: `${LONG},hidden-pässword` },
    ],
    [
      ['serve'],
      /API_KEYS must contain keys of 24 characters or more; key 2 has 23: replace it/,
      { API_KEYS: `${LONG},hidden-key${LONG.slice(11)}` },
    ],
    [['serve', '--pages', 'yes'], /--pages must be on or off, not "yes"/],
    [['serve'], /LOG_LEVEL must be info or warn or error, not "debug"/, { LOG_LEVEL: 'debug' }],
    ...Object.entries({
      'mysql://root:hidden@host/pets': /DATABASE_URL must be sqlite:PATH, .* or postgres:\/\/…, not "mysql:"/,
      'root:hidden@host/pets': /DATABASE_URL must be sqlite:PATH/,
      'postgres:pets': /DATABASE_URL must be sqlite:PATH/,
      'sqlite://shop/x.db': /write sqlite:shop\/x\.db for a relative path or sqlite:\/\/\/shop\/x\.db for/,
      'sqlite:////shop/x.db': /DATABASE_URL must not name a host/,
      'sqlite:shop.db?mode=ro': /DATABASE_URL must not have parameters/,
      'sqlite:~/shop.db': /DATABASE_URL must not begin with ~/,
      'sqlite:': /DATABASE_URL must name a file, for example sqlite:data/,
      'sqlite:shop/': /DATABASE_URL must name a file/,
      'sqlite:///': /DATABASE_URL must name a file/,
      'sqlite::memory': /DATABASE_URL must be sqlite:PATH/,
      'sqlite:file:x.db': /DATABASE_URL must be sqlite:PATH/,
    }).map(([url, says]): Call => [['serve'], says, { DATABASE_URL: url }]),
    [['serve', '--database', 'pets.db'], /^animal-store: --database must be sqlite:PATH/],
    ...[
      'postgres://u:hidden@h:99999/x',
      'postgres://u:hidden@h/x?frobnicate=1',
      'postgres://u:hidden@h/x?sslmode=on',
    ].map(
      (url): Call => [
        ['keys', 'list', '--database', url],
        /: cannot use the database postgres:\/\/h\S*\/x: (?:its URL must name hosts|the parameter|sslmode)/,
      ],
    ),
    [['serve'], /cannot use the database/],
    ...['yes', 'TRUE', '1', ''].map(
      (word): Call => [['serve', `--reuse-port=${word}`], /--reuse-port must be true or false, not "/],
    ),
    [['serve'], /^animal-store: REUSE_PORT must be true or false, not "on"/, { REUSE_PORT: 'on' }],
    [['keys', 'list'], /DATABASE_URL must be sqlite:PATH/, { DATABASE_URL: 'pets.db' }],
    [
      ['keys', 'list', '--database', 'sqlite:no\nne.db'],
      /there is no database sqlite:\S+\/no\\u000ane\.db: /,
    ],
    [
      ['keys', 'list'],
      /there is no database sqlite:\/\S+\/none\/pets\.db: /,
      { DATABASE_URL: 'sqlite:none/pets.db' },
    ],
    [['keys', 'create', '--name', 'x'], /in memory/, { DATABASE_URL: 'sqlite::memory:' }],
    [['keys', 'create', '--name', '--json'], /--name/],
    ...['90', '0d', '1.5d', '1y', 'tomorrow', ''].flatMap((expires): Call[] =>
      [
        ['create', '--name', 'lent'],
        ['update', '1'],
      ].map((words) => [
        ['keys', ...words, `--expires=${expires}`],
        /--expires must be a time such as 90d, 12h or 30m, or never, not "/,
      ]),
    ),
    [['move'], /--to is required, for example --to postgres:/],
    [['move', '--to', 'mysql://u:hidden@h/x'], /--to must be sqlite:PATH, .*, not "mysql:"/],
    [['move', '--to', 'sqlite:x.db'], /there is no database sqlite:\S+: name the one of the service with /],
    [
      ['move', '--to', 'postgres://h/x'],
      /a database in memory can only be used by the service itself/,
      { DATABASE_URL: 'sqlite::memory:' },
    ],
    [['keys', 'revoke'], /usage: animal-store keys revoke ID/],
    [['keys', 'revoke', '1', '2'], /usage: animal-store keys revoke ID/],
    [['openapi', '--database', 'sqlite:x'], /--database/],
  ];

  for (const [args, says, env = {}] of calls) {
    const line = [...Object.entries(env).map((pair) => pair.join('=')), 'animal-store', ...args].join(' ');
    it(`is ${JSON.stringify(line)}: exit code 2, one line, and nothing created`, async (t) => {
      const cwd = await temporaryFolder(t);
      const isServed = /cannot (?:be )?use/.test(says.source);
      const finished = await (isServed ? animalStore : runCommand)(args, { ...UNUSABLE, ...env }, cwd);
      assertRefused(finished, says);
      assert.ok(!/hidden|pässword/.test(finished.stderr), 'a secret is not printed');
      assert.deepEqual(await readdir(cwd), []);
    });
  }

  it('is not caused by a setting that the command does not use', async (t) => {
    const cwd = await temporaryFolder(t);
    const create = ['keys', 'create', '--name', 'till', '--create'];
    const { code } = await runCommand(create, { PORT: 'http' }, cwd);
    assert.equal(code, 0);
  });

  it('is not caused by a reader that closes the pipe early', async (t) => {
    const main = join(ROOT, 'bin/animal-store.js');
    const head = launch(t, ['sh', '-c', `"${process.execPath}" "${main}" openapi | head -c 1; exit 0`], {
      cwd: ROOT,
    });
    assert.equal((await head.ended()).code, 0);
    assert.equal(head.output(), '{');
  });

  it('is caused by every use of a database that is none, and names it', async (t) => {
    const folder = await temporaryFolder(t);
    await mkdir(join(folder, 'folder.db'));
    await writeFile(join(folder, 'text.db'), 'Rex, Ada\n'.repeat(100));
    await writeFile(join(folder, 'pets.ndjson'), '{"name":"Rex","categoryId":7}\n');
    const calls = ['keys list', 'export', 'import pets.ndjson', 'seed 1', 'backup copy.db'];
    calls.push('restore pets.ndjson', `move --to postgres://127.0.0.1:${await freePort()}/pets`);
    for (const name of ['folder.db', 'text.db'])
      for (const line of calls)
        assertRefused(
          await runCommand(line.split(' '), { DATABASE_URL: `sqlite:${name}` }, folder),
          new RegExp(`(?:cannot use the database \\S*${name}: |${name} is not an Animal Store database)`),
        );
  });

  it('is caused by a database of another program', async (t) => {
    const folder = await temporaryFolder(t);
    const db = new DatabaseSync(join(folder, 'other.db'));
    db.exec('CREATE TABLE other (id)');
    db.close();
    const keys = ['keys', 'list', '--database', 'sqlite:other.db'];
    assertRefused(await runCommand(keys, {}, folder), /belongs to another program: name another file\n/);
  });

  it('is caused by a database that cannot be opened for writing, and says what must hold', async (t) => {
    const folder = await temporaryFolder(t);
    await mkdir(join(folder, 'folder.db'));
    assertRefused(
      await runCommand(['seed', '1'], { DATABASE_URL: 'sqlite:folder.db' }, folder),
      /it must be a file that this account can write, as its folder, on a disk/,
    );
  });

  it('is caused by every use of a database of a newer version', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    await (await openStore(`sqlite:${file}`)).close();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    for (const line of ['serve --port 0', 'keys list']) {
      const finished = await animalStore(line.split(' '), { DATABASE_URL: `sqlite:${file}` });
      assertRefused(finished, /newer version .*update the program/);
    }
  });
});
