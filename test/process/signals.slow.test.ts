import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { shellWord } from '../../src/store/shell-word.ts';
import { eventually } from '../support/eventually.ts';
import {
  childrenOf,
  isRunning,
  isStopped,
  startAttackedService,
} from '../support/service/attacked-service.ts';
import { launchService, MAIN } from '../support/service/launch.ts';
import { spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';

describe('a signal that does not ask the service to end', { timeout: 60_000 }, () => {
  it('neither ends the process nor opens an inspector', async (t) => {
    const service = await spawnService(t, { DATABASE_URL: 'sqlite::memory:' });
    const signals = ['SIGUSR1', 'SIGHUP', 'SIGUSR2'] as const;
    for (const signal of signals) service.child.kill(signal);
    const reported = (signal: string) => service.output.stdout.split(`"signal":"${signal}"`).length - 1;
    await eventually(() => signals.every((signal) => reported(signal) === 1), 'each signal is reported');
    assert.equal((await call(service.origin, 'GET', '/v1/pets')).status, 200);
    assert.equal(service.errors(), '', 'Node would print the address of its inspector');
  });
});

describe('a signal that asks the service to end', { timeout: 60_000 }, () => {
  it('is SIGHUP on a terminal, which sends it when it is closed', async (t) => {
    if (!hasTools(t, 'script')) return;
    const file = join(await temporaryFolder(t), 'pets.db');
    const env = { PATH: process.env.PATH, DATABASE_URL: `sqlite:${file}`, PORT: '0' };
    const serve = `exec ${shellWord(process.execPath)} ${shellWord(MAIN)} serve`;
    const terminal = spawn('script', ['-qec', serve, '/dev/null'], { env });
    t.after(() => terminal.kill('SIGKILL'));
    let printed = '';
    terminal.stdout.on('data', (text) => (printed += text));
    await eventually(() => printed.includes('listens on'), 'it listens');
    const [pid = 0] = childrenOf(terminal.pid ?? 0);
    terminal.kill('SIGKILL');
    await once(terminal, 'close');
    await eventually(() => !isRunning(pid), 'it ends');
    assert.equal(existsSync(`${file}-wal`), false, 'the database was closed');
  });
});

/** For about a tenth of a second, each change of an animal called Slow holds the lock on the database. */
const SLOW_CHANGES = ['INSERT', 'UPDATE'].map(
  (change) => `CREATE TRIGGER slow_${change} AFTER ${change} ON pets WHEN new.name = 'Slow' BEGIN
    SELECT (WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 3000000) SELECT count(*) FROM n);
  END`,
);

describe('Ctrl-Z while a command commits to an SQLite file', { timeout: 120_000 }, () => {
  it('stops it after the commit, so that the service can write, and it ends well after SIGCONT', async (t) => {
    const { origin, databaseFile } = await startAttackedService(t);
    const db = new DatabaseSync(databaseFile);
    t.after(() => db.close());
    db.exec(SLOW_CHANGES.join(';'));
    await writeFile(`${databaseFile}.ndjson`, '{"name":"Slow","categoryId":1}');
    const isLocked = () => {
      try {
        db.exec('BEGIN IMMEDIATE; ROLLBACK');
        return false;
      } catch {
        return true;
      }
    };
    const canWrite = async () =>
      (await call(origin, 'PUT', '/v1/categories/2', { body: { name: 'cats' } })).status === 200;
    for (const args of [
      ['import', `${databaseFile}.ndjson`],
      ['categories', 'merge', '1', '--into', '2'],
    ]) {
      const command = [process.execPath, MAIN, ...args].map(shellWord).join(' ');
      // A shell with job control: without one, the kernel ignores the signal.
      const shell = spawn('bash', ['-c', `set -m; ${command} & echo $!; wait -f $!`], {
        env: { PATH: process.env.PATH, DATABASE_URL: `sqlite:${databaseFile}` },
      });
      t.after(() => shell.kill('SIGKILL'));
      const ended = once(shell, 'close');
      const [pid] = (await once(shell.stdout, 'data')).map(Number) as [number];
      t.after(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
      await eventually(isLocked, `${args[0]} commits`);
      process.kill(pid, 'SIGTSTP');
      await eventually(canWrite, 'the service can write');
      await eventually(() => isStopped(pid), 'the command has stopped');
      process.kill(pid, 'SIGCONT');
      assert.deepEqual(await ended, [0, null]);
    }
    const { text } = await call(origin, 'GET', '/v1/pets');
    assert.equal(text, '[{"id":1,"name":"Slow","categoryId":2,"status":"available"}]');
  });
});

/** The service gets as far as listening, which comes after the key is created, and waits there. */
const NEVER_LISTENS = `import { Server } from 'node:net';
  Server.prototype.listen = function () { process.stderr.write('would listen'); return this; };`;

describe('A signal during the start', { timeout: 60_000 }, () => {
  // A process without a listener is ended by the kernel, but the first process of a container ignores the signal.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const)
    it(`ends it by the service itself: ${signal}`, async (t) => {
      // A database server that accepts a connection and never responds: the start waits for it.
      const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
      t.after(() => server.close());
      await once(server, 'listening');
      const DATABASE_URL = `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/pets`;
      const service = launchService(t, [], { env: { DATABASE_URL } });
      await once(server, 'connection');
      service.child.kill(signal);
      assert.deepEqual(await service.ended(), { code: 0, signal: null });
      assert.equal(service.output(), '');
    });

  it('does not lose the first key of a new store', async (t) => {
    const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const NODE_OPTIONS = `--import="data:text/javascript,${encodeURIComponent(NEVER_LISTENS)}"`;
    const service = launchService(t, [], { env: { DATABASE_URL, NODE_OPTIONS } });
    await service.printed(/would listen/);
    assert.doesNotMatch(service.output(), /anst_/, 'it is printed when the service listens');
    service.child.kill('SIGTERM');
    assert.equal((await service.ended()).code, 0);
    assert.match(service.output(), /anst_\w{36}/);
  });
});
