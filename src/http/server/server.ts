import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { batchPerTick } from '../../batch-per-tick.ts';
import { ApiError, type ErrorCode, toApiError } from '../../contract/errors.ts';
import { limits, type ServerLimits } from '../../contract/limits.ts';
import type { Log } from '../../log.ts';
import { type Answer, isStream } from '../answer.ts';
import { type ConnectionEvents, Connections } from './connections.ts';
import { BODY_BYTES_PER_TICK, type Exchange, plainAddress } from './exchange.ts';
import { fromParserError, type ParserError, rawResponse } from './malformed.ts';
import { NewConnections } from './new-connections.ts';
import { createServer, useInternals } from './node-internals.ts';
import { type StreamOptions, Streams } from './streams.ts';
import { UnreadAnswers } from './unread-answers.ts';

/** The transport: connections and node:http in, exchanges out. Everything that a client can send or occupy is bounded. */
export class HttpServer {
  readonly connections: Connections;
  readonly streams: Streams;
  readonly #unread: UnreadAnswers;
  readonly #server: Server;
  readonly #new: NewConnections;
  draining = false;

  /**
   * Passes every request to `serve`, which returns whether the body may still be wanted; requests that arrive in one tick are passed back
   * to back. `onError` receives the code of what never became a request.
   */
  constructor(
    serve: (exchange: Exchange) => boolean,
    log: Log,
    onError: (code: ErrorCode) => void,
    serverLimits: ServerLimits,
  ) {
    const serveOne = (exchange: Exchange) => {
      try {
        return serve(exchange);
      } catch (error) {
        log.error({ err: error }, 'a request could not be served');
        const { socket } = exchange.message;
        socket.end(onRefused(toApiError(error), socket.remoteAddress));
        exchange.body?.discard();
        return false;
      }
    };
    const serveAll = (exchanges: readonly Exchange[]) => exchanges.forEach(serveOne);
    const onRefused = (error: ApiError, address = '') => {
      const id = randomUUID();
      onError(error.code);
      log.info(
        { requestId: id, status: error.status, code: error.code, address: plainAddress(address) },
        'request',
      );
      return rawResponse(error, id);
    };
    const onWhole = batchPerTick(serveAll, { schedule: setImmediate, loneAtOnce: true });
    // At the end of the callback, node:http has read the head; at the end of the tick, the body in the same packet, too.
    const onHead = batchPerTick(serveAll, {
      schedule: setImmediate,
      max: BODY_BYTES_PER_TICK,
      sizeOf: ({ body }) => body?.size ?? 0,
    });
    const events: ConnectionEvents = {
      onRequest(exchange) {
        // At once, so that no chunk is parsed, and no body held, that no stage reads.
        if (exchange.isLarge) return serveOne(exchange);
        (exchange.body ? onHead : onWhole)(exchange);
        return true;
      },
      onRefused,
    };
    this.connections = new Connections(events, serverLimits, log);
    this.#unread = new UnreadAnswers(serverLimits);
    this.streams = new Streams(this.#unread, serverLimits);
    this.#server = createNodeServer(this.connections, serverLimits);
    const missing = useInternals(this.#server);
    if (missing.length > 0)
      log.error(
        { node: process.version },
        `this version of Node lacks what the service needs for ${missing.join(', ')}`,
      );
    this.#new = new NewConnections((socket) => this.#server.emit('connection', socket));
  }

  /** Takes over a connection that was accepted elsewhere. */
  accept(socket: Socket): void {
    if (this.connections.add(socket)) this.#new.add(socket);
  }

  /** Sends an answer with these further headers. `options` are those of a stream. */
  send(
    exchange: Exchange,
    { status, body, headers }: Answer,
    more: readonly string[],
    options?: StreamOptions,
  ): void {
    const { response, message, body: received } = exchange;
    received?.discard();
    const all = headers.concat(more);
    if (isStream(body)) this.#prepareStream(exchange);
    // A 304 would have to give the length of the body that it does not send.
    else if (status !== 204 && status !== 304) all.push('content-length', `${byteLength(body)}`);
    if (this.#isLast(exchange)) this.connections.of(message.socket)?.closeAfter(exchange);
    if (exchange.closesConnection) all.push('connection', 'close');
    response.writeHead(status, all);
    // Plain ASCII is the same bytes in both encodings, and is written faster as Latin-1.
    if (typeof body === 'string') response.end(body, byteLength(body) === body.length ? 'latin1' : 'utf8');
    else if (isStream(body)) this.streams.add(exchange, body, options);
    else response.end(body);
    if (message.socket.writableLength > 0) this.#unread.track(message.socket);
  }

  /** Ends the streams, and resolves when every other request is answered and every connection is closed, or when time is up. */
  drain(): Promise<void> {
    this.draining = true;
    this.streams.drain();
    return this.connections.drain();
  }

  /**
   * Whether the connection ends with the answer to this request. If the body has not arrived, a proxy that used the connection again would
   * send the next request into the rest of it. A client that waits for 100 Continue may send the body or not: node:http closes its connection.
   */
  #isLast({ body, isArriving, awaitsContinue, losesBytes }: Exchange): boolean {
    return this.draining || (body !== undefined && isArriving) || awaitsContinue || losesBytes;
  }

  /** Without a length, a stream ends with its connection. Chunks would take more system calls for each part. */
  #prepareStream(exchange: Exchange): void {
    exchange.response.removeHeader('transfer-encoding');
    this.connections.of(exchange.message.socket)?.beginStream(exchange);
  }

  /** Closes the remaining connections. */
  close(): void {
    this.#unread.stop();
    this.connections.close();
    this.#server.close();
  }
}

const byteLength = (body: string | Uint8Array): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.length;

function createNodeServer(connections: Connections, serverLimits: ServerLimits): Server {
  const { headersMs, requestMs, idleMs, checkMs } = serverLimits;
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    keepAliveTimeoutBuffer: checkMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: limits.headerBytes,
    // `checkWellFormed` refuses such a request, with the same body as any other error.
    requireHostHeader: false,
  });
  // Node silently drops what exceeds its own limit. With one more than is allowed, no such request is accepted.
  server.maxHeadersCount = limits.headerCount + 1;
  // A request with an expectation is handled as any other: its key is checked first.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (message, response) => {
      connections.of(message.socket)?.receive(message, response, event === 'checkContinue');
    });
  }
  server.on('connect', (message) => {
    connections.of(message.socket)?.fail(new ApiError('bad_request', 'CONNECT is not supported.'));
  });
  server.on('clientError', (error: ParserError, socket) => {
    const connection = connections.of(socket as Socket);
    if (!connection || error.code === 'ECONNRESET') socket.destroy();
    else connection.fail(fromParserError(error));
  });
  return server;
}
