import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { endOfAnswer } from './conversation.ts';
import { heldConnections, kernelBytes } from './server-sockets.ts';

const POLL_MS = 50;
/** For longer than the kernel delays an acknowledgement, because unacknowledged bytes are counted at both ends. */
const SETTLED_POLLS = 8;

/** The size of the answer to a request on a connection that stays open, head and body. */
export async function sizeOfAnswer(port: number, request: string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  let bytes: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    const end = endOfAnswer(bytes);
    if (end !== undefined) return end;
  }
  throw new Error('the connection was closed within a response');
}

/**
 * Sends one request after the other on a connection that is not read, each once the kernel has the whole answer before it, until the kernel
 * takes no more: the rest of the last answer is then in the service. `sent` is how many were sent before; returns the total.
 */
export async function fillKernel(
  socket: Socket,
  port: number,
  request: string,
  size: number,
  sent = 0,
): Promise<number> {
  let count = sent;
  while (count === 0 || (await hasAll(socket, port, count, size))) {
    socket.write(request);
    count++;
  }
  return count;
}

/** Whether the kernel has taken `count` answers. False if it stops within the last one, or if the connection is closed. */
async function hasAll(socket: Socket, port: number, count: number, size: number): Promise<boolean> {
  let [seen, unchanged] = [0, 0];
  for (; ; await sleep(POLL_MS)) {
    const client = socket.localPort ?? 0;
    if (socket.destroyed) return false;
    const taken = socket.bytesRead + kernelBytes(port, client);
    if (taken === count * size) return true;
    if (taken <= (count - 1) * size || taken !== seen) [seen, unchanged] = [taken, 0];
    else if (++unchanged >= SETTLED_POLLS) return false;
    if (taken > 0 && !heldConnections(port).has(client)) return false;
  }
}
