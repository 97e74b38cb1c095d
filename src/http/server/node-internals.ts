import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * `createServer` of node:http, without the import: an import evaluates every export of a built-in module, and one of them,
 * WebSocket, loads a whole HTTP client. That costs every start 70 ms of CPU and every process 16 MB.
 */
export const { createServer } = process.getBuiltinModule('node:http');

// Everything in src/http that depends on undocumented behaviour of node:http, each with what is lost without it.

type Internal<T, Parts> = T & { -readonly [Part in keyof Parts]?: Parts[Part] };

/** The timer with which node:http looks for requests that do not arrive in time. */
const SLOW_CLIENTS_TIMER = 'http.server.connectionsCheckingInterval';

/**
 * Prepares a server that never listens, and returns for what this version of Node lacks something, in words for the log:
 * - A client that closes its sending side after the request still gets its answer. Without it, its connection is closed at once.
 * - Slow clients are watched. node:http begins with it when a server listens. Without it, the limits for headers and requests
 *   do not apply, and a request that never arrives occupies its connection until room is needed.
 * - `holdBack` has the effect that it promises, on a server that `create` makes.
 */
export function useInternals(
  server: Internal<Server, { httpAllowHalfOpen: boolean }>,
  create: typeof createServer = createServer,
): string[] {
  const missing: string[] = [];
  if (server.httpAllowHalfOpen === undefined) missing.push('responses to half-closed connections');
  server.httpAllowHalfOpen = true;
  server.emit('listening');
  const timers = Object.getOwnPropertySymbols(server).map(({ description }) => description);
  if (!timers.includes(SLOW_CLIENTS_TIMER)) missing.push('the time limits of slow clients');
  if (!canHoldBack(create)) missing.push('pausing clients that pipeline');
  return missing;
}

/**
 * Reads from the socket only while `mayRead`, whatever node:http wants: it resumes a socket after each request that it has parsed to
 * its end. Without it, clients that pipeline fill the memory up to the bounds of `WaitingRequests`.
 */
export function holdBack(socket: Socket, mayRead: () => boolean): void {
  const { resume } = socket;
  socket.resume = () => (mayRead() ? resume.call(socket) : socket);
}

/**
 * Reads for a moment longer from a connection that ends with its answer: node:http calls `destroySoon` when that is sent. What the client still
 * sends would make the kernel reset the connection, and drop the answer that the client has not read. Without it, such a client may
 * see a reset in place of the answer.
 */
export function lingerAfterEnd(socket: Socket, ms: number): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), ms).unref();
  };
}

const PROBE = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na';

/** Whether node:http resumes a socket by the method that `holdBack` replaces. */
function canHoldBack(create: typeof createServer): boolean {
  let isAsked = false;
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }) as Socket;
  const server = create(() => {});
  holdBack(socket, () => {
    isAsked = true;
    return true;
  });
  server.emit('connection', socket);
  socket.emit('data', Buffer.from(PROBE));
  socket.destroy();
  return isAsked;
}
