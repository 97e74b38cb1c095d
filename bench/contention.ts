import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { createCluster, createDatabase, type Server } from '../test/support/database/postgres.ts';
import { openSql } from '../test/support/database/sql.ts';
import { cleanUp, cleanUpOnSignal, interrupted, onCleanup } from './cleanup.ts';
import { print } from './command.ts';
import { ROOT, type RunningServer } from './contenders/processes.ts';
import { startService } from './contenders/service.ts';
import { megabytes } from './format.ts';
import { gather } from './measure/crowd.ts';
import { type Send, summary, type TimedWrite, withClient } from './measure/timed-writes.ts';
import { usageOf } from './measure/usage.ts';

/**
 * npx node bench/contention.ts [--checkout FOLDER] [--postgres FOLDER] [--only NAME]: what a write experiences that has nothing to do with
 * locks that another session holds, with large batches, and with categories that are created beside them. One line per case. --checkout is
 * the code that is measured, --postgres the programs of another PostgreSQL, such as /usr/lib/postgresql/15/bin.
 */
/** In every database; as many as a batch has. */
const ANIMALS = 100;
const HELD = 1;
/** Animals that other sessions lock for a moment, how long and how often. */
const LOCKED = 30;
const LOCKED_MS = 50;
const LOCKED_TIMES = 3;
/** None begins at the same time as another one: writes that arrive together wait together, in one batch. */
const SPREAD_MS = 1000;
/** Writes that have nothing to do with the batches: this many at least, and as long as batches are unanswered. */
const UNINVOLVED = 36;
const UNINVOLVED_INTERVAL_MS = 50;
const POLL_INTERVAL_MS = 20;
const LARGE_NAME = 600;

