/** The process that `flood` starts. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FloodOptions } from './flood.ts';

const AT_ONCE = 200;

process.on('disconnect', () => process.exit());
const [{ port, connections, payload, reads }] = (await once(process, 'message')) as [FloodOptions];
const bytes = Buffer.from(payload);
let n = 0;

/** Tries again if a busy machine has not accepted the connection in time. */
async function connected(): Promise<Socket> {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    socket.on('error', () => {});
    if (reads) socket.resume();
    else socket.pause();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    socket.once('connect', () => resolve(true)).once('close', () => resolve(false));
    if (await promise) return socket;
  }
}

async function open(): Promise<number> {
  const socket = await connected();
  const { localPort = 0 } = socket;
  if (payload.includes('{n}')) socket.write(payload.replaceAll('{n}', () => `${n++}`));
  else if (payload !== '') socket.write(bytes);
  return localPort;
}

const ports: number[] = [];
while (ports.length < connections) {
  const count = Math.min(AT_ONCE, connections - ports.length);
  ports.push(...(await Promise.all(Array.from({ length: count }, open))));
}
process.send?.(ports);
// The process must outlive closed connections: its exit would close the others.
setInterval(() => {}, 60_000);
