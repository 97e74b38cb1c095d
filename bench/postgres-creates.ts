import postgres from 'postgres';
import { openStore } from '../src/store/open.ts';
import { createCluster } from '../test/support/postgres.ts';

/** npm run bench:postgres: creates that share statements and commits, beside one INSERT a create, on one server. */
const CLIENTS = 64;
const SECONDS = 3;
const ROUNDS = 5;
const pet = { name: 'Rex of the benchmark, a patient animal', categoryId: 7n, status: 'available' } as const;

const endings: (() => Promise<void>)[] = [];
const server = await createCluster('bench', (work) => void endings.push(work));
try {
  await server.start();
  const url = server.url('postgres');
  const store = await openStore(url);
  const sql = postgres(url, { max: 10, connection: { search_path: 'animal_store' } });
  const one = () => sql`
    INSERT INTO pets (name, category_id, status) VALUES (${pet.name}, ${'7'}, ${pet.status}) RETURNING id`;
  const work = { 'one INSERT a create': one, 'shared statements': () => store.createPet(pet) };
  const figures = new Map<string, number[]>();
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, create] of Object.entries(work)) {
      const perSecond = await rate(create);
      if (round > 0) figures.set(name, [...(figures.get(name) ?? []), perSecond]);
    }
  }
  const medians = [...figures].map(([name, rounds]) => [name, median(rounds)] as const);
  for (const [name, perSecond] of medians)
    process.stdout.write(`${name.padEnd(20)} ${perSecond.toFixed(0)} creates/s\n`);
  process.stdout.write(`ratio ${((medians[1]?.[1] ?? 0) / (medians[0]?.[1] ?? 1)).toFixed(1)}\n`);
  await store.close();
  await sql.end();
} finally {
  for (const end of endings.reverse()) await end();
}

async function rate(create: () => PromiseLike<unknown>): Promise<number> {
  const end = performance.now() + SECONDS * 1000;
  let done = 0;
  const client = async () => {
    for (; performance.now() < end; done++) await create();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return done / SECONDS;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
