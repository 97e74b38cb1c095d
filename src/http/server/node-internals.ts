import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * What the transport uses of node:http, without the import: an import evaluates every export of a built-in module, and one of them,
 * WebSocket, loads a whole HTTP client, which every process would pay for (decision 6).
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');

// Everything in src/http that depends on undocumented behaviour of node:http, each with what is lost without it.

type Internal<T, Parts> = T & { -readonly [Part in keyof Parts]?: Parts[Part] };

/** The timer with which node:http looks for requests that do not arrive in time. */
const SLOW_CLIENTS_TIMER = 'http.server.connectionsCheckingInterval';
/** What `onIncoming` returns to stop the parser: another protocol begins here. */
const PROTOCOL_CHANGES = 2;

/**
 * Prepares a server that never listens, and returns what does not work on this version of Node, in words for the log:
 * - A client that closes its sending side after the request still gets its answer. Without it, its connection is closed at once.
 * - Slow clients are watched. node:http starts this when a server listens. Without it, the limits for headers and requests
 *   do not apply, and a request that never arrives occupies its connection until room is needed.
 * - `stopParsing` and `endOfUpgrade` have the effect that they promise, on a server that `create` makes.
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
  server.on('connection', makeStoppable);
  return [...missing, ...missingEffects(create)];
}

/**
 * Keeps reading for a moment from a connection that ends with its answer: node:http calls `destroySoon` when the answer is sent.
 * Without it, input that is not read makes the kernel reset the connection, and the client may see a reset in place of the answer.
 */
export function lingerAfterEnd(socket: Socket, ms: number): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), ms).unref();
  };
}

const STOPPED = Symbol('stopped');

/**
 * Makes node:http leave what follows unread, including the body of a request whose head it has just passed on. What still arrives is
 * dropped. Otherwise it builds every chunk and every request, and no other client gets its turn meanwhile. Without it, clients without a
 * key can delay all others with packets full of tiny chunks or short requests (decision 6).
 */
export function stopParsing(socket: Internal<Socket, { [STOPPED]: boolean }>): void {
  socket[STOPPED] = true;
  socket.removeAllListeners('data').on('data', () => {});
}

type OnIncoming = (message: { upgrade: boolean }, keepAlive: boolean) => number;

/** Lets `stopParsing` stop within a packet. To be called once node:http has the connection. */
function makeStoppable(socket: Internal<Socket, { [STOPPED]: boolean; parser: { onIncoming: OnIncoming } }>) {
  const { parser } = socket;
  const onIncoming = parser?.onIncoming;
  if (!parser || !onIncoming) return;
  parser.onIncoming = (message, keepAlive) => {
    const result = socket[STOPPED] ? PROTOCOL_CHANGES : onIncoming(message, keepAlive);
    if (!socket[STOPPED]) return result;
    // As node:http does for a server that knows no other protocol: otherwise it destroys the connection, with the answer.
    message.upgrade = false;
    return PROTOCOL_CHANGES;
  };
}

/**
 * After how many bytes of its connection a request for another protocol ends. To be called when its head has arrived. The parser drops
 * what follows such a request in the same packet, so the connection can go on only if it has read no more. NaN if the end is unknown:
 * the head did not come in one piece, or the body comes in chunks. Without it, every such request closes its connection, and some clients
 * ask every time. After such a request, node:http does not report input that is not HTTP: it times out as an incomplete request.
 */
export function endOfUpgrade(
  message: Omit<IncomingMessage, 'socket'> & {
    socket: Internal<Socket, { parser: { getCurrentBuffer?: () => Buffer } | null }>;
  },
): number {
  const { socket, method, headers } = message;
  const packet = socket.parser?.getCurrentBuffer?.()?.toString('latin1');
  if (!packet?.startsWith(`${method} `) || headers['transfer-encoding'] !== undefined) return Number.NaN;
  const head = packet.indexOf('\r\n\r\n') + 4;
  return socket.bytesRead - packet.length + head + Number(headers['content-length'] ?? 0);
}

const UPGRADE = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: a\r\n\r\n';
/** A request after whose head to stop, and then what must not be seen: a chunk, a request, and what is not HTTP. */
const PACKET =
  'PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n' +
  'GET / HTTP/1.1\r\nHost: a\r\n\r\n!';

/** Feeds requests to a server, and returns what the functions of this file do not achieve there. */
function missingEffects(create: typeof createServer): string[] {
  const missing = new Set(['stopping in a packet', 'requests for another protocol']);
  const fail = () => missing.add('stopping in a packet');
  const server = create((message) => {
    if (message.method === 'PUT' && missing.delete('stopping in a packet')) {
      stopParsing(message.socket);
      message.push = (chunk) => chunk === null || !fail();
    } else if (endOfUpgrade(message) === UPGRADE.length) missing.delete('requests for another protocol');
    else fail();
  });
  server.on('connection', makeStoppable).on('clientError', fail);
  for (const packet of [UPGRADE, PACKET]) {
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }) as Socket;
    server.emit('connection', Object.assign(socket, { bytesRead: packet.length }));
    socket.emit('data', Buffer.from(packet));
    socket.destroy();
  }
  return [...missing];
}
