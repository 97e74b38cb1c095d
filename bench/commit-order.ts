import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openStore } from '../src/store/open.ts';
import { createCluster, createDatabase } from '../test/support/database/postgres.ts';
import { cleanUp, cleanUpOnSignal, onCleanup } from './cleanup.ts';
import { print } from './command.ts';
import { summary, type TimedWrite } from './measure/timed-writes.ts';

/**
 * npx node bench/commit-order.ts [MILLISECONDS]: how long writes wait for the lock on the events if a commit takes 50 ms, or so many, as with a
 * synchronous standby that is far away. Each instance creates 100 animals a second, while a client of each changes one and the same animal.
 */
const COMMIT_MS = Number(process.argv[2] ?? 50);
const END_MS = 10_000;
const INTERVAL_MS = 10;
const pet = { name: 'Rex', categoryId: 1n, status: 'available' } as const;

cleanUpOnSignal();
try {
  const server = await createCluster('commit-order', onCleanup);
  await server.start(['max_connections=300']);
  const url = await createDatabase(server);
  const store = await openStore(url);
  const sql = new Client(url);
  await sql.connect();
  // Sleeps in the last statement before each COMMIT, under the lock.
  await sql.query(`
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(${COMMIT_MS} / 1000.0); RETURN NULL; END';
    CREATE TRIGGER slow AFTER INSERT ON animal_store.events EXECUTE FUNCTION slow()`);
  await sql.end();
  await store.createPet(pet);
  await store.close();
  for (const instances of [1, 2, 4, 8, 20]) await measure(url, instances);
} finally {
  await cleanUp();
}

async function measure(url: string, instances: number): Promise<void> {
  let commits = 0;
  const monitor = { watch() {}, maintenanceFailed() {}, committed: () => commits++ };
  const stores = await Promise.all(Array.from({ length: instances }, () => openStore(url, { monitor })));
  const [creates, changed]: [Promise<TimedWrite>[], TimedWrite[]] = [[], []];
  const begin = performance.now();
  const changes = stores.map(async (store) => {
    while (performance.now() < begin + END_MS)
      changed.push(await time(store.updatePet(1n, { name: `Rex ${Math.random()}` })));
  });
  for (let at = begin; at < begin + END_MS; at += INTERVAL_MS) {
    await sleep(Math.max(0, at - performance.now()));
    creates.push(...stores.map((store) => time(store.createPet(pet))));
  }
  const created = await Promise.all(creates);
  await Promise.all(changes);
  await Promise.all(stores.map((store) => store.close()));
  // A batch waits until the one before it has been committed, and then for its turn: one to two rounds of all instances.
  const round = instances * COMMIT_MS;
  print(`${instances} instances: expected p50 ${1.5 * round}, slowest ${2 * round} ms`);
  print(`  creates: ${summary(created)}; ${Math.round(created.length / commits)} in a commit`);
  print(`  changes of one animal: ${summary(changed)}`);
}

async function time(work: Promise<unknown>): Promise<TimedWrite> {
  const startedAt = performance.now();
  const [{ reason }] = (await Promise.allSettled([work])) as [{ reason?: Error }];
  return { ms: performance.now() - startedAt, ...(reason && { failure: reason.message }) };
}
