import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/** A TCP proxy that can inject network faults. */
export interface FaultProxy {
  readonly port: number;
  /** Drops all packets, in both directions, without closing any connection. */
  swallow(on: boolean): void;
  /** The same from the next packet of a client on that contains this text. Resolves then. */
  swallowFrom(text: string): Promise<void>;
  /** Drops the server's responses on the existing connections; new connections work. */
  silence(): void;
  /** Accepts new connections, and forwards nothing on them. Existing connections work. */
  holdNew(on: boolean): void;
  /** How many connections on which nothing was forwarded have been given up. */
  givenUp(): number;
  /** Closes every connection; new ones go to this port. */
  switchTo(target: number): void;
  /** Forwards the next COMMIT, and closes the connection when the server has answered that it is done; no answer since then arrives. */
  cutAfterCommit(): void;
}

export async function startProxy(firstTarget: number): Promise<FaultProxy> {
  let target = firstTarget;
  let swallowing = false;
  let swallowAt: { text: string; resolve: () => void } | undefined;
  let cutsNext = false;
  let holding = false;
  let givenUp = 0;
  const pairs = new Set<[Socket, Socket]>();
  const silenced = new WeakSet<Socket>();

  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    if (holding) return void client.resume().on('close', () => givenUp++);
    let isCut = false;
    client.on('data', (chunk) => {
      if (swallowAt && chunk.includes(swallowAt.text)) {
        swallowing = true;
        swallowAt.resolve();
      }
      if (cutsNext && chunk.includes('COMMIT')) {
        isCut = true;
        cutsNext = false;
      }
      if (!swallowing) upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      // The answers to the statements before it may come alone.
      if (isCut && chunk.includes('COMMIT')) end();
      else if (isCut) return;
      else if (!swallowing && !silenced.has(upstream)) client.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  });
  return {
    port: (server.address() as AddressInfo).port,
    swallow(on) {
      swallowing = on;
    },
    swallowFrom: (text) =>
      new Promise((resolve) => {
        swallowAt = { text, resolve };
      }),
    silence() {
      for (const [, upstream] of pairs) silenced.add(upstream);
    },
    holdNew(on) {
      holding = on;
    },
    givenUp: () => givenUp,
    switchTo(port) {
      target = port;
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
    cutAfterCommit() {
      cutsNext = true;
    },
  };
}
