import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { MAIN } from '../support/service/launch.ts';
import type { Owner } from '../support/service/owner.ts';
import { animalStore, spawnService } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { spawnCommand } from '../support/service/spawn.ts';
import { hasTools } from '../support/service/tools.ts';
import { KeepAliveClient } from '../support/wire/keep-alive.ts';

/** Enough that copying and verifying take longer than starting the command. */
const ANIMALS = LONG_RUN ? 100_000 : 30_000;
const KILLS = LONG_RUN ? 30 : 2;

/** Leaves the machine some time for what is tested. */
const PAUSE_MS = 3;

/** A service with many animals, to which clients add further ones all the time. */
async function startBusyService(t: Owner = { after }) {
  const folder = await temporaryFolder(t);
  const database = join(folder, 'pets.db');
  const env = { DATABASE_URL: `sqlite:${database}` };
  assert.equal((await animalStore(['seed', `${ANIMALS}`, '--create'], env)).code, 0);
  const service = await spawnService(t, env);
  /** The highest id that a client knows to be stored. */
  let acknowledged = 0;
  let isWriting = true;
  const write = async () => {
    const client = new KeepAliveClient(service.port);
    while (isWriting) {
      const [{ status, body }] = await Promise.all([client.createPet('Rex'), sleep(PAUSE_MS)]);
      assert.equal(status, 201);
      acknowledged = Math.max(acknowledged, JSON.parse(body).id);
    }
    client.close();
  };
  const clients = [write(), write()];
  const stopWriting = async () => {
    isWriting = false;
    await Promise.all(clients);
  };
  t.after(stopWriting);
  while (acknowledged === 0) await Promise.race([sleep(5), ...clients]);
  return { service, database, folder, env, acknowledged: () => acknowledged, stopWriting };
}

const STEPS = '/^(fsync|fdatasync|link(at)?|unlink(at)?|rename(at2?)?)$';

type Command = readonly [args: readonly string[], env: Record<string, string>];

