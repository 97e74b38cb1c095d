import { parseArgs } from 'node:util';
import { openStore } from '../src/store/open.ts';
import { Connection, type Db } from '../src/store/postgres/pool/connection.ts';
import { petReads } from '../src/store/postgres/reads/pet-reads.ts';
import { type Host, parseUrl } from '../src/store/postgres/url.ts';
import { createCluster } from '../test/support/database/postgres.ts';
import { cleanUp, cleanUpOnSignal, onCleanup } from './cleanup.ts';
import { loadPg, openPg } from './contenders/pg-driver.ts';
import { table } from './format.ts';
import { median, timesOf } from './measure/figures.ts';

/**
 * The reads of the store with postgres.js, with pg, and with pg and its option `pipeline`: CPU of this process and latency
 * per call. pg is no dependency: install it anywhere and name the folder.
 *
 *     npm install --prefix /tmp/pg pg@8 && node bench/postgres-drivers.ts /tmp/pg
 */
const PETS = 50_000;
const IN_FLIGHT = [1, 8, 32];
const NO_LIMIT = { statementMs: 0, lockMs: 0 };

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '7' }, calls: { type: 'string', default: '160' } },
});
const [rounds, calls] = [Number(options.rounds), Number(options.calls)];

async function openPostgresJs(url: string): Promise<Db> {
  const address = parseUrl(url);
  const connection = await Connection.open(address, address.hosts[0] as Host, NO_LIMIT);
  onCleanup(() => connection.close());
  return connection.sql;
}

/** One call, and the connections of its group: how many, and how many calls each takes at a time. */
interface Work {
  readonly connections: number;
  readonly callsPerConnection: number;
  readonly run: (sql: Db) => Promise<unknown>;
}

const times = <T>(length: number, make: () => T): T[] => Array.from({ length }, make);
const randomId = () => BigInt(1 + Math.floor(Math.random() * PETS));

const readsOf = (sql: Db) => petReads({ read: (work) => work(sql) }, { read: (work) => work(sql) });
const read = (run: Work['run']): Work => ({ connections: 4, callsPerConnection: 100, run });
const getPets = (count: number) =>
  read((sql) => {
    const { getPet } = readsOf(sql);
    return Promise.all(times(count, () => getPet(randomId())));
  });
const listPets = (count: number) =>
  read((sql) => {
    const { listPets } = readsOf(sql);
    return Promise.all(times(count, () => listPets({ limit: 20, from: { id: randomId() } })));
  });

const works: Record<string, Work> = {
  'getPet, alone': getPets(1),
  'getPet, batch of 32': getPets(32),
  'a page of 20, alone': listPets(1),
  '16 pages in a batch': listPets(16),
};

/** Calls take turns on the connections of a group; one that finds none free waits. */
class Slots {
  readonly #free: Db[];
  readonly #waiting: ((sql: Db) => void)[] = [];

  constructor(open: readonly Db[], { connections, callsPerConnection }: Work) {
    this.#free = times(callsPerConnection, () => open.slice(0, connections)).flat();
  }

  async use(run: Work['run']): Promise<void> {
    const sql = this.#free.shift() ?? (await new Promise<Db>((resolve) => this.#waiting.push(resolve)));
    await run(sql);
    const next = this.#waiting.shift();
    if (next) next(sql);
    else this.#free.unshift(sql);
  }
}

interface Sample {
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
}

async function measure(work: Work, open: readonly Db[], inFlight: number): Promise<Sample> {
  const slots = new Slots(open, work);
  const latencies = new Float64Array(calls);
  let started = 0;
  const client = async () => {
    while (started < calls) {
      const call = started++;
      const startedAt = performance.now();
      await slots.use(work.run);
      latencies[call] = performance.now() - startedAt;
    }
  };
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await Promise.all(times(inFlight, client));
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - startedAt) / 1000;
  return { cpu: (user + system) / calls, ...timesOf({ seconds, latencies: latencies.sort() }) };
}

/** The drivers take turns in each round; the first round is a warm-up. */
async function compare(url: string, drivers: Record<string, (url: string) => Promise<Db>>): Promise<string> {
  const names = Object.keys(drivers);
  const open = await Promise.all(Object.values(drivers).map((one) => Promise.all(times(4, () => one(url)))));
  const cells = Object.entries(works).flatMap(([call, work]) =>
    IN_FLIGHT.map((inFlight) => ({ call, work, inFlight, samples: names.map((): Sample[] => []) })),
  );
  for (let round = 0; round <= rounds; round++)
    for (const { work, inFlight, samples } of cells)
      for (let turn = 0; turn < names.length; turn++) {
        const driver = (turn + round) % names.length;
        const sample = await measure(work, open[driver] ?? [], inFlight);
        if (round > 0) samples[driver]?.push(sample);
      }
  const columns = (what: string) => names.map((name) => `${what} ${name}`);
  return table(
    ['call', 'in flight', ...columns('µs'), ...columns('×').slice(1), ...columns('p50'), ...columns('p99')],
    cells.map(({ call, inFlight, samples }) => [call, `${inFlight}`, ...figuresOf(samples)]),
  );
}

/** Medians of the rounds: CPU, that of the others relative to the first driver in the same round, and latencies in ms. */
function figuresOf(samples: readonly (readonly Sample[])[]): string[] {
  const [first = [], ...others] = samples;
  const figure = (of: keyof Sample, digits: number) =>
    samples.map((all) => median(all.map((sample) => sample[of])).toFixed(digits));
  const ratios = others.map((all) => median(all.map(({ cpu }, i) => cpu / (first[i]?.cpu ?? 0))).toFixed(2));
  return [...figure('cpu', 0), ...ratios, ...figure('p50', 2), ...figure('p99', 1)];
}

async function fill(url: string): Promise<void> {
  const newPet = {
    name: 'Rex of the benchmark, a patient animal',
    categoryId: 7n,
    status: 'available',
  } as const;
  const store = await openStore(url);
  for (let done = 0; done < PETS; done += 1000) await Promise.all(times(1000, () => store.createPet(newPet)));
  await store.close();
}

const [folder] = positionals;
if (folder === undefined) throw new Error('name the folder in which pg is installed');
const pg = loadPg(folder);
cleanUpOnSignal();
try {
  const server = await createCluster('drivers', onCleanup);
  await server.start();
  const url = server.url('postgres');
  await fill(url);
  const drivers = {
    'postgres.js': openPostgresJs,
    pg: (url: string) => openPg(pg, url, NO_LIMIT, false),
    'pg, pipeline': (url: string) => openPg(pg, url, NO_LIMIT, true),
  };
  process.stdout.write(`${await compare(url, drivers)}\n`);
} finally {
  await cleanUp();
}
