import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningServer } from '../contenders/processes.ts';
import { startService } from '../contenders/service.ts';
import { createSqliteFile } from '../datasets/databases.ts';
import { count, table } from '../format.ts';
import { median } from '../measure/figures.ts';
import { usageOf } from '../measure/usage.ts';
import { KEY } from '../workloads/calls.ts';
import { FEW } from '../workloads/workload.ts';
import type { Section } from './section.ts';

export const STREAMS = 1000;
/** One key may open half of them. */
const KEYS = [KEY, 'another-api-key-of-the-benchmark'];
/** Connections that are opened at a time: the queue of those that wait to be accepted is short. */
const AT_A_TIME = 50;
const EVENTS_PER_SECOND = 20;
/** Longer than the rounds of other sections: idle streams use too little CPU for a second to show it. */
const SECONDS_PER_ROUND = 5;

export interface StreamCosts {
  /** Memory of the server for each open stream, in bytes. */
  readonly bytes: number;
  /** CPU that they cost while nothing happens, in milliseconds per second. */
  readonly idle: number;
  /** What each event costs for each stream it is sent to, in microseconds of CPU. */
  readonly delivery: number;
  /** From the response to the change until the last stream has the event, in milliseconds. */
  readonly delay: number;
}

/** What open streams of events cost. */
export const streams: Section<StreamCosts | undefined> = {
  name: 'streams',
  empty: undefined,
  seconds: ({ rounds }) => 5 + (rounds + 1) * 4 * SECONDS_PER_ROUND,

  async measure({ folder, schedule: { rounds }, progress }) {
    const database = `sqlite:${await createSqliteFile(folder, 'ours', FEW)}`;
    const server = await startService(folder, database, { env: { API_KEYS: KEYS.join() } });
    const during = (what: string, work: () => Promise<Round>) =>
      progress.during(`streams: ${what}`, SECONDS_PER_ROUND, work);
    const idleCpu = async () =>
      (await during('idle', () => cpuDuring(server, () => sleep(SECONDS_PER_ROUND * 1000)))).cpu;
    const alone: Round[] = [];
    const idleAlone: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      idleAlone.push(await idleCpu());
      alone.push(await during('none', () => createPets(server)));
    }
    const rssBefore = usageOf(server.pid).rss;
    const clients = await openStreams(server.port);
    const bytes = (usageOf(server.pid).rss - rssBefore) / STREAMS;
    const followed: Round[] = [];
    const idle: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      idle.push(await idleCpu());
      followed.push(await during('events', () => createPets(server, clients)));
    }
    for (const { socket } of clients) socket.destroy();
    await server.stop();
    // The first round of each is a warm-up.
    const cpuOf = (rows: readonly Round[]) => median(rows.slice(1).map(({ cpu, events }) => cpu / events));
    return {
      bytes,
      idle: ((median(idle.slice(1)) - median(idleAlone.slice(1))) / SECONDS_PER_ROUND) * 1000,
      delivery: ((cpuOf(followed) - cpuOf(alone)) / STREAMS) * 1e6,
      delay: median(followed.slice(1).map(({ delay }) => delay)),
    };
  },

  table(costs) {
    if (!costs) return '';
    return table(
      [
        'open streams',
        'memory per stream',
        'CPU while idle',
        'CPU per delivered event',
        'delay until the last stream',
      ],
      [
        [
          count(STREAMS),
          `${(costs.bytes / 1000).toFixed(1)} kB`,
          `${costs.idle.toFixed(1)} ms/s`,
          `${costs.delivery.toFixed(1)} µs`,
          `${costs.delay.toFixed(0)} ms`,
        ],
      ],
    );
  },
};

interface Round {
  readonly events: number;
  /** In seconds. */
  readonly cpu: number;
  readonly delay: number;
}

interface Client {
  readonly socket: Socket;
  received: number;
}

async function openStreams(port: number): Promise<Client[]> {
  const clients: Client[] = [];
  while (clients.length < STREAMS)
    clients.push(
      ...(await Promise.all(
        Array.from({ length: AT_A_TIME }, (_, n) => openStream(port, KEYS[n % 2] as string)),
      )),
    );
  return clients;
}

async function openStream(port: number, key: string): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  const client: Client = { socket, received: 0 };
  socket.write(
    `GET /v1/events HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(`no stream: ${head}`);
  // Each event has one such line; a part may end within it.
  let rest = '';
  socket.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString('latin1')).split('\nevent: ');
    client.received += parts.length - 1;
    rest = parts.at(-1)?.slice(-'\nevent: '.length) ?? '';
  });
  return client;
}

/** Adds animals at an even pace. */
async function createPets(server: RunningServer, clients: readonly Client[] = []): Promise<Round> {
  const delays: number[] = [];
  const before = clients[0]?.received ?? 0;
  const events = EVENTS_PER_SECOND * SECONDS_PER_ROUND;
  const { cpu } = await cpuDuring(server, async () => {
    for (let n = 1; n <= events; n++) {
      const nextAt = performance.now() + 1000 / EVENTS_PER_SECOND;
      await createPet(server.port);
      const createdAt = performance.now();
      while (clients.some(({ received }) => received < before + n)) await sleep(1);
      delays.push(performance.now() - createdAt);
      await sleep(Math.max(0, nextAt - performance.now()));
    }
  });
  return { events, cpu, delay: median(delays) };
}

async function createPet(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":7}',
  });
  await response.arrayBuffer();
}

async function cpuDuring(server: RunningServer, work: () => Promise<unknown>): Promise<Round> {
  const before = usageOf(server.pid).cpu;
  await work();
  return { events: 0, cpu: usageOf(server.pid).cpu - before, delay: 0 };
}
