import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { createCluster, tlsSettings } from '../test/support/database/postgres.ts';
import { KeepAliveClient } from '../test/support/wire/keep-alive.ts';
import { cleanUp, cleanUpOnSignal, interrupted, onCleanup } from './cleanup.ts';
import { print } from './command.ts';
import { ROOT, type RunningServer } from './contenders/processes.ts';
import { startService } from './contenders/service.ts';
import { median } from './measure/figures.ts';
import { load } from './measure/load.ts';
import { usageOf } from './measure/usage.ts';
import { KEY, ourTarget } from './workloads/calls.ts';
import { firstPage, getPet, randomPages } from './workloads/read-workloads.ts';
import { requestsOf } from './workloads/requests.ts';
import type { Workload } from './workloads/workload.ts';
import { createByMany, createIdempotentByMany, updateByMany } from './workloads/write-workloads.ts';

/**
 * npx node bench/compare-checkouts.ts FOLDER [--only NAME] [--postgres FOLDER] [--tls]: what requests cost this checkout, compared with another
 * one: the median of pairs of measurements that alternate, in CPU time of the service, and of the service and PostgreSQL together. Both have
 * the same animals, in databases of their own, and get the same requests. --postgres names the programs of another PostgreSQL, such as
 * /usr/lib/postgresql/15/bin; with --tls, the services connect to it with sslmode=require.
 */
const PAIRS = 5;
/** Before them, until the code is compiled. */
const WARM_UP_PAIRS = 2;
/** Of each checkout in a pair. */
const TURNS = 10;
const ANIMALS = 100_000;
/** Few enough that each gets several names in every turn: a name that an animal has already costs less. */
const RENAMED = 200;
const ORDER_CLIENTS = 64;

interface Database {
  readonly url: string;
  /** The process of its server, if there is one. */
  readonly pid?: number;
}

/** Sends this many requests. */
type Work = (port: number, count: number) => Promise<unknown>;

/** Each of them costs about a second of CPU time in a pair, which Linux counts in hundredths. */
const works: Record<string, { readonly send: Work; readonly count: number }> = {
  'first page': { send: requests(firstPage, ANIMALS), count: 30_000 },
  'random pages': { send: requests(randomPages, ANIMALS), count: 15_000 },
  getPet: { send: requests(getPet, ANIMALS), count: 30_000 },
  createPet: { send: requests(createByMany, ANIMALS), count: 10_000 },
  'first page, one client': { send: requests({ ...firstPage, clients: 1 }, ANIMALS), count: 10_000 },
  'getPet, one client': { send: requests({ ...getPet, clients: 1 }, ANIMALS), count: 10_000 },
  'createPet, idempotent': { send: requests(createIdempotentByMany, ANIMALS), count: 10_000 },
  'createPet, one client': { send: requests({ ...createByMany, clients: 1 }, ANIMALS), count: 4000 },
  updatePet: { send: requests(updateByMany, RENAMED), count: 10_000 },
  'an order, cancelled': { send: placeAndCancel, count: 6400 },
};

const { values: options, positionals } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    postgres: { type: 'string' },
    tls: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [other] = positionals;
if (other === undefined) throw new Error('which checkout is this one to be compared with?');
const isSelected = (name: string) => name.toLowerCase().includes(options.only.toLowerCase());
const checkouts = [ROOT, resolve(other)];
const folder = mkdtempSync(join(tmpdir(), 'animal-store-compare-'));
onCleanup(() => rmSync(folder, { recursive: true, force: true }));
cleanUpOnSignal();
try {
  const animals = writeAnimals();
  await compare('SQLite', animals, async (place) => ({ url: `sqlite:${join(folder, `${place}.db`)}` }));
  await compare('PostgreSQL', animals, startPostgres);
} catch (error) {
  if (!interrupted) throw error;
} finally {
  await cleanUp();
}