const { values: options } = parseArgs({
  options: {
    checkout: { type: 'string', default: ROOT },
    postgres: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const checkout = resolve(options.checkout);
const SERVER_LOG = 'server.log';
const folder = mkdtempSync(join(tmpdir(), 'animal-store-contention-'));
onCleanup(() => rmSync(folder, { recursive: true, force: true }));
cleanUpOnSignal();
const server: Server = await createCluster('contention', onCleanup, undefined, options.postgres);
try {
  const log = ['logging_collector=on', `log_directory=${server.folder}`, `log_filename=${SERVER_LOG}`];
  await server.start(log);
  for (const writers of [3, 60]) await run(`locks, ${writers} writers wait`, (name) => locks(name, writers));
  for (const time of [1, 2, 3]) await run(`categories, run ${time}`, categories);
  for (const [batches, nameLength] of [
    [600, 20],
    [1000, 20],
    [900, LARGE_NAME],
  ] as const) {
    const size = `${batches} batches, names of ${nameLength}`;
    await run(`PostgreSQL, ${size}`, (name) => postgresBatches(name, batches, nameLength));
    await run(`SQLite, ${size}`, (name) => sqliteBatches(name, batches, nameLength));
  }
} catch (error) {
  if (!interrupted) throw error;
} finally {
  await cleanUp();
}

async function run(name: string, work: (name: string) => Promise<void>): Promise<void> {
  if (name.toLowerCase().includes(options.only.toLowerCase())) await work(name);
}

/** Another session holds one animal that `writers` want. Others are locked for a moment and changed meanwhile. */
async function locks(name: string, writers: number): Promise<void> {
  const { service, url } = await startOnPostgres();
  const sql = openSql(url, { max: LOCKED + 1 });
  const lock = async (id: number, work: () => Promise<unknown>) =>
    sql.begin(async (held) => {
      await held`SELECT FROM animal_store.pets WHERE id = ${id} FOR UPDATE`;
      await work();
    });
  const others: TimedWrite[] = [];
  const waiting: TimedWrite[] = [];
  let isOver = false;

  const wait = async (place: number) =>
    withClient(service.port, async (send) => {
      await sleep((place / writers) * SPREAD_MS);
      while (!isOver) waiting.push(await rename(send, HELD));
    });
  const changeLocked = async (id: number) =>
    withClient(service.port, async (send) => {
      await sleep((id / LOCKED) * SPREAD_MS);
      for (let time = 0; time < LOCKED_TIMES; time++) {
        let answer: Promise<TimedWrite> | undefined;
        await lock(id, async () => {
          answer = rename(send, id);
          await sleep(LOCKED_MS);
        });
        others.push((await answer) as TimedWrite);
      }
    });

  const measured = await measureHealth(service, () =>
    lock(HELD, async () => {
      const waiters = Array.from({ length: writers }, (_, place) => wait(place));
      await sleep(SPREAD_MS);
      await Promise.all(Array.from({ length: LOCKED }, (_, i) => changeLocked(HELD + 1 + i)));
      isOver = true;
      await Promise.all(waiters);
    }),
  );
  print(
    `${name}: locked for ${LOCKED_MS} ms: ${summary(others)}; those who wait: ${summary(waiting)}; ${measured}`,
  );
  await sql.end();
  await service.stop();
}

/** Batches whose animals are in the next 20,000 categories, one new category, and ordinary writes, all at once. */
async function categories(name: string): Promise<void> {
  const { service } = await startOnPostgres();
  const send = await gather({ port: service.port, batches: 200, nameLength: 20, firstCategoryId: 2 });
  let answers = '';
  const measured = await measureHealth(service, async () => {
    const batches = send();
    await sleep(POLL_INTERVAL_MS);
    const others = Array.from({ length: 65 }, (_, i) => withClient(service.port, (to) => rename(to, 1 + i)));
    answers = `batches: ${summary(await batches)}; others: ${summary(await Promise.all(others))}`;
  });
  print(`${name}: ${answers}; ${measured}`);
  await service.stop();
}

async function postgresBatches(name: string, batches: number, nameLength: number): Promise<void> {
  const before = idleInTransaction();
  const { service } = await startOnPostgres();
  const measured = await besideBatches(service, service, batches, nameLength);
  print(`${name}: ${measured}; idle-in-transaction timeouts: ${idleInTransaction() - before}`);
  await service.stop();
}

/** The other writes go through another process on the file, and a command creates keys. */
async function sqliteBatches(name: string, batches: number, nameLength: number): Promise<void> {
  const database = `sqlite:${join(folder, `${batches}-${nameLength}.db`)}`;
  const service = await start(database);
  const other = await startService(folder, database, { checkout });
  let isOver = false;
  const keys = { created: 0, refused: 0 };
  const createKeys = async () => {
    for (; !isOver; await sleep(100)) keys[(await createKey(database)) ? 'created' : 'refused']++;
  };
  const creating = createKeys();
  const measured = await besideBatches(service, other, batches, nameLength);
  isOver = true;
  await creating;
  print(`${name}: ${measured}; keys create: ${keys.refused} of ${keys.refused + keys.created} refused`);
  await other.stop();
  await service.stop();
}

/** What becomes of the batches, of writes of other animals through `other` meanwhile, and of the service. */
async function besideBatches(
  service: RunningServer,
  other: RunningServer,
  batches: number,
  nameLength: number,
): Promise<string> {
  const send = await gather({ port: service.port, batches, nameLength });
  let isOver = false;
  const others: Promise<TimedWrite>[] = [];
  let refused = '';
  const measured = await measureHealth(service, async () => {
    const answers = send().finally(() => {
      isOver = true;
    });
    for (; !isOver || others.length < UNINVOLVED; await sleep(UNINVOLVED_INTERVAL_MS))
      others.push(withClient(other.port, (patch) => rename(patch, 1 + (others.length % ANIMALS))));
    refused = summary(await answers);
  });
  return `batches: ${refused}; others: ${summary(await Promise.all(others))}; ${measured}`;
}

/** The longest health check while `work` runs, how late a timer of this process was meanwhile, and the peak memory. */
async function measureHealth(service: RunningServer, work: () => Promise<unknown>): Promise<string> {
  let [longest, latest, isOver] = [0, 0, false];
  const poll = async (send: Send) => {
    while (!isOver) {
      const { ms, failure } = await send('GET', '/healthz');
      if (failure) print(`/healthz: ${failure}`);
      longest = Math.max(longest, ms);
      const startedAt = performance.now();
      await sleep(POLL_INTERVAL_MS);
      latest = Math.max(latest, performance.now() - startedAt - POLL_INTERVAL_MS);
    }
  };
  const polling = withClient(service.port, poll);
  await work().finally(() => {
    isOver = true;
  });
  await polling;
  const peak = megabytes(usageOf(service.pid).peak);
  return `/healthz at most ${Math.round(longest)} ms (timers up to ${Math.round(latest)} ms late); ${peak} MB`;
}

function rename(send: Send, id: number): Promise<TimedWrite> {
  return send('PATCH', `/v1/pets/${id}`, { name: `Rex ${Math.random()} of the benchmark` });
}

async function startOnPostgres(): Promise<{ readonly service: RunningServer; readonly url: string }> {
  const url = await createDatabase(server);
  return { service: await start(url), url };
}

/** A service with a few animals. */
async function start(database: string): Promise<RunningServer> {
  const service = await startService(folder, database, { checkout });
  await (await gather({ port: service.port, batches: 1, nameLength: 20 }))();
  return service;
}

/** Whether the command succeeded. */
async function createKey(database: string): Promise<boolean> {
  const args = ['bin/animal-store.js', 'keys', 'create', '--name', 'bench', '--database', database];
  const command = promisify(execFile)('node', args, { cwd: checkout });
  return command.then(
    () => true,
    () => false,
  );
}

function idleInTransaction(): number {
  const log = readFileSync(join(server.folder, SERVER_LOG), 'utf8');
  return log.split('due to idle-in-transaction timeout').length - 1;
}
