import postgres from 'postgres';
import { openStore } from '../src/store/open.ts';
import { createCluster } from '../test/support/postgres.ts';
import { type Figures, measure } from './load.ts';
import { create, list, median, say, startService, stopAll } from './service.ts';

/** npm run bench:postgres: creates that share statements beside one INSERT a create; 1 and 2 instances over HTTP. */
const CLIENTS = 64;
const SECONDS = 3;
const ROUNDS = 5;
const pet = { name: 'Rex of the benchmark, a patient animal', categoryId: 7n, status: 'available' } as const;

const endings: (() => Promise<void>)[] = [];
const server = await createCluster('bench', (work) => void endings.push(work));
try {
  await server.start();
  await compareStatements(server.url('postgres'));
  await compareInstances(server.url('postgres'));
} finally {
  stopAll();
  for (const end of endings.reverse()) await end();
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
  say(`${CLIENTS} clients, one INSERT a create: ${one.toFixed(0)} creates/s`);
  say(
    `${CLIENTS} clients, shared statements:   ${many.toFixed(0)} creates/s, ${(many / one).toFixed(1)} times as many`,
  );
  await store.close();
  await sql.end();
}

async function compareInstances(url: string): Promise<void> {
  const instances = [await startService(url), await startService(url)];
  for (const count of [1, 2]) {
    for (const [name, request] of Object.entries({ listPets: list, createPet: create })) {
      const rounds: Figures[][] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const loads = instances
          .slice(0, count)
          .map((instance) => ({ ...instance, clients: CLIENTS / count }));
        rounds.push(await Promise.all(loads.map((load) => measure({ ...load, request, seconds: SECONDS }))));
      }
      const measured = rounds.slice(1);
      const perSecond = median(measured.map((round) => round.reduce((sum, one) => sum + one.perSecond, 0)));
      const cpu = median(measured.flat().map((one) => one.cpu));
      say(
        `${name}, ${count} instance(s), ${CLIENTS} clients: ${perSecond.toFixed(0)} requests/s, ${cpu.toFixed(0)} µs CPU/request`,
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