/** The calls by which the thread that publishes changes names or syncs, in their order. */
async function stepsOf(t: TestContext, command: Command): Promise<string[]> {
  const trace = join(await temporaryFolder(t), 'trace');
  assert.equal(await traced(['-o', trace, '-e', `trace=${STEPS}`], command), 0);
  const calls = [...(await readFile(trace, 'utf8')).matchAll(/^(\d+) +(\w+)\(/gm)].map(
    ([, thread, call]) => ({ thread, call }),
  );
  const { thread } = calls.find(({ call = '' }) => /^(link|rename)/.test(call)) ?? {};
  return calls.filter((one) => one.thread === thread).map(({ call = '' }) => call);
}

/** Kills the command before the step with this index takes effect. strace counts each call by its name. */
function killedAt(index: number, steps: readonly string[], command: Command): Promise<string | number> {
  const call = steps[index] ?? '';
  const nth = steps.slice(0, index + 1).filter((name) => name === call).length;
  const kill = ['-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${nth}`];
  return traced(kill, command);
}

async function traced(options: readonly string[], [args, env]: Command): Promise<string | number> {
  const strace = ['-f', ...options, process.execPath, MAIN, ...args];
  const child = spawn('strace', strace, { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
  const [code, signal] = await once(child, 'exit');
  return signal ?? code;
}

/** Reads a backup without any code of ours. Ids have no gaps, so that the highest one is also the number of animals. */
function inspect(file: string): { animals: number; highestId: number } {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    assert.deepEqual(db.prepare('PRAGMA integrity_check').all(), [
      { __proto__: null, integrity_check: 'ok' },
    ]);
    const { animals, highest } =
      db.prepare('SELECT count(*) AS animals, max(id) AS highest FROM pets').get() ?? {};
    return { animals: Number(animals), highestId: Number(highest) };
  } finally {
    db.close();
  }
}

/** Lets the command make its file once, then kills it at even intervals of that time. `check` names the outcome of each kill. */
async function killEvenly(
  t: TestContext,
  [args, env]: Command,
  file: string,
  check: (ended: string | number, before: number) => Promise<string>,
): Promise<void> {
  await rm(file, { force: true });
  const startedAt = performance.now();
  assert.equal((await animalStore(args, env)).code, 0);
  const wholeMs = performance.now() - startedAt;
  const outcomes: Record<string, number> = {};
  for (let n = 0; n < KILLS; n++) {
    await rm(file, { force: true });
    const before = busy.acknowledged();
    const command = spawnCommand(t, args, env);
    await Promise.race([sleep(((n + 1) / (KILLS + 1)) * 1.1 * wholeMs), command.exited]);
    command.child.kill('SIGKILL');
    const outcome = await check(await command.exited, before);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  t.diagnostic(JSON.stringify({ ANIMALS, wholeMs: Math.round(wholeMs), ...outcomes }));
}

const busy = await startBusyService();

/** The next backup succeeds, and replaces the partial file of those that were killed. */
async function assertCleanedUp(folder: string, file: string, env: Record<string, string>): Promise<void> {
  assert.equal((await animalStore(['backup', file, '--overwrite'], env)).code, 0);
  const left = (await readdir(folder)).toSorted();
  assert.deepEqual(left, ['copy.db', 'pets.db', 'pets.db-shm', 'pets.db-wal']);
}

describe('A backup of a service to which clients write all the time', { timeout: 600_000 }, () => {
  it('has every animal that was acknowledged before it began, and none twice', async (t) => {
    const { service, folder, env, database, acknowledged } = busy;
    const before = acknowledged();
    const { code, stdout, stderr } = await animalStore(['backup', join(folder, 'copy.db'), '--json'], env);
    assert.equal(code, 0, stderr);
    const { animals, highestId } = inspect(join(folder, 'copy.db'));
    assert.equal(JSON.parse(stdout).animals, animals);
    assert.equal(animals, highestId);
    assert.ok(animals >= before, `${animals} animals, ${before} were acknowledged before`);
    assert.ok(animals > ANIMALS && animals < acknowledged(), 'clients wrote before and after');

    // The backup no longer keeps the service from reusing its write-ahead log.
    await sleep(500);
    const { size } = await stat(`${database}-wal`);
    for (const more = acknowledged() + 1500; acknowledged() < more; ) await sleep(20);
    const grown = (await stat(`${database}-wal`)).size - size;
    t.diagnostic(`-wal after the backup: ${size} bytes; after 1,500 further animals: ${grown} bytes more`);
    assert.ok(grown < 1000 * 4096 * 2, `the -wal file has grown by ${grown} bytes`);
    assert.equal(service.errors(), '');
  });

  it('is complete or does not exist, whenever kill -9 comes', async (t) => {
    const { service, folder, env } = busy;
    const file = join(folder, 'copy.db');
    await killEvenly(t, [['backup', file], env], file, async (ended, before) => {
      const exists = (await readdir(folder)).includes('copy.db');
      if (exists) {
        const { animals, highestId } = inspect(file);
        assert.equal(animals, highestId);
        assert.ok(animals >= before);
      }
      assert.ok(exists || ended === 'SIGKILL', 'a backup that reports success exists');
      return `${ended === 0 ? 'finished' : 'killed'}, ${exists ? 'complete file' : 'no file'}`;
    });
    await assertCleanedUp(folder, file, env);
    assert.equal(service.errors(), '');
  });

  it('is complete or does not exist, if kill -9 comes at a step of publishing it', async (t) => {
    if (!hasTools(t, 'strace')) return;
    const { folder, env } = busy;
    const file = join(folder, 'copy.db');
    const command: Command = [['backup', file], env];
    await rm(file, { force: true });
    const steps = await stepsOf(t, command);
    t.diagnostic(steps.join(', '));
    const named = steps.findIndex((call) => /^link/.test(call));
    assert.ok(steps.lastIndexOf('fsync', named) >= 0, 'it is on the disk before it has its name');
    for (let n = LONG_RUN ? 0 : named - 1; n < steps.length; n++) {
      // What the previous one has left would be removed by further calls.
      for (const name of await readdir(folder))
        if (name === 'copy.db' || name.includes('.partial')) await rm(join(folder, name));
      assert.equal(await killedAt(n, steps, command), 'SIGKILL');
      const exists = (await readdir(folder)).includes('copy.db');
      assert.equal(exists, n > named, `killed at ${steps[n]}, step ${n}`);
      if (exists) assert.equal(inspect(file).animals, inspect(file).highestId);
    }
    await assertCleanedUp(folder, file, env);
  });

  it('that is interrupted by a signal ends at once, and leaves no half file under its name', async (t) => {
    const { folder, env } = busy;
    const copy = join(folder, 'copy.db');
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      // A backup may be complete before the signal comes. Then the next one is interrupted.
      for (let ended: unknown = 0; ended === 0; ) {
        await rm(copy, { force: true });
        const command = spawnCommand(t, ['backup', copy], env);
        const finished = command.exited.then(() => true);
        while (!(await Promise.race([finished, sleep(1, false)])))
          if ((await readdir(folder)).some((name) => name.endsWith('.partial'))) break;
        command.child.kill(signal);
        ended = await command.exited;
        if (ended !== 0) assert.equal(ended, signal);
      }
      assert.ok(!(await readdir(folder)).includes('copy.db'));
      assert.equal((await stat(join(folder, '.copy.db.partial'))).mode & 0o777, 0o600);
    }
    await assertCleanedUp(folder, copy, env);
    await rm(copy);
  });
});

describe('A restore', { timeout: 600_000 }, () => {
  it('is complete or has not happened, whenever kill -9 comes', async (t) => {
    const { folder, env, stopWriting } = busy;
    const backup = join(folder, 'copy.db');
    assert.equal((await animalStore(['backup', backup], env)).code, 0);
    await stopWriting();
    const { animals } = inspect(backup);
    const target = join(await temporaryFolder(t), 'new.db');
    const command: Command = [['restore', backup], { DATABASE_URL: `sqlite:${target}` }];
    await killEvenly(t, command, target, async () => {
      const { size } = await stat(target).catch(() => ({ size: 0 }));
      if (size > 0) assert.equal(inspect(target).animals, animals);
      return size > 0 ? 'restored' : 'nothing restored';
    });
    if (hasTools(t, 'strace')) {
      // What a killed restore has left is removed by the next one, by further calls.
      const clear = async () => {
        for (const name of await readdir(dirname(target))) await rm(join(dirname(target), name));
      };
      await clear();
      const steps = await stepsOf(t, command);
      t.diagnostic(steps.join(', '));
      const named = steps.findIndex((call) => /^rename/.test(call));
      for (const n of [named, named + 1]) {
        await clear();
        assert.equal(await killedAt(n, steps, command), 'SIGKILL');
        if (n > named) assert.equal(inspect(target).animals, animals);
        else assert.equal((await stat(target)).size, 0, 'as good as no store');
      }
    }
    await rm(target, { force: true });
    assert.equal((await animalStore(...command)).code, 0);
    assert.deepEqual(await readdir(join(target, '..')), ['new.db']);
  });
});
