import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/** A TCP proxy that can be told to misbehave, as networks do. */
export interface Proxy {
  readonly port: number;
  /** Takes packets and hands none on, in either direction, without closing anything. */
  swallow(on: boolean): void;
  /** Keeps the answers of the server to itself on the connections there are now; new ones work. */
  silence(): void;
  /** Hands on what the client sends, and cuts every connection before the server's next answer comes through. */
  cutBeforeAnswer(): void;
}

export async function startProxy(target: number): Promise<Proxy> {
  let swallowing = false;
  let cutting = false;
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
    client.on('data', (chunk) => {
      if (!swallowing) upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (cutting) end();
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
    silence() {
      for (const [, upstream] of pairs) silenced.add(upstream);
    },
    cutBeforeAnswer() {
      cutting = true;
      setTimeout(() => {
        cutting = false;
      }, 300);
    },
  };
}
