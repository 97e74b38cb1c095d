import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { openStore } from '../src/store/open.ts';
import { createCluster } from '../test/support/postgres.ts';
import { startService } from './contenders/service.ts';
import { atEnd, end, endOnSignal } from './endings.ts';
import { type Figures, measure, median } from './measure/figures.ts';
import { count } from './report/tables.ts';
import { ourTarget, requestText } from './work/calls.ts';
import { callsOf, createTogether, firstPage, type Work } from './work/works.ts';

/** npm run bench:postgres: creates that share statements beside one INSERT a create; 1 and 2 instances over HTTP. */
const CLIENTS = 64;
const SECONDS = 3;
const ROUNDS = 5;
const pet = { name: 'Rex of the benchmark, a patient animal', categoryId: 7n, status: 'available' } as const;

endOnSignal();
try {
  const server = await createCluster('bench', atEnd);
  await server.start();
  await compareStatements(server.url('postgres'));
  await compareInstances(server.url('postgres'));
} finally {
  await end();
}

async function compareStatements(url: string): Promise<void> {
  const store = await openStore(url);
  const sql = postgres(url, { max: 10, connection: { search_path: 'animal_store' } });
  const alone = () => sql`
    INSERT INTO pets (name, category_id, status) VALUES (${pet.name}, ${'7'}, ${pet.status}) RETURNING id`;
  const rates = { alone: [] as number[], shared: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = { alone: await rate(alone), shared: await rate(() => store.createPet(pet)) };
    if (round === 0) continue;
    rates.alone.push(measured.alone);
    rates.shared.push(measured.shared);
  }
  const [one, many] = [median(rates.alone), median(rates.shared)];
  const times = (many / one).toFixed(1);
  say(`${CLIENTS} clients, one INSERT a create: ${count(one)} creates/s`);
  say(`${CLIENTS} clients, shared statements: ${count(many)} creates/s, ${times} times as many`);
  await store.close();
  await sql.end();
}

async function compareInstances(url: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const instances = [await startService(folder, url), await startService(folder, url)];
  for (const used of [instances.slice(0, 1), instances]) {
    for (const [name, work] of Object.entries({ listPets: firstPage, createPet: createTogether })) {
      const load = { clients: CLIENTS / used.length, seconds: SECONDS, requests: requestsOf(work) };
      const rounds: Figures[][] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        rounds.push(await Promise.all(used.map((instance) => measure(instance, load))));
      }
      const measured = rounds.slice(1);
      const perSecond = median(measured.map((round) => round.reduce((sum, one) => sum + one.perSecond, 0)));
      const cpu = median(measured.flat().map((one) => one.cpu)).toFixed(0);
      say(`${name}, ${used.length} instance(s): ${count(perSecond)} requests/s, ${cpu} µs CPU/request`);
    }
  }
}

function requestsOf(work: Work): string[] {
  return callsOf(work).map((call) => requestText(call, ourTarget));
}

async function rate(work: () => PromiseLike<unknown>): Promise<number> {
  const over = performance.now() + SECONDS * 1000;
  let done = 0;
  const client = async () => {
    for (; performance.now() < over; done++) await work();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return done / SECONDS;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
