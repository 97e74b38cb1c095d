import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeepAliveClient } from '../test/support/keep-alive.ts';
import { KEY } from '../test/support/service.ts';
import { cleanUp, cleanUpOnSignal, onCleanup } from './cleanup.ts';

/**
 * node bench/backup.ts [ANIMALS]: backs up a store while clients read and write it through a service. Prints the time and the
 * memory of the backup, and what the clients experience without it and meanwhile.
 */
const ANIMALS = Number(process.argv[2] ?? 1_000_000);
const MAIN = join(import.meta.dirname, '../bin/animal-store.js');
const READERS = 4;
const WRITERS = 2;
const PAUSE_MS = 5;
const ALONE_MS = 5000;

cleanUpOnSignal();
try {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-backup-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const database = join(folder, 'pets.db');
  const env = { ...process.env, PORT: '0', API_KEYS: KEY, DATABASE_URL: `sqlite:${database}` };
  const run = (...args: string[]) =>
    spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  await once(run('seed', `${ANIMALS}`, '--create'), 'exit');
  const service = run('serve');
  onCleanup(() => service.kill());
  const port = await portOf(service);
  print(`${ANIMALS} animals, ${READERS} clients that call getPet, ${WRITERS} that call createPet`);
  await load(port, 'without a backup', () => sleep(ALONE_MS));
  await load(port, 'during a backup', async () => {
    const startedAt = performance.now();
    const command = run('backup', join(folder, 'copy.db'));
    const memory = greatestMemory(command);
    const [code] = await once(command, 'exit');
    const { size } = statSync(`${database}-wal`);
    print(
      `backup: exit ${code} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s, memory ${memory()} MB, -wal ${(size / 1e6).toFixed(1)} MB`,
    );
  });
} finally {
  await cleanUp();
}

async function load(port: number, title: string, work: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const readMs: number[] = [];
  const createMs: number[] = [];
  let refused = 0;
  const client = async (call: (client: KeepAliveClient) => Promise<void>) => {
    const connection = new KeepAliveClient(port);
    while (!isOver) await Promise.all([call(connection), sleep(PAUSE_MS)]);
    connection.close();
  };
  const read = () =>
    client(async (connection) => {
      const id = 1 + Math.floor(Math.random() * ANIMALS);
      const startedAt = performance.now();
      const { status } = await connection.get(`/v1/pets/${id}`);
      readMs.push(performance.now() - startedAt);
      if (status !== 200) refused++;
    });
  const write = () =>
    client(async (connection) => {
      const startedAt = performance.now();
      const { status } = await connection.createPet('Rex');
      createMs.push(performance.now() - startedAt);
      if (status !== 201) refused++;
    });
  const clients = [...Array.from({ length: READERS }, read), ...Array.from({ length: WRITERS }, write)];
  await work();
  isOver = true;
  await Promise.all(clients);
  print(`${title}: getPet ${percentiles(readMs)}; createPet ${percentiles(createMs)}; failed ${refused}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function portOf({ stderr }: ChildProcess): Promise<number> {
  let text = '';
  for await (const chunk of stderr?.setEncoding('utf8') ?? []) {
    text += chunk;
    const [, port] = /listens on http:\/\/[^/]+:(\d+)\//.exec(text) ?? [];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`the service did not start: ${text}`);
}

/** As Linux counts it. */
function greatestMemory(child: ChildProcess): () => number {
  let kib = 0;
  const watch = setInterval(() => {
    kib = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? kib);
  }, 50);
  child.once('exit', () => clearInterval(watch));
  return () => Math.round(kib / 1024);
}

function percentiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (percent: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0).toFixed(1);
  return `p50 ${at(50)} ms, p99 ${at(99)} ms, longest ${at(100)} ms (${values.length} calls)`;
}
