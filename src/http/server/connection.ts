import type { Socket } from 'node:net';
import { ApiError } from '../../contract/errors.ts';
import type { Exchange } from './exchange.ts';
import { type WaitingInAll, WaitingRequests } from './waiting-requests.ts';

/** A refused client has this long to read its answer and to close; then the connection is destroyed. */
const LINGER_MS = 1000;

export interface ConnectionEvents {
  /** A request for which no other of its connection waits. */
  onRequest(exchange: Exchange): void;
  /** A request that waited until the one before it on its connection was answered. */
  onPipelinedRequest(exchange: Exchange): void;
  /** Logs the refusal of bytes that never became a request, and returns the response to send. */
  onRefused(error: ApiError, remoteAddress: string | undefined): string;
}

/**
 * One client connection. Its requests are answered one after the other: the next one begins when the previous answer has
 * been passed to the kernel, so a client that does not read uses the memory of one response, no matter how much it sends.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  readonly #acceptedAt = performance.now();
  readonly #waiting: WaitingRequests;
  #current: Exchange | undefined;
  /** The exchange after which `#next` runs. */
  #followed: Exchange | undefined;
  #refusal: ApiError | undefined;
  /** Whether nothing more on it is read as a request. */
  #closing = false;

  constructor(socket: Socket, events: ConnectionEvents, inAll: WaitingInAll) {
    this.#socket = socket;
    this.#events = events;
    this.#waiting = new WaitingRequests(inAll);
    socket.once('close', () => this.#onClose());
    this.#holdBackWhileWaiting();
  }

  /** When its latest request arrived or, before the first one, the connection itself. */
  get activeAt(): number {
    return this.#current?.receivedAt ?? this.#acceptedAt;
  }

  /** Whether a request is still to be answered to its end. */
  get busy(): boolean {
    return this.#current !== undefined && !this.#current.finished;
  }

  get hasWaiting(): boolean {
    return !this.#waiting.isEmpty;
  }

  receive(exchange: Exchange): void {
    if (this.#closing) return;
    // The parser loses the rest of a packet with such a request: what would follow cannot be trusted.
    if (exchange.headers.first('upgrade') !== undefined) this.#closeAfter(exchange);
    if (exchange.headers.first('transfer-encoding') !== undefined)
      exchange.body?.limitChunks(() => this.fail(tooManyChunks()));
    if (!this.busy) {
      this.#current = exchange;
      this.#events.onRequest(exchange);
    } else if (this.#waiting.add(exchange)) {
      this.#socket.pause();
      this.#nextAfterCurrent();
    } else {
      stopParsing(this.#socket);
      this.destroy();
    }
  }

  /**
   * The client sent something that is not HTTP, or sent it too late. A request that is still arriving gets the error as its
   * answer; otherwise the error is sent after the responses that are still pending on this connection.
   */
  fail(error: ApiError): void {
    if (this.#refusal) return;
    this.#refusal = error;
    this.#closing = true;
    this.#socket.pause();
    const latest = this.#waiting.latest ?? this.#current;
    if (!latest || (latest.message.complete && !this.busy)) this.#refuse(error);
    // Not at `close`: for a client that has closed its sending side, node:http closes the connection before that.
    else if (latest.message.complete)
      latest.response.once('prefinish', () => this.#refuseAfter(latest, error));
    else if (latest.finished) this.destroy();
    else {
      this.#closeAfter(latest);
      latest.response.once('close', () => this.destroy());
      latest.fail(error);
    }
  }

  destroy(): void {
    this.#closing = true;
    this.#waiting.clear();
    this.#socket.destroy();
  }

  #onClose(): void {
    this.#waiting.clear();
    if (this.#current?.message.complete === false) this.#current.fail(connectionLost());
  }

  #closeAfter(exchange: Exchange): void {
    this.#closing = true;
    exchange.closesConnection = true;
  }

  #nextAfterCurrent(): void {
    if (this.#followed === this.#current) return;
    this.#followed = this.#current;
    this.#current?.response.once('close', () => this.#next());
  }

  /**
   * While requests wait, what the client sends after them stays in the kernel, and does not fill the memory. node:http
   * would read on after each request that it has parsed to its end.
   */
  #holdBackWhileWaiting(): void {
    const socket = this.#socket;
    const { resume } = socket;
    socket.resume = () => (this.#waiting.isEmpty ? resume.call(socket) : socket);
  }

  #next(): void {
    if (this.#socket.destroyed) return;
    const next = this.#waiting.takeFirst();
    if (!next) return;
    this.#current = next;
    if (!this.#waiting.isEmpty) this.#nextAfterCurrent();
    else if (!this.#refusal) this.#socket.resume();
    this.#events.onPipelinedRequest(next);
  }

  /** Nothing may follow a response that has announced the end of the connection. */
  #refuseAfter({ closesConnection, response }: Exchange, error: ApiError): void {
    if (!closesConnection && response.shouldKeepAlive) this.#refuse(error);
  }

  #refuse(error: ApiError): void {
    if (this.#socket.writable) this.#socket.end(this.#events.onRefused(error, this.#socket.remoteAddress));
    setTimeout(() => this.#socket.destroy(), LINGER_MS).unref();
  }
}

const connectionLost = (): ApiError =>
  new ApiError('bad_request', 'The connection was closed before the whole request had arrived.');

const tooManyChunks = (): ApiError =>
  new ApiError('bad_request', 'The body comes in too many small chunks. Send larger ones.');

/**
 * Makes node:http leave the rest of the packet unread. Otherwise it would build, and then abort, every request in it: 64 KiB
 * of short requests would take it 50 ms. There is no public API for this, so it makes the parser believe that another
 * protocol begins here. If a later Node version lacks this property, only that time is lost.
 */
function stopParsing(socket: Socket & { parser?: { onIncoming?: () => number } | null }): void {
  const PROTOCOL_CHANGES = 2;
  if (socket.parser) socket.parser.onIncoming = () => PROTOCOL_CHANGES;
}
