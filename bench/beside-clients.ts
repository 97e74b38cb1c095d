import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEY } from '../test/support/service/service.ts';
import { KeepAliveClient } from '../test/support/wire/keep-alive.ts';
import { onCleanup } from './cleanup.ts';

const MAIN = join(import.meta.dirname, '../bin/animal-store.js');
const PAUSE_MS = 5;

const start = (url: string, args: readonly string[]) =>
  spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, PORT: '0', API_KEYS: KEY, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'pipe'],
  });

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Starts a service on this database. Returns its port. */
export async function startService(url: string): Promise<number> {
  const child = start(url, ['serve']);
  onCleanup(() => child.kill());
  let text = '';
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    text += chunk;
    const [, port] = /listens on http:\/\/[^/]+:(\d+)\//.exec(text) ?? [];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`the service did not start: ${text}`);
}

/** Runs a command of `animal-store` to its end. CPU time and the greatest memory are those that Linux counts for it. */
export async function runCommand(url: string, ...args: string[]): Promise<string> {
  const startedAt = performance.now();
  const child = start(url, args);
  child.stderr.pipe(process.stderr);
  let cpuTicks = 0;
  let memoryKib = 0;
  const watch = setInterval(() => {
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    cpuTicks = Number(stat[11]) + Number(stat[12]);
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    memoryKib = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? memoryKib);
  }, 50);
  child.once('exit', () => clearInterval(watch));
  const [code] = await once(child, 'exit');
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  return `exit ${code} after ${seconds} s, CPU ${cpuTicks / 100} s, memory ${Math.round(memoryKib / 1024)} MB`;
}

export interface Clients {
  readonly readers: number;
  readonly writers: number;
  /** How many animals there are to read. */
  readonly animals: number;
}

/** Lets clients call the service while `work` runs. Returns what they experienced. */
export async function besideClients(
  port: number,
  { readers, writers, animals }: Clients,
  work: () => Promise<unknown>,
): Promise<string> {
  let isOver = false;
  let failed = 0;
  const client = async (ms: number[], status: number, call: (on: KeepAliveClient) => Promise<Answer>) => {
    const connection = new KeepAliveClient(port);
    const timedCall = async () => {
      const startedAt = performance.now();
      const answer = await call(connection);
      ms.push(performance.now() - startedAt);
      if (answer.status !== status) failed++;
    };
    while (!isOver) await Promise.all([timedCall(), sleep(PAUSE_MS)]);
    connection.close();
  };
  const [readMs, createMs]: [number[], number[]] = [[], []];
  const getPet = (on: KeepAliveClient) => on.get(`/v1/pets/${1 + Math.floor(Math.random() * animals)}`);
  const clients = [
    ...Array.from({ length: readers }, () => client(readMs, 200, getPet)),
    ...Array.from({ length: writers }, () => client(createMs, 201, (on) => on.createPet('Rex'))),
  ];
  await work();
  isOver = true;
  await Promise.all(clients);
  return `getPet ${percentiles(readMs)}; createPet ${percentiles(createMs)}; failed ${failed}`;
}

type Answer = Awaited<ReturnType<KeepAliveClient['get']>>;

function percentiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (percent: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0).toFixed(1);
  return `p50 ${at(50)} ms, p99 ${at(99)} ms, longest ${at(100)} ms (${values.length} calls)`;
}
