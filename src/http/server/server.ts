import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { batchPerTick } from '../../batch-per-tick.ts';
import { ApiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Log } from '../../log.ts';
import { requestId } from '../request/request-id.ts';
import type { Answer } from '../response/answer.ts';
import { Connections } from './connections.ts';
import type { Exchange } from './exchange.ts';
import { fromParserError, type ParserError, rawResponse } from './malformed.ts';
import { UnreadAnswers } from './unread-answers.ts';

const KEEP_ALIVE_MS = 65_000;
/** Pipelined requests that are begun in one tick, so that clients who pipeline never hold up the others for long. */
const PIPELINED_PER_TICK = 8;

/** The transport: connections and node:http in, exchanges out. Everything that a client can send or hold is bounded. */
export interface HttpServer {
  readonly connections: Connections;
  /** Takes over a connection that was accepted elsewhere. */
  accept(socket: Socket): void;
  /** Whether it is shutting down. */
  readonly draining: boolean;
  /** Sends the answer with these further headers. */
  send(exchange: Exchange, answer: Answer, headers: readonly string[]): void;
  /** Resolves when every accepted request is answered and every connection is closed, or when time is up. */
  drain(): Promise<void>;
  /** Cuts off what is left. */
  close(): void;
}

/** Hands every request to `serve`; those that arrive in one tick, one right after the other. */
export function createHttpServer(serve: (exchange: Exchange) => void, log: Log): HttpServer {
  const serveAll = (exchanges: readonly Exchange[]) => exchanges.forEach(serve);
  const connections = new Connections({
    onRequest: batchPerTick(serveAll, { schedule: setImmediate }),
    onPipelinedRequest: batchPerTick(serveAll, { schedule: setImmediate, max: PIPELINED_PER_TICK }),
    onRefused(error) {
      const id = requestId([]);
      log.info({ requestId: id, status: error.status, code: error.code }, 'request');
      return rawResponse(error, id);
    },
  });
  const unread = new UnreadAnswers();
  let draining = false;

  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: limits.headerBytes,
    // Ours to refuse, with the body of any other error.
    requireHostHeader: false,
  });
  // Bounded by their size. Node would silently drop headers beyond a number of them.
  server.maxHeadersCount = 0;
  // A client that closes its sending side after the request still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true });

  const receive = (message: IncomingMessage, response: ServerResponse) =>
    connections.of(message.socket)?.receive(message, response);
  server.on('request', receive);
  // Ordinary requests to us: the key is checked first, then the expectation.
  server.on('checkContinue', receive);
  server.on('checkExpectation', receive);
  server.on('connect', (message, stream) => {
    stream.on('error', () => {});
    connections.of(message.socket)?.fail(new ApiError('bad_request', 'CONNECT is not supported.'));
  });
  server.on('clientError', (error: ParserError, socket) => {
    const connection = connections.of(socket as Socket);
    if (!connection || error.code === 'ECONNRESET') socket.destroy();
    else connection.fail(fromParserError(error));
  });
  // It never listens itself; but with this event node:http begins to watch for slow clients.
  server.emit('listening');

  return {
    connections,
    accept(socket) {
      if (connections.add(socket)) server.emit('connection', socket);
    },
    get draining() {
      return draining;
    },
    send(exchange, { status, body, headers }, more) {
      const { connection, response } = exchange;
      const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
      const all = [...headers, ...more];
      // A 304 would have to give the length of the body that it does not send.
      if (status !== 204 && status !== 304) all.push('content-length', `${bytes}`);
      if (connection.closesAfter(exchange, draining)) all.push('connection', 'close');
      response.writeHead(status, all);
      // Plain ASCII is the same bytes in both encodings, and is written faster as Latin-1.
      if (typeof body === 'string') response.end(body, bytes === body.length ? 'latin1' : 'utf8');
      else response.end(body);
      unread.track(connection);
    },
    drain() {
      draining = true;
      return connections.drain();
    },
    close() {
      unread.stop();
      connections.destroyAll();
      server.close();
    },
  };
}
