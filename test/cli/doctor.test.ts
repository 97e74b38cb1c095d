import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { checkBackups } from '../../src/cli/doctor/backups.ts';
import { checkDatabase } from '../../src/cli/doctor/database.ts';
import { readConfig } from '../../src/config.ts';
import { openStore } from '../../src/store/open.ts';
import { shellWord } from '../../src/store/shell-word.ts';
import type { Store } from '../../src/store/store.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { TAMPERED } from '../support/database/tampered.ts';
import { runCommand } from '../support/service/command.ts';
import { freePort } from '../support/service/free-port.ts';
import { paste } from '../support/service/paste.ts';
import { spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { spawnCommand } from '../support/service/spawn.ts';
import { isRootWith, notTested } from '../support/service/tools.ts';

interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'notice' | 'problem';
  readonly message: string;
  readonly advice?: string;
}

const CHECKS = ['configuration', 'database', 'integrity', 'clock', 'disk', 'keys', 'backups'];
const given = (database: string) => ({ config: readConfig(['database'], { database }, {}), flags: {} });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

/** A store with one key that was used, changed by `prepare`, and a function that runs the doctor on it. */
async function start(t: TestContext, prepare: (store: Store) => Promise<unknown> = async () => {}) {
  const folder = join(await temporaryFolder(t), "the shop's");
  await mkdir(folder);
  const path = join(folder, 'pets.db');
  const store = await openStore(`sqlite:${path}`);
  const { id } = await store.createKey({ name: 'till 3', digest: 'a', scopes: ['*'] });
  await store.recordKeyUse([{ id, at: new Date() }]);
  await prepare(store);
  await store.close();
  const examine = async (env: Record<string, string> = {}, ...flags: string[]) => {
    const given = { DATABASE_URL: `sqlite:${path}`, ...env };
    const { code, stdout, stderr } = await runCommand(['doctor', '--json', ...flags], given);
    assert.equal(stderr, '');
    const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
    assert.deepEqual({ ok, code }, { ok: code === 0, code: findings.some(isProblem) ? 1 : 0 });
    for (const { advice = '' } of findings)
      for (const command of advice.match(/animal-store (?:\\'|'[^']*'|[^;'.\\]|\.(?! ))*/g) ?? [])
        assert.deepEqual(databaseIn(command), given.DATABASE_URL, advice);
    return findings;
  };
  const problems = async (...args: Parameters<typeof examine>) => (await examine(...args)).filter(isProblem);
  return { folder, path, examine, problems };
}

/** The database that a command names, as a shell reads it. */
function databaseIn(command: string): string | undefined {
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' });
  return /^--database\n(.*)$/m.exec(stdout)?.[1];
}

const isProblem = ({ status }: Finding): boolean => status === 'problem';

/** Asserts that there is exactly one problem, in this check, and that something can be done about it. */
function assertOne(problems: readonly Finding[], check: string, says: RegExp): void {
  assert.equal(problems.length, 1, JSON.stringify(problems));
  assert.equal(problems[0]?.check, check);
  const { message = '', advice = '' } = problems[0] ?? {};
  assert.match(`${message} -> ${advice}`, says);
}

describe('animal-store doctor', { concurrency: 2, timeout: 120_000 }, () => {
  it('finds nothing wrong with a store that is well, beside a running service or not, and changes nothing', async (t) => {
    const { folder, path, examine } = await start(t);
    const before = await readFile(path);
    const findings = await examine();
    assert.deepEqual(
      findings.map(({ check }) => check),
      CHECKS,
    );
    assert.deepEqual(
      findings.filter(({ status }) => status !== 'ok').map(({ check }) => check),
      ['backups'],
    );
    assert.deepEqual(await readdir(folder), ['pets.db']);
    assert.deepEqual(await readFile(path), before);

    const { origin } = await spawnService(t, { DATABASE_URL: `sqlite:${path}` });
    const { code, stdout } = await runCommand(['doctor'], { DATABASE_URL: `sqlite:${path}` });
    assert.equal(code, 0);
    assert.match(stdout, /^ok {7}configuration {2}every setting is valid\n.*\n\nEverything is fine\.\n$/s);
    assert.equal((await call(origin, 'GET', '/readyz')).status, 200);

    const inspection = await inspectStore(`sqlite:${path}`);
    const [database] = checkDatabase(given(`sqlite:${path}`), { ...inspection, versionsBehind: 2 });
    assert.equal(database?.status, 'notice');
    assert.match(database?.message ?? '', /upgrades its schema by 2 version/);
    const [, command = ''] =
      /^back it up before: (animal-store backup FILE .*)$/.exec(database?.advice ?? '') ?? [];
    assert.equal(databaseIn(command), `sqlite:${path}`);
  });

  it('reports every wrong setting and those that do not go together, and checks the rest', async (t) => {
    const { folder, examine, problems } = await start(t);
    const wrong = { PORT: 'http', REUSE_PORT: 'yes', API_KEYS: 'hidden' };
    const findings = await examine(wrong, '--log-level', 'loud');
    const textsOf = (found: Finding[]) =>
      found.flatMap(({ check, message }) => (check === 'configuration' ? [message] : []));
    const text = textsOf(findings).join('\n');
    assert.match(text, /^PORT must .*\nAPI_KEYS must .*\nREUSE_PORT must .*\n--log-level must .*$/);
    assert.doesNotMatch(text, /hidden/);
    assert.deepEqual([...new Set(findings.map(({ check }) => check))], CHECKS);
    const env = { DATABASE_URL: 'sqlite::memory:', BACKUP_DIR: join(folder, 'backups') };
    assert.deepEqual(textsOf(await problems(env)), [
      '--backup-dir works with SQLite files only',
      'the database is in memory: everything is lost when the service stops',
    ]);
  });

  it('says what is wrong with a database that cannot be used, or has no store yet', async (t) => {
    const { folder, path, examine, problems } = await start(t);
    const url = (name: string) => ({ DATABASE_URL: `sqlite:${join(folder, name)}` });
    assertOne(
      await problems(url('none.db')),
      'database',
      /there is no database .*none\.db -> if it was lost, restore a backup: animal-store restore FILE .*; otherwise start the service/,
    );
    const unusable = {
      'text.db': [
        'hello'.repeat(1000),
        /text\.db is not an SQLite database: name another file, or restore a backup -> /,
      ],
      'cut.db': [
        (await readFile(path)).subarray(0, 5000),
        /cut\.db is cut off: it has 5000 of \d+ bytes: .* -> /,
      ],
    } as const;
    for (const [name, [content, says]] of Object.entries(unusable)) {
      await writeFile(join(folder, name), content);
      const findings = await examine(url(name));
      assertOne(findings.filter(isProblem), 'database', says);
      assert.match(
        findings[1]?.advice ?? '',
        /^if it is that of the service, stop it, move .* animal-store restore FILE/,
      );
      assert.ok(!JSON.stringify(findings).includes('animal-store backup'), 'it is not backed up');
    }
    assertOne(
      await problems({ DATABASE_URL: `postgres://u:hidden@127.0.0.1:${await freePort()}/x` }),
      'database',
      /^cannot use the database postgres:\/\/127\.0\.0\.1:\d+\/x: .*ECONNREFUSED.*: start PostgreSQL, or correct its host and port -> $/,
    );
    await writeFile(join(folder, 'empty.db'), '');
    const findings = await examine(url('empty.db'));
    const { status, message = '', advice = '' } = findings.find(({ check }) => check === 'database') ?? {};
    assert.equal(status, 'notice');
    assert.match(message, /empty\.db is empty: the next start of the service creates the store in it$/);
    assert.doesNotMatch(advice, /back/);
  });

  it('mentions files that other accounts can read, and how to change that', async (t) => {
    const { path, examine } = await start(t);
    const access = async () => (await examine()).filter(({ check }) => check === 'access');
    assert.deepEqual(await access(), []);
    await chmod(path, 0o644);
    const reader = new DatabaseSync(path);
    t.after(() => reader.close());
    reader.prepare('SELECT count(*) FROM pets').get();
    const [finding, ...others] = await access();
    assert.deepEqual([finding?.status, others], ['notice', []]);
    assert.match(finding?.message ?? '', /^other accounts of this machine have access to /);
    paste(finding?.advice ?? '');
    assert.deepEqual(await access(), []);
  });

  it('finds damage, also in an index alone', async (t) => {
    const { path, problems } = await start(t, async (store) => {
      for (let n = 0; n < 200; n++)
        await store.createPet({ name: 'x'.repeat(500), categoryId: 1n, status: 'sold' });
    });
    const copy = `${path}.copy`;
    await copyFile(path, copy);
    const index = new DatabaseSync(copy);
    index.enableDefensive(false);
    // Every page is in order; only a comparison with the table shows it.
    index.exec(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'status)', 'category_id)') WHERE name = 'pets_by_status'`);
    index.close();
    const found = (await problems({ DATABASE_URL: `sqlite:${copy}` })).map(({ check }) => check);
    assert.deepEqual(found, ['integrity']);
    const db = new DatabaseSync(path);
    const root = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'pets'").get()?.rootpage);
    db.close();
    const file = await open(path, 'r+');
    // The pointers to the pages of the table.
    await file.write(Buffer.alloc(40, 0xff), 0, 40, (root - 1) * 4096 + 8);
    await file.close();
    assertOne(await problems(), 'integrity', /the database is damaged: .*animal-store restore/);
  });

  it('finds content that the program would never write', async (t) => {
    const { folder, path } = await start(t, async (store) => {
      await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' });
      await store.createOrder({ petId: 1n });
    });
    const changed = join(folder, 'changed.db');
    const database = `sqlite:${changed}`;
    let advice: string | undefined;
    for (const [change, { sql, says }] of Object.entries(TAMPERED)) {
      await copyFile(path, changed);
      const db = new DatabaseSync(changed);
      db.exec(sql);
      db.close();
      const message = await inspectStore(database).then(
        (inspection) => checkDatabase(given(database), inspection)[0],
        (error: Error) => ({ status: 'problem', message: error.message }),
      );
      assert.equal(message?.status, 'problem', change);
      assert.match(message?.message ?? '', says, change);
      advice ??= (message as Finding | undefined)?.advice;
    }
    // What it says is what works, also while the database has animals.
    if (advice?.includes('move the database away')) await rename(changed, `${changed}.away`);
    paste((advice ?? '').replace(/^.*(?=animal-store restore)/, '').replace('FILE', shellWord(path)));
    // Unicode 16 has brought an upper case for this letter.
    await copyFile(path, changed);
    const db = new DatabaseSync(changed);
    db.exec(`UPDATE pets SET name = 'ƛ\ufffd', folded_name = 'ƛ\ufffd';
      INSERT INTO categories (id, name, name_key, name_digest) VALUES (7, 'ƛ', 'ƛ', 'of ƛ')`);
    db.close();
    assert.deepEqual((await inspectStore(database)).problems, []);
    // An older version may lack a column.
    const older = new DatabaseSync(changed);
    older.exec('ALTER TABLE removed_pets RENAME COLUMN reason TO later; PRAGMA user_version = 14');
    older.close();
    assert.deepEqual((await inspectStore(database)).problems, []);
  });

  it('finds that no key is valid, or that one expires soon, unless it was replaced', async (t) => {
    const none = await start(t, (store) => store.revokeKey('1'));
    assertOne(await none.problems(), 'keys', /no client can call .*keys create/);
    assert.deepEqual(await none.problems({ API_KEYS: 'x'.repeat(24) }), []);
    const expiring = await start(t, (store) =>
      store.createKey({ name: 'till 4', digest: 'b', scopes: ['*'], expiresAt: inDays(3) }),
    );
    assert.deepEqual(await expiring.problems(), [], 'not in the first three quarters of its lifetime');
    const keys = new DatabaseSync(expiring.path);
    keys.exec('UPDATE api_keys SET created_at = created_at - 864000000');
    keys.close();
    assertOne(
      await expiring.problems(),
      'keys',
      /key 2 \(till 4\) expires at .* -> animal-store keys rotate 2/,
    );
    paste((await expiring.problems())[0]?.advice ?? '');
    assert.deepEqual(await expiring.problems(), []);
    const replaced = await start(t, async (store) => {
      await store.createKey({ name: 'till 4', digest: 'b', scopes: ['*'], expiresAt: inDays(3) });
      await store.rotateKey('2', { digest: 'c', lifetimeMs: 90 * 86_400_000, overlapMs: 86_400_000 });
    });
    const findings = await replaced.examine();
    assert.deepEqual(findings.filter(isProblem), []);
    const unused = findings.find(({ message }) => message.startsWith('never used: '))?.message;
    assert.match(
      unused ?? '',
      /^never used: 2 \(till 4\), which ends at \S+Z, 3 \(till 4\), which ends at \S+Z$/,
    );
  });

  it('names a key that has expired while it was in use, until its client has another one', async (t) => {
    const { path, problems } = await start(t, async (store) => {
      await store.createKey({ name: 'till 4', digest: 'b', scopes: ['pets:read'], expiresAt: inDays(4) });
      await store.recordKeyUse([{ id: '2', at: new Date() }]);
    });
    const change = (days: Record<string, number>) => {
      const db = new DatabaseSync(path);
      for (const [column, day] of Object.entries(days))
        db.exec(`UPDATE api_keys SET ${column} = ${inDays(day).getTime()} WHERE id = 2`);
      db.close();
    };
    const hour = 1 / 24;
    for (const unused of [
      { created_at: -4, expires_at: -hour, last_used_at: -2 },
      { created_at: -40, expires_at: -15, last_used_at: -15 },
    ]) {
      change(unused);
      assert.deepEqual(await problems(), []);
    }
    change({ created_at: -4 - hour, expires_at: -hour, last_used_at: -2 * hour });
    const found = await problems();
    const says =
      /^key 2 \(till 4\) expired at \S+Z, and was used until \S+Z -> animal-store keys create '--name=till 4' --scopes=pets:read --expires=4d --database /;
    assertOne(found, 'keys', says);
    const { stdout } = spawnSync('bash', ['-c', `printf '%s\n' ${found[0]?.advice}`], { encoding: 'utf8' });
    assert.equal((await runCommand(stdout.trim().split('\n').slice(1))).code, 0);
    assert.deepEqual(await problems(), []);
  });

  it('mentions keys with full access that have not been used for 90 days', async (t) => {
    const { examine, path } = await start(t, async (store) => {
      for (const [digest, scopes] of [
        ['b', ['*']],
        ['c', ['*']],
        ['d', ['pets:read']],
      ] as const)
        await store.createKey({ name: `key ${digest}`, digest, scopes });
      const uses = { '1': -89, '2': -91, '4': -91 };
      await store.recordKeyUse(Object.entries(uses).map(([id, days]) => ({ id, at: inDays(days) })));
    });
    const db = new DatabaseSync(path);
    db.exec(`UPDATE api_keys SET created_at = ${inDays(-100).getTime()}, last_used_at = nullif(last_used_at, 0);
      UPDATE api_keys SET last_used_at = ${inDays(-89).getTime()} WHERE id = 1`);
    db.close();
    const [finding, ...others] = (await examine()).filter(({ check }) => check === 'keys');
    assert.deepEqual(others, []);
    assert.equal(finding?.status, 'notice');
    assert.equal(finding?.message, 'full access, but not used for 90 days: 2 (key b), 3 (key c)');
    assert.match(
      finding?.advice ?? '',
      /keys revoke ID --database .*pets\.db'\. Give new keys only the scopes that they need$/,
    );
  });

  it('exits with 1 for a problem even if no process reads what it prints', async (t) => {
    const { path } = await start(t);
    const env = { DATABASE_URL: `sqlite:${path}`, PORT: 'http' };
    const { child, exited } = spawnCommand(t, ['doctor'], env);
    child.stdout?.destroy();
    assert.equal(await exited, 1);
  });

  it('finds a clock that was set back', async (t) => {
    const { problems } = await start(t, (store) => store.recordKeyUse([{ id: '1', at: inDays(1) }]));
    assertOne(await problems(), 'clock', /a time in the future, .* -> a clock was set back/);
  });

  it('finds that backups fail, are missing, too old, or those of another database', async (t) => {
    const { folder, path, examine } = await start(t);
    const backups = join(folder, 'backups');
    const env = { BACKUP_DIR: backups, BACKUP_EVERY: '1h', DATABASE_URL: `sqlite:${path}` };
    const record = (fields: object) =>
      writeFile(
        join(backups, 'animal-store-backups.json'),
        JSON.stringify({ database: path, files: ['a.db'], ...fields }),
      );
    // Without the time to start a process for each.
    const check = (flags = {}) =>
      checkBackups({ config: readConfig(['database', 'backupDir', 'backupEvery'], flags, env), flags });
    await mkdir(backups);
    assertOne(
      check(),
      'backups',
      /no service has written a backup .* -> start .*: animal-store serve '--backup-dir=/,
    );
    assert.deepEqual(await readdir(backups), [], 'trying to write leaves nothing');
    assertOne(
      check({ 'backup-dir': '-b' }),
      'backups',
      /there is no folder \/.*\/-b: create it, or mount its disk -> $/,
    );
    await writeFile(join(backups, 'a.db'), '');
    await record({ succeededAt: inDays(-0.01).toISOString() });
    assert.equal((await examine(env)).at(-1)?.status, 'ok');
    await record({ succeededAt: inDays(-0.1).toISOString() });
    assertOne(check(), 'backups', /the latest backup is of .*too long ago/);
    await record({ succeededAt: inDays(-0.01).toISOString(), failedAt: 'then', failure: 'the disk is full' });
    assertOne(check(), 'backups', /the backup at then failed: the disk is full/);
    await record({ database: '/elsewhere.db' });
    assertOne(check(), 'backups', /has the backups of \/elsewhere\.db/);
    await writeFile(join(backups, 'animal-store-backups.json'), '{');
    assertOne(check(), 'backups', /cannot be read/);
    const findings = await examine({}, '--backup-dir', path);
    assertOne(findings.filter(isProblem), 'backups', /^\/.*pets\.db is not a folder: name one -> $/);
    assert.equal(findings.filter(({ check }) => check === 'disk').length, 1, 'nothing about the space in it');
  });

  it('finds a disk that is nearly full', async (t) => {
    const { folder, problems } = await start(t);
    if (!isRootWith(t, 'mount')) return;
    const small = join(folder, 'small');
    await mkdir(small);
    const { status, stderr } = spawnSync(
      'mount',
      ['-t', 'tmpfs', '-o', 'size=1m,nr_inodes=1', 'tmpfs', small],
      {
        encoding: 'utf8',
      },
    );
    if (status !== 0) return notTested(t, stderr);
    // Before the folder is removed, which a hook of the test does.
    const findings = await problems({ BACKUP_DIR: small }).finally(() => spawnSync('umount', [small]));
    assertOne(
      findings.filter(({ check }) => check === 'disk'),
      'disk',
      /only 1\.0 MB are free for backups .*make room/,
    );
    assertOne(
      findings.filter(({ check }) => check === 'backups'),
      'backups',
      /small\/\S+ cannot be read or written, although its disk has room: .*number .* of files \(df -i/,
    );
  });
});
