import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnService } from '../test/support/service/process.ts';
import { call, KEY } from '../test/support/service/service.ts';
import { usageOf } from './measure/usage.ts';

/**
 * node bench/overload.ts: what becomes of throughput and latency with ten and a hundred times the clients that keep the service
 * busy. Every client sends its next request as soon as it has its response, also after 503: none of them waits as Retry-After asks.
 */
const SECONDS = 8;
const CLIENTS = [64, 640, 6400];
const REQUEST = `GET /v1/pets?status=available&limit=50 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\n\r\n`;
const LENGTH = /content-length: (\d+)/i;

interface Result {
  readonly succeeded: number;
  readonly refused: number;
  /** Of the requests that succeeded, in ascending order. */
  readonly latencies: readonly number[];
  /** Of health checks meanwhile, each on a new connection. */
  readonly health: readonly number[];
}

const folder = mkdtempSync(join(tmpdir(), 'animal-store-overload-'));
const cleanups: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
try {
  const { origin, port, child } = await spawnService(
    { after: (cleanup) => void cleanups.unshift(cleanup as () => unknown) },
    { DATABASE_URL: `sqlite:${join(folder, 'pets.db')}`, LOG_LEVEL: 'error' },
  );
  for (let n = 0; n < 200; n++)
    await call(origin, 'POST', '/v1/pets', { body: { name: `Animal ${n}`, categoryId: n } });
  const cpu = () => usageOf(child.pid ?? 0).cpu;
  await run(origin, port, 64, 3);
  const rows = [];
  let best = 0;
  for (const clients of CLIENTS) {
    const before = cpu();
    const { succeeded, refused, latencies, health } = await run(origin, port, clients, SECONDS);
    const at = (values: readonly number[], q: number) =>
      Math.round(values[Math.floor(values.length * q)] ?? 0);
    // Of the service: the clients need as much of the machine, and more the more there are.
    const perCpuSecond = Math.round(succeeded / (cpu() - before));
    best = Math.max(best, perCpuSecond);
    rows.push({
      clients,
      perCpuSecond,
      ofBest: `${Math.round((perCpuSecond / best) * 100)} %`,
      refusedPerSecond: Math.round(refused / SECONDS),
      p50: at(latencies, 0.5),
      p99: at(latencies, 0.99),
      healthP99: at(health, 0.99),
    });
  }
  // biome-ignore lint/suspicious/noConsole: the result of the command
  console.table(rows);
} finally {
  for (const cleanup of cleanups) await cleanup();
}

async function run(origin: string, port: number, clients: number, seconds: number): Promise<Result> {
  const latencies: number[] = [];
  const health: number[] = [];
  let refused = 0;
  const sockets: Socket[] = [];
  // A few at a time: the queue of connections that wait to be accepted is short.
  while (sockets.length < clients) {
    const more = Array.from({ length: 50 }, () => connect({ port, host: '127.0.0.1', noDelay: true }));
    await Promise.all(more.map((socket) => once(socket, 'connect')));
    sockets.push(...more);
  }
  const end = performance.now() + seconds * 1000;
  const isOver = () => performance.now() > end;

  const use = (socket: Socket) =>
    new Promise<void>((resolve) => {
      let received = '';
      let sentAt = performance.now();
      socket.on('error', () => {});
      socket.on('close', () => resolve());
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        received += chunk;
        const head = received.indexOf('\r\n\r\n');
        if (head < 0 || received.length < head + 4 + Number(LENGTH.exec(received)?.[1])) return;
        const now = performance.now();
        if (received.startsWith('HTTP/1.1 200')) latencies.push(now - sentAt);
        else refused++;
        received = '';
        if (now > end) return void socket.destroy();
        sentAt = now;
        socket.write(REQUEST);
      });
      socket.write(REQUEST);
    });

  const probe = async () => {
    while (!isOver()) {
      const start = performance.now();
      await call(origin, 'GET', '/healthz', { key: null, headers: { connection: 'close' } });
      health.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await Promise.all([...sockets.map(use), probe()]);
  const sorted = (values: number[]) => values.sort((a, b) => a - b);
  return { succeeded: latencies.length, refused, latencies: sorted(latencies), health: sorted(health) };
}
