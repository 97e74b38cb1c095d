import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { samplePets } from '../src/data/samples.ts';
import { fileHeader, petRows } from '../src/data/write.ts';
import { KeepAliveClient } from '../test/support/keep-alive.ts';
import { createCluster, createDatabase } from '../test/support/postgres.ts';
import { KEY } from '../test/support/service.ts';
import { cleanUp, cleanUpOnSignal, onCleanup } from './cleanup.ts';

/**
 * node bench/import.ts [ROWS]: imports a CSV file into SQLite and PostgreSQL while a service runs on the database. Prints the
 * time, the CPU time and memory of the import, and what clients of the service experience meanwhile.
 */
const ROWS = Number(process.argv[2] ?? 1_000_000);
const MAIN = join(import.meta.dirname, '../bin/animal-store.js');
const PAUSE_MS = 5;

cleanUpOnSignal();
try {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-import-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'pets.csv');
  await writeCsv(file);
  await measure(`sqlite:${join(folder, 'pets.db')}`, file);
  const server = await createCluster('import', onCleanup);
  await server.start();
  await measure(await createDatabase(server), file);
} finally {
  await cleanUp();
}

/** Names differ, as those of real animals do: an index of equal names would be filled faster. */
async function writeCsv(file: string): Promise<void> {
  const output = createWriteStream(file);
  output.write(fileHeader('csv'));
  let id = 0n;
  for (const pet of samplePets(ROWS, 1)) {
    id++;
    const row = petRows([{ id, ...pet, name: `${pet.name} ${(id * 7919n) % 1_000_003n}` }], 'csv');
    if (!output.write(row)) await once(output, 'drain');
  }
  output.end();
  await finished(output);
}

async function measure(url: string, file: string): Promise<void> {
  const port = await startService(url);
  let isOver = false;
  const until = async (work: () => Promise<void>) => {
    while (!isOver) await Promise.all([work(), sleep(PAUSE_MS)]);
  };
  const reads = new KeepAliveClient(port);
  const writes = new KeepAliveClient(port);
  const readMs: number[] = [];
  const createMs: number[] = [];
  let refused = 0;
  await writes.createPet('Rex');
  const clients = [
    until(async () => void readMs.push(await timed(() => reads.get('/v1/pets/1')))),
    until(async () => {
      const ms = await timed(async () => {
        if ((await writes.createPet('Rex')).status !== 201) refused++;
      });
      createMs.push(ms);
    }),
  ];
  const usage = await runImport(url, file);
  isOver = true;
  await Promise.all(clients);
  reads.close();
  writes.close();
  print(`${ROWS} rows into ${url.split(':')[0]}: ${usage}`);
  print(`  getPet p50 ${percentile(readMs, 50)} ms, p99 ${percentile(readMs, 99)} ms, of ${readMs.length}`);
  const slow = `longest ${percentile(createMs, 100)} ms, refused ${refused} of ${createMs.length}`;
  print(`  createPet p50 ${percentile(createMs, 50)} ms, p99 ${percentile(createMs, 99)} ms, ${slow}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function startService(url: string): Promise<number> {
  const env = { ...process.env, PORT: '0', API_KEYS: KEY, DATABASE_URL: url };
  const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  onCleanup(() => child.kill());
  let text = '';
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    text += chunk;
    const [, port] = /listens on http:\/\/[^/]+:(\d+)\//.exec(text) ?? [];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`the service did not start: ${text}`);
}

/** CPU time and the greatest memory are those that Linux counts for the process. */
async function runImport(url: string, file: string): Promise<string> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [MAIN, 'import', file, '--database', url], { stdio: 'ignore' });
  let cpuTicks = 0;
  let memoryKib = 0;
  const watch = setInterval(() => {
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    cpuTicks = Number(stat[11]) + Number(stat[12]);
    memoryKib = Number(
      /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? memoryKib,
    );
  }, 50);
  child.once('exit', () => clearInterval(watch));
  const [code] = await once(child, 'exit');
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  return `exit ${code} after ${seconds} s, CPU ${cpuTicks / 100} s, memory ${Math.round(memoryKib / 1024)} MB`;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function percentile(values: readonly number[], percent: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
  return value.toFixed(1);
}
