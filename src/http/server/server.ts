import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { batchPerTick } from '../../batch-per-tick.ts';
import { ApiError, type ErrorCode } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Log } from '../../log.ts';
import { requestId } from '../request/request-id.ts';
import type { Answer } from '../response/answer.ts';
import { toApiError } from '../response/error-answer.ts';
import type { ConnectionEvents } from './connection.ts';
import { Connections } from './connections.ts';
import { Exchange } from './exchange.ts';
import { fromParserError, type ParserError, rawResponse } from './malformed.ts';
import { NewConnections } from './new-connections.ts';
import { createServer } from './node-http.ts';
import { UnreadAnswers } from './unread-answers.ts';

/** The number of pipelined requests started in one tick, so that clients that pipeline do not delay others for long. */
const PIPELINED_PER_TICK = 8;

/** The transport: connections and node:http in, exchanges out. Everything that a client can send or occupy is bounded. */
export class HttpServer {
  readonly connections: Connections;
  readonly #unread = new UnreadAnswers();
  readonly #server: Server;
  readonly #new: NewConnections;
  #draining = false;

  /**
   * Passes every request to `serve`; requests that arrive in one tick are passed back to back. `onError` receives the code of
   * what never became a request.
   */
  constructor(
    serve: (exchange: Exchange) => void,
    log: Log,
    onError: (code: ErrorCode) => void,
    maxConnections: number,
  ) {
    const serveAll = (exchanges: readonly Exchange[]) => {
      for (const exchange of exchanges) {
        try {
          serve(exchange);
        } catch (error) {
          log.error({ err: error }, 'a request could not be served');
          const { socket } = exchange.message;
          socket.end(onRefused(toApiError(error), socket.remoteAddress));
        }
      }
    };
    const onRefused = (error: ApiError, address: string | undefined) => {
      const id = requestId([]);
      onError(error.code);
      log.info({ requestId: id, status: error.status, code: error.code, address }, 'request');
      return rawResponse(error, id);
    };
    const onWhole = batchPerTick(serveAll, { schedule: setImmediate, loneAtOnce: true });
    // At the end of the callback, node:http has read the head; at the end of the tick, the body in the same packet, too.
    const onHead = batchPerTick(serveAll, { schedule: setImmediate });
    const events: ConnectionEvents = {
      onRequest: (exchange) => (exchange.body ? onHead(exchange) : onWhole(exchange)),
      onPipelinedRequest: batchPerTick(serveAll, { schedule: setImmediate, max: PIPELINED_PER_TICK }),
      onRefused,
    };
    this.connections = new Connections(events, maxConnections);
    this.#server = createNodeServer(this.connections);
    this.#new = new NewConnections((socket) => this.#server.emit('connection', socket));
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Takes over a connection that was accepted elsewhere. */
  accept(socket: Socket): void {
    if (this.connections.add(socket)) this.#new.add(socket);
  }

  /** Prepares to send an answer with these further headers. */
  sendHead(exchange: Exchange, { status, body, headers }: Answer, more: readonly string[]): void {
    const { response, message } = exchange;
    const all = headers.concat(more);
    // A 304 would have to give the length of the body that it does not send.
    if (status !== 204 && status !== 304) all.push('content-length', `${byteLength(body)}`);
    if (this.#draining && !this.connections.of(message.socket)?.hasWaiting) exchange.closesConnection = true;
    if (exchange.closesConnection) all.push('connection', 'close');
    response.writeHead(status, all);
  }

  /** Sends what was prepared, in one piece with the body. */
  sendBody({ response, message }: Exchange, { body }: Answer): void {
    // Plain ASCII is the same bytes in both encodings, and is written faster as Latin-1.
    if (typeof body === 'string') response.end(body, byteLength(body) === body.length ? 'latin1' : 'utf8');
    else response.end(body);
    this.#unread.track(message.socket);
  }

  /** Resolves when every accepted request is answered and every connection is closed, or when time is up. */
  drain(): Promise<void> {
    this.#draining = true;
    return this.connections.drain();
  }

  /** Cuts off what is left. */
  close(): void {
    this.#unread.stop();
    this.connections.close();
    this.#server.close();
  }
}

const byteLength = (body: Answer['body']): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.length;

function createNodeServer(connections: Connections): Server {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: limits.headerBytes,
    // Ours to refuse, with the body of any other error.
    requireHostHeader: false,
  });
  // Bounded by their size. Node would silently drop headers beyond a number of them.
  server.maxHeadersCount = 0;
  // A client that closes its sending side after the request still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  // A request with an expectation is an ordinary one to us: the key is checked first.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (message, response) =>
      connections.of(message.socket)?.receive(new Exchange(message, response)),
    );
  }
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
  return server;
}
