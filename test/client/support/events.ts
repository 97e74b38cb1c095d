import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { AnimalStore, Event, FollowQuery, StreamOptions } from '../../../src/client/index.ts';

/** A TCP proxy between a client and the service. */
interface Line {
  readonly baseUrl: string;
  /** How many connections there were. */
  connections(): number;
  /** Cuts the open connections, and lets new ones through when `until` resolves. */
  interrupt(until: Promise<void>): void;
  close(): void;
}

/** Cuts its first connection after so many bytes of the response, if given. */
export async function startLine(
  t: TestContext,
  port: number,
  firstBytes = Number.POSITIVE_INFINITY,
): Promise<Line> {
  let connections = 0;
  let isOpen = Promise.resolve();
  const sockets = new Set<Socket>();
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer(async (client) => {
    sockets.add(client.on('error', () => {}));
    let left = connections++ === 0 ? firstBytes : Number.POSITIVE_INFINITY;
    await isOpen;
    if (left === 0) return void client.end();
    const upstream = connect(port, '127.0.0.1');
    sockets.add(upstream.on('error', () => {}));
    client.pipe(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.end());
    upstream.on('data', (chunk: Buffer) => {
      client.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) upstream.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    destroyAll();
  };
  t.after(close);
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    connections: () => connections,
    close,
    interrupt(until) {
      isOpen = until;
      destroyAll();
    },
  };
}

/** Collects the events of a loop until the test ends. Calls `onEvent` with each, if given. */
export function collectEvents(
  t: TestContext,
  store: AnimalStore,
  query?: FollowQuery,
  options: StreamOptions = {},
  onEvent: (event: Event) => void = () => {},
) {
  const controller = new AbortController();
  const events: Event[] = [];
  const loop = (async () => {
    for await (const event of store.events(query, { ...options, signal: controller.signal })) {
      events.push(event);
      onEvent(event);
    }
  })();
  loop.catch(() => {});
  t.after(() => controller.abort());
  return { events, loop, controller, names: () => events.map(({ pet }) => pet?.name) };
}