async function compare(store: string, animals: string, databaseOf: (place: number) => Promise<Database>) {
  const selected = Object.entries(works).filter(([name]) => isSelected(`${store}, ${name}`));
  if (selected.length === 0) return;
  const services = [
    await start(0, animals, await databaseOf(0)),
    await start(1, animals, await databaseOf(1)),
  ];
  for (const [name, { send, count }] of selected) {
    const pairs: number[][][] = [];
    for (let pair = 0; pair < WARM_UP_PAIRS + PAIRS; pair++) {
      const before = services.map(cpuOf);
      // In short turns, so that whatever else runs on the machine affects both alike. Each is the first in every other turn.
      for (let turn = 0; turn < TURNS; turn++)
        for (const place of turn % 2 === 0 ? [0, 1] : [1, 0])
          await send((services[place] as RunningServer).port, count / TURNS);
      pairs.push(
        services.map((service, place) =>
          cpuOf(service).map((cpu, i) => (1e6 * (cpu - (before[place]?.[i] as number))) / count),
        ),
      );
    }
    const measured = pairs.slice(WARM_UP_PAIRS);
    const [alone, together] = [0, 1].map((i) =>
      summary(measured.map((pair) => pair.map((cpu) => cpu[i] as number))),
    );
    print(`${store}, ${name}: ${alone}${store === 'SQLite' ? '' : `; with the database ${together}`}`);
  }
  for (const service of services) await service.stop();
}

function summary(pairs: readonly (readonly number[])[]): string {
  const ratios = pairs.map(([ours = 0, theirs = 0]) => ours / theirs);
  const [ours, theirs] = [0, 1].map((place) => median(pairs.map((pair) => pair[place] as number)).toFixed(1));
  const range = `${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`;
  return `${median(ratios).toFixed(3)} (${range}); ${ours} µs instead of ${theirs}`;
}

/** Of the service, and of it together with its database server, in seconds. */
function cpuOf({ pid, databasePid }: RunningServer): [service: number, both: number] {
  const { cpu } = usageOf(pid);
  return [cpu, cpu + (databasePid === undefined ? 0 : usageOf(databasePid).cpu)];
}

/** A service of one checkout, whose own command has imported the animals: the schemas may differ. */
async function start(place: number, animals: string, { url, pid }: Database): Promise<RunningServer> {
  const checkout = checkouts[place];
  const args = ['bin/animal-store.js', 'import', animals, '--create', '--database', url];
  await promisify(execFile)('node', args, { cwd: checkout });
  const service = await startService(folder, url, { checkout });
  return pid === undefined ? service : { ...service, databasePid: pid };
}

/** A server for each, so that its CPU time is that of one checkout. It does nothing at times of its own choice. */
async function startPostgres(place: number): Promise<Database> {
  const server = await createCluster(`compare-${place}`, onCleanup, undefined, options.postgres);
  const tls = options.tls ? await tlsSettings(server) : [];
  await server.start(['autovacuum=off', 'checkpoint_timeout=1h', 'max_wal_size=16GB', ...tls]);
  const lockFile = readFileSync(join(server.folder, 'postmaster.pid'), 'utf8');
  return {
    url: server.url(`postgres${options.tls ? '?sslmode=require' : ''}`),
    pid: Number.parseInt(lockFile, 10),
  };
}

function writeAnimals(): string {
  const file = join(folder, 'animals.ndjson');
  const row = (_: unknown, i: number) =>
    `${JSON.stringify({ name: `Rex ${(i * 7919) % 1_000_003}`, categoryId: 1 + (i % 500) })}\n`;
  writeFileSync(file, Array.from({ length: ANIMALS }, row).join(''));
  return file;
}

function requests(workload: Workload, animals: number): Work {
  const { clients } = workload;
  const packets = requestsOf(workload, ourTarget, animals);
  return (port, count) =>
    load({ port, clients, seconds: Number.POSITIVE_INFINITY, count, requests: packets });
}

/** Every client has animals of its own. */
async function placeAndCancel(port: number, count: number): Promise<void> {
  const client = async (place: number) => {
    const connection = new KeepAliveClient(port);
    const send = async (method: string, path: string, body: object) => {
      const headers = { authorization: `Bearer ${KEY}` };
      const reply = await connection.send(method, path, headers, JSON.stringify(body));
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.body}`);
      return JSON.parse(reply.body) as { readonly id: number };
    };
    for (let n = 0; n < count / 2 / ORDER_CLIENTS; n++) {
      const { id } = await send('POST', '/v1/store/orders', { petId: 1 + place + n * ORDER_CLIENTS });
      await send('PATCH', `/v1/store/orders/${id}`, { status: 'cancelled' });
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: ORDER_CLIENTS }, (_, place) => client(place)));
}
