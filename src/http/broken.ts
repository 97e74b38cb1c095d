import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
} from 'fastify';
import { ApiError, errorJson } from '../contract/errors.ts';
import { kib, limits } from '../contract/limits.ts';
import type { Connections } from './connections.ts';
import { valuesOf } from './headers.ts';
import { JSON_TYPE } from './json.ts';
import { requestId } from './request-id.ts';

interface ParserError extends Error {
  readonly code?: string;
  /** A Buffer, whatever the framework's types say. */
  readonly rawPacket?: unknown;
}

/** The reply that stands for a response, until it is sent: an idle connection holds on to its last response. */
const replies = new WeakMap<ServerResponse, FastifyReply>();
/** Connections on which nothing more is understood. */
const refused = new WeakSet<Duplex>();

/** Has requests answered that Node would answer itself, with a foreign or empty body, or not at all. */
export function answerBroken(app: FastifyInstance, connections: Connections): void {
  app.addHook('onRequest', (_request, reply, done) => {
    replies.set(reply.raw, reply);
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    replies.delete(reply.raw);
    done();
  });
  app.server.on('connect', (_request, socket) =>
    refuseInTurn(app.log, connections, socket, new ApiError('bad_request', 'CONNECT is not served here.')),
  );
  // As ordinary requests: the key is checked first, then `checkWellFormed` and the body have their say.
  const asRequest = (request: IncomingMessage, response: ServerResponse) =>
    app.server.emit('request', request, response);
  app.server.on('checkContinue', asRequest);
  app.server.on('checkExpectation', asRequest);
}

/** For a request that the parser gave up on, or that did not arrive in time. */
export function onClientError(log: FastifyBaseLogger, connections: Connections) {
  return (error: ParserError, socket: Duplex): void => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseInTurn(log, connections, socket, errorOf(error));
  };
}

/** Refuses behind the answers that are still due on the connection, and never twice. */
function refuseInTurn(
  log: FastifyBaseLogger,
  connections: Connections,
  socket: Duplex,
  error: ApiError,
): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  const response = connections.latest(socket);
  if (!response || (response.req.complete && response.writableFinished)) {
    refuse(log, socket, error);
  } else if (response.req.complete) {
    response.once('close', () => refuse(log, socket, error));
  } else {
    // The body is broken or late, in the very packet perhaps that brought the headers: the key has the first word.
    setImmediate(() => {
      if (!response.headersSent) answerInstead(response, error);
      else if (response.writableFinished) socket.destroy();
      else response.once('close', () => socket.destroy());
    });
  }
}

/** Ends a request that will never be whole like any other, so that its id, its key and its line in the log are its own. */
function answerInstead(response: ServerResponse, error: ApiError): void {
  response.shouldKeepAlive = false;
  replies.get(response)?.send(error);
}

/** An onRequest hook for behind the key check: what HTTP forbids but Node's parser lets pass. */
export function checkWellFormed(
  { raw }: FastifyRequest,
  _reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  if ((raw.url ?? '').length > limits.targetBytes) throw targetTooLong();
  const hosts = valuesOf(raw, 'host');
  if (hosts.length > 1 || (hosts.length === 0 && raw.httpVersion === '1.1')) {
    throw new ApiError('bad_request', 'The request must have exactly one Host header.');
  }
  const expect = raw.headers.expect;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new ApiError(
      'bad_request',
      `The expectation "${expect}" of this ${raw.method} cannot be met; only 100-continue can.`,
    );
  }
  done();
}

const targetTooLong = (): ApiError =>
  new ApiError('uri_too_long', `The request target must not be longer than ${kib(limits.targetBytes)}.`);

function errorOf({ code, message, rawPacket }: ParserError): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('request_timeout', 'The request did not arrive in time.');
  if (code !== 'HPE_HEADER_OVERFLOW')
    return new ApiError('bad_request', `The request is not well-formed HTTP: ${message}`);
  return Buffer.isBuffer(rawPacket) && overflowsTarget(rawPacket.toString('latin1'))
    ? targetTooLong()
    : new ApiError(
        'headers_too_large',
        `The request headers must not be larger than ${kib(limits.headerBytes)} in all.`,
      );
}

/** Whether what grew too large is the request line. The parser does not say; the packet that broke it mostly shows. */
function overflowsTarget(packet: string): boolean {
  const [line = ''] = packet.split('\r\n', 1);
  const begins = /^[A-Z]+ /.test(line);
  if (/ HTTP\/\d\.\d$/.test(line)) return !begins || line.length > limits.targetBytes;
  return begins && !packet.includes('\n');
}

function refuse(log: FastifyBaseLogger, socket: Duplex, error: ApiError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = errorJson(error);
  const id = requestId();
  log.info({ requestId: id, status: error.status, code: error.code }, 'request');
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${error.code}`,
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${id}`,
      `Date: ${new Date().toUTCString()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
