import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { petsIn } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { sum } from '../support/measure/metrics.ts';
import {
  animalStore,
  assertShutsDown,
  type RunningService,
  spawnService,
} from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';

const BACKUP = /^pets-\d{8}T\d{6}Z\.db$/;
const AT = 'animal_store_backup_last_success_timestamp_seconds';
const SIZE = 'animal_store_backup_size_bytes';
const INTERVAL = 'animal_store_backup_interval_seconds';
const FAILURES = 'animal_store_backup_failures_total';

async function prepare(t: TestContext) {
  const folder = await temporaryFolder(t);
  const backups = join(folder, 'backups');
  const env = { DATABASE_URL: `sqlite:${join(folder, 'pets.db')}`, BACKUP_DIR: backups };
  await mkdir(backups);
  const names = async () => (await readdir(backups)).filter((name) => BACKUP.test(name)).toSorted();
  return { folder, backups, env, names };
}

/** The log lines with this message. */
const logged = ({ output }: RunningService, message: string): Record<string, unknown>[] =>
  output.stdout
    .split('\n')
    .filter((line) => line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line));

const metricsOf = async ({ origin }: RunningService) => (await call(origin, 'GET', '/metrics')).text;

describe('serve --backup-dir', { timeout: 120_000, concurrency: 2 }, () => {
  it('writes backups, keeps the newest, and deletes no other file', async (t) => {
    const { backups, env, names } = await prepare(t);
    const foreign = ['pets-20200101T000000Z.db', 'notes.txt', 'pets.db'];
    for (const name of foreign) await writeFile(join(backups, name), 'mine');
    const flags = ['--backup-every', '1s', '--backup-keep', '2'];
    const printing = { NODE_OPTIONS: '--import="data:text/javascript,console.log(0)"' };
    const service = await spawnService(t, { ...env, ...printing }, [], flags);
    await call(service.origin, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7 } });
    await eventually(
      () => logged(service, 'backup written').length >= 4,
      'four backups were written',
      60_000,
    );
    const text = await metricsOf(service);
    assert.ok(Math.abs(sum(text, AT) - Date.now() / 1000) < 60, text);
    assert.equal(sum(text, FAILURES), 0);
    assert.ok(sum(text, SIZE) > 4096);
    await assertShutsDown(service);
    const written = logged(service, 'backup written').map(({ file }) => file);
    assert.equal(new Set(written).size, written.length, 'each has its own name');
    const kept = (await names()).filter((name) => !foreign.includes(name));
    assert.deepEqual(kept.slice(-2), written.slice(-2));
    assert.ok(kept.length <= 3, 'at most the one that was being written in addition');
    assert.equal(petsIn(join(backups, kept.at(-1) ?? '')).length, 1);
    for (const name of foreign) assert.equal(await readFile(join(backups, name), 'utf8'), 'mine');
    assert.deepEqual(
      (await readdir(backups)).filter((name) => name.startsWith('.')),
      [],
    );
  });

  it('waits for the rest of the interval after a restart', async (t) => {
    const { env, names } = await prepare(t);
    const first = await spawnService(t, env);
    await eventually(() => logged(first, 'backup written').length === 1, 'the first backup was written');
    const before = await metricsOf(first);
    await assertShutsDown(first);
    const again = await spawnService(t, env);
    const text = await metricsOf(again);
    for (const name of [AT, SIZE, INTERVAL]) {
      assert.ok(sum(before, name) > 0, `${name} is known`);
      assert.equal(sum(text, name), sum(before, name), `${name} is the same after a restart`);
    }
    await assertShutsDown(again);
    assert.equal(logged(again, 'backup written').length, 0);
    assert.equal((await names()).length, 1);
  });

  it('reports a failure in the log, the metrics and the doctor, keeps what is there, and recovers', async (t) => {
    const { folder, backups, env, names } = await prepare(t);
    const service = await spawnService(t, { ...env, BACKUP_EVERY: '1s', BACKUP_KEEP: '1' });
    await eventually(() => logged(service, 'backup written').length >= 1, 'a backup was written');
    // Without its folder, no backup can be written; root may write to any folder.
    await rename(backups, join(folder, 'elsewhere'));
    await eventually(() => logged(service, 'backup failed').length >= 1, 'a backup has failed');
    const [line] = logged(service, 'backup failed');
    assert.equal(line?.level, 50);
    assert.match(String(line?.reason), /backups/);
    const failures = sum(await metricsOf(service), FAILURES);
    assert.ok(failures >= 1, `${failures} failures`);
    assert.equal((await call(service.origin, 'GET', '/readyz')).status, 200);
    // The path leads to something else, or through a folder that cannot be read.
    await writeFile(backups, '');
    const failed = logged(service, 'backup failed').length;
    await eventually(() => logged(service, 'backup failed').length > failed, 'another one has failed');
    await rm(backups);
    await rename(join(folder, 'elsewhere'), backups);
    assert.ok((await names()).length >= 1);
    const before = logged(service, 'backup written').length;
    await eventually(() => logged(service, 'backup written').length > before, 'backups are written again');
    // The service itself notices that its database is gone, and so does the backup.
    const recovered = logged(service, 'backup failed').length;
    await rename(join(folder, 'pets.db'), join(folder, 'moved.db'));
    await eventually(() => logged(service, 'backup failed').length > recovered, 'a third one has failed');
    await eventually(() => service.output.stdout.includes('was deleted while in use'), 'the loss is logged');
    service.child.kill('SIGKILL');
    await service.exited;
    await rename(join(folder, 'moved.db'), join(folder, 'pets.db'));
    const { code, stdout } = await animalStore(['doctor', '--backup-every', '1h'], env);
    assert.equal(code, 1);
    assert.match(stdout, /^problem {2}backups {8}the backup at \S+Z failed: there is no database .*$/m);
  });

  it('abandons an unfinished backup at shutdown, and removes what is left of it', async (t) => {
    const { folder, backups, env, names } = await prepare(t);
    assert.equal((await animalStore(['seed', '150000', '--create'], env)).code, 0);
    const service = await spawnService(t, env);
    for (;;) if ((await readdir(backups)).some((name) => name.endsWith('.partial'))) break;
    const startedAt = performance.now();
    await assertShutsDown(service);
    t.diagnostic(`the service ended after ${Math.round(performance.now() - startedAt)} ms`);
    assert.deepEqual(await readdir(backups), ['animal-store-backups.json']);
    assert.equal(logged(service, 'backup failed').length, 0);
    // As after a power failure during a backup.
    const lost = 'pets-20261115T181500Z.db';
    const record = { database: join(folder, 'pets.db'), files: [lost] };
    await writeFile(join(backups, 'animal-store-backups.json'), JSON.stringify(record));
    await writeFile(join(backups, `.${lost}.partial`), 'half a backup');
    const again = await spawnService(t, env);
    await eventually(() => logged(again, 'backup written').length === 1, 'a backup was written', 60_000);
    await assertShutsDown(again);
    assert.deepEqual(await readdir(backups), ['animal-store-backups.json', ...(await names())]);
  });

  it('writes a backup of a database with wrong content, and says that it cannot be restored', async (t) => {
    const { folder, env } = await prepare(t);
    assert.equal((await animalStore(['seed', '10', '--create'], env)).code, 0);
    const db = new DatabaseSync(join(folder, 'pets.db'));
    db.exec("UPDATE pets SET folded_name = '' WHERE id = 3");
    db.close();
    // In a folder whose name begins with a hyphen.
    await mkdir(join(folder, '-b'));
    const wrapper = ['sh', '-c', 'cd "$0" && exec "$@"', folder];
    const service = await spawnService(t, env, wrapper, ['--backup-dir=-b']);
    const message =
      'the backup has all data, but cannot be restored as it is: run the doctor with the settings of the service';
    await eventually(() => logged(service, message).length === 1, 'the problem is in the log', 60_000);
    assert.deepEqual(logged(service, message)[0]?.problems, [
      'animals whose name is damaged: 1, the first is 3',
    ]);
    assert.equal(logged(service, 'backup failed').length, 0);
    assert.ok((await readdir(join(folder, '-b'))).some((name) => BACKUP.test(name)));
    await assertShutsDown(service);
  });

  it('that cannot be used stops the start with one line', async (t) => {
    const { folder, backups, env } = await prepare(t);
    const refuse = async (given: Record<string, string>, says: RegExp, flags: string[] = []) => {
      const { code, stdout, stderr } = await animalStore(['serve', '--port', '0', ...flags], {
        ...env,
        ...given,
      });
      assert.match(stderr, /^animal-store: [^\n]+\n$/);
      assert.match(stderr, says);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    };
    await writeFile(join(folder, 'file'), '');
    const unused = {
      file: /cannot be used: \/\S+\/file is not a folder/,
      none: /: there is no folder \/\S+\/none: create it, or mount /,
    };
    for (const [name, says] of Object.entries(unused)) await refuse({ BACKUP_DIR: join(folder, name) }, says);
    await refuse({ BACKUP_EVERY: '21d' }, /BACKUP_EVERY must be 20d or less/);
    await refuse({}, /--backup-keep must be a whole number from 1 to 9999, not "0"/, ['--backup-keep', '0']);
    const record = { database: '/elsewhere/pets.db', files: [] };
    await writeFile(join(backups, 'animal-store-backups.json'), JSON.stringify(record));
    await refuse({}, /has the backups of \/elsewhere\/pets\.db: name another folder/);
    await rm(join(folder, 'file'));
    assert.deepEqual(await readdir(folder), ['backups']);
  });
});
