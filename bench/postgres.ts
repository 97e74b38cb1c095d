import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/store/open.ts';
import { createCluster } from '../test/support/database/postgres.ts';
import { openSql } from '../test/support/database/sql.ts';
import { cleanUp, cleanUpOnSignal, onCleanup } from './cleanup.ts';
import { startService } from './contenders/service.ts';
import { count, plural } from './format.ts';
import { type Figures, measure, median } from './measure/figures.ts';
import { ourTarget } from './workloads/calls.ts';
import { firstPage } from './workloads/read-workloads.ts';
import { requestsOf } from './workloads/requests.ts';
import { createByMany } from './workloads/write-workloads.ts';

/** npx node bench/postgres.ts: creates that share statements compared with one INSERT each; 1 and 2 instances over HTTP. */
const CLIENTS = 64;
const SECONDS = 3;
const ROUNDS = 5;
const pet = { name: 'Rex of the benchmark, a patient animal', categoryId: 7n, status: 'available' } as const;

cleanUpOnSignal();
try {
  const server = await createCluster('bench', onCleanup);
  await server.start();
  await compareStatements(server.url('postgres'));
  await compareInstances(server.url('postgres'));
} finally {
  await cleanUp();
}

async function compareStatements(url: string): Promise<void> {
  const store = await openStore(url);
  const sql = openSql(url, { max: 10 });
  const single = () => sql`
    INSERT INTO pets (name, category_id, status) VALUES (${pet.name}, ${'7'}, ${pet.status}) RETURNING id`;
  const rates = { single: [] as number[], shared: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = { single: await rate(single), shared: await rate(() => store.createPet(pet)) };
    if (round === 0) continue;
    rates.single.push(measured.single);
    rates.shared.push(measured.shared);
  }
  const [one, many] = [median(rates.single), median(rates.shared)];
  const times = (many / one).toFixed(1);
  print(`${CLIENTS} clients, one INSERT per create: ${count(one)} creates/s`);
  print(`${CLIENTS} clients, shared statements: ${count(many)} creates/s, ${times} times as many`);
  await store.close();
  await sql.end();
}

async function compareInstances(url: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const instances = [await startService(folder, url), await startService(folder, url)];
  for (const used of [instances.slice(0, 1), instances]) {
    for (const [name, workload] of Object.entries({ listPets: firstPage, createPet: createByMany })) {
      const load = {
        clients: CLIENTS / used.length,
        seconds: SECONDS,
        requests: requestsOf(workload, ourTarget),
      };
      const rounds: Figures[][] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        rounds.push(await Promise.all(used.map((instance) => measure(instance, load))));
      }
      const measured = rounds.slice(1);
      const perSecond = median(measured.map((round) => round.reduce((sum, one) => sum + one.perSecond, 0)));
      const cpu = median(measured.flat().map((one) => one.cpu)).toFixed(0);
      print(
        `${name}, ${plural(used.length, 'instance')}: ${count(perSecond)} requests/s, ${cpu} µs CPU/request`,
      );
    }
  }
}

async function rate(work: () => PromiseLike<unknown>): Promise<number> {
  const end = performance.now() + SECONDS * 1000;
  let done = 0;
  const client = async () => {
    for (; performance.now() < end; done++) await work();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return done / SECONDS;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
