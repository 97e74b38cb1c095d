import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '../../contract/errors.ts';
import { limits, type ServerLimits } from '../../contract/limits.ts';
import {
  bodyTooSlow,
  connectionLost,
  headersTooLarge,
  tooManyChunks,
} from '../../contract/transport-errors.ts';
import { networkOf } from '../received-request.ts';
import type { Exchange } from './exchange.ts';
import { holdBack, limitChunks, lingerAfterEnd, stopParsing } from './node-internals.ts';
import { type WaitingInAll, WaitingRequests } from './waiting-requests.ts';

export interface ConnectionEvents {
  /** A request that arrives while no other of its connection is being answered. */
  onRequest(exchange: Exchange): void;
  /** A request that waited until the one before it on its connection was answered. */
  onPipelinedRequest(exchange: Exchange): void;
  /** Logs the refusal of bytes that never became a request, and returns the response to send. */
  onRefused(error: ApiError, remoteAddress: string | undefined): string;
}

/**
 * One client connection. Its requests are answered one after the other: the next one begins when the previous answer has
 * been passed to the kernel, so a client that does not read uses the memory of one response, no matter how much it sends.
 * Between requests it refers to nothing of them.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  readonly #limits: ServerLimits;
  readonly #waitingInAll: WaitingInAll;
  /** Undefined until the client pipelines a request, which most never do. */
  #waiting: WaitingRequests | undefined;
  #activeAt = performance.now();
  #current: Exchange | undefined;
  /** The latest request that was answered, if its body had not arrived by then. */
  #answeredEarly: IncomingMessage | undefined;
  #keyId: string | undefined;
  #refusal: ApiError | undefined;
  /** Whether everything that follows on the connection is ignored. */
  #closing = false;

  constructor(socket: Socket, events: ConnectionEvents, inAll: WaitingInAll, serverLimits: ServerLimits) {
    this.#socket = socket;
    this.#events = events;
    this.#limits = serverLimits;
    this.#waitingInAll = inAll;
    socket.once('close', () => this.#onClose());
    // While requests wait, or after a refusal, what the client sends stays in the kernel: it takes neither memory nor time.
    holdBack(socket, () => !this.hasWaiting && !this.#refusal);
  }

  /** When its latest request began or, before the first one, the connection itself. */
  get activeAt(): number {
    return this.#activeAt;
  }

  /** Whether a request is not fully answered yet. */
  get busy(): boolean {
    return this.#current !== undefined && !this.#current.finished;
  }

  /**
   * Whether a request that has arrived completely is being answered. One whose body does not arrive, or whose key is still to be looked up,
   * does not count.
   */
  get isWorking(): boolean {
    return this.busy && !this.#current?.awaitsKey && !this.#current?.isArriving;
  }

  /** The API key of its latest request that had a valid one; before that, the address of the client. */
  get holder(): string {
    return this.#current?.keyId ?? this.#keyId ?? networkOf(this.#socket.remoteAddress ?? '');
  }

  get hasWaiting(): boolean {
    return this.#waiting !== undefined && !this.#waiting.isEmpty;
  }

  /** The answer is a stream: nothing that comes after it is ever answered. Reading goes on, to notice when the client leaves. */
  beginStream(exchange: Exchange): void {
    if (this.#refusal) this.destroy();
    exchange.isStreaming = true;
    this.#closing = true;
    exchange.closesConnection = true;
    this.#waiting?.clear();
    this.#socket.resume();
  }

  receive(exchange: Exchange): void {
    if (this.#current?.isStreaming) this.destroy();
    if (this.#closing) return;
    if (exchange.message.rawHeaders.length > 2 * limits.headerCount) this.fail(headersTooLarge());
    else this.#accept(exchange);
  }

  #accept(exchange: Exchange): void {
    if (exchange.body) limitChunks(exchange.message, limits.bodyChunks, () => this.fail(tooManyChunks()));
    // The parser loses the rest of a packet with such a request: what would follow cannot be trusted.
    if (exchange.headers.first('upgrade') !== undefined) this.closeAfter(exchange);
    // An HTTP/1.0 proxy on the way does not know where a body in chunks ends.
    if (exchange.httpVersion === '1.0' && exchange.headers.first('transfer-encoding') !== undefined)
      this.closeAfter(exchange);
    if (!this.busy && !this.hasWaiting) {
      this.#begin(exchange, exchange.receivedAt);
      this.#events.onRequest(exchange);
    } else if (this.#wait(exchange)) {
      this.#socket.pause();
    } else this.#stop();
  }

  /** False if too many wait already. */
  #wait(exchange: Exchange): boolean {
    this.#waiting ??= new WaitingRequests(this.#waitingInAll);
    return this.#waiting.add(exchange);
  }

  /** Makes it the last request of the connection. What still arrives is dropped for a moment, so that the client can read the answer. */
  closeAfter(exchange: Exchange): void {
    this.#closing = true;
    exchange.closesConnection = true;
    stopParsing(this.#socket);
    lingerAfterEnd(this.#socket, this.#limits.lingerMs);
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
    const latest = this.#waiting?.latest ?? this.#current;
    // After a stream there is no place for it.
    if (this.#current?.isStreaming) this.destroy();
    else if (latest?.isArriving && !latest.finished) {
      this.closeAfter(latest);
      latest.fail(error);
    } else if (latest?.isArriving || this.#answeredEarly?.complete === false) {
      // The request has been answered, and its client has a moment to read the answer. The rest stays unread.
    } else if (latest && this.busy)
      latest.response.prependOnceListener('finish', () => this.#refuseAfter(latest, error));
    else this.#refuse(error);
  }

  /** Refuses a request whose body arrives more slowly than any client has reason to send it. */
  checkPace(now: number): void {
    const { bodyGraceMs, bodyBytesPerSecond } = this.#limits;
    const arriving = this.#current;
    if (!arriving?.body || !arriving.isArriving || arriving.finished) return;
    const seconds = (now - this.#activeAt - bodyGraceMs) / 1000;
    if (seconds > 0 && arriving.body.size < seconds * bodyBytesPerSecond) this.fail(bodyTooSlow());
  }

  destroy(): void {
    this.#closing = true;
    this.#waiting?.clear();
    this.#socket.destroy();
  }

  /** For a client that sends requests faster than they are answered. */
  #stop(): void {
    stopParsing(this.#socket);
    this.destroy();
  }

  #onClose(): void {
    this.#waiting?.clear();
    if (this.#current?.isArriving) this.#current.fail(connectionLost());
    this.#current = undefined;
  }

  #begin(exchange: Exchange, now: number): void {
    this.#activeAt = now;
    this.#answeredEarly = undefined;
    this.#current = exchange;
    exchange.response.on('close', this.#onAnswered);
  }

  readonly #onAnswered = (): void => {
    const answered = this.#current;
    if (!answered?.finished) return;
    this.#keyId = answered.keyId ?? this.#keyId;
    if (answered.isArriving) this.#answeredEarly = withoutHead(answered.message);
    this.#current = undefined;
    if (answered.closesConnection) this.#dropRest();
    else this.#next();
  };

  /** The last answer has been sent. Requests that wait are not executed. Reading goes on, to notice when the client leaves. */
  #dropRest(): void {
    this.#waiting?.clear();
    this.#socket.resume();
  }

  #next(): void {
    if (this.#socket.destroyed) return;
    const next = this.#waiting?.takeFirst();
    if (!next) return;
    this.#begin(next, performance.now());
    if (!this.hasWaiting && !this.#refusal) this.#socket.resume();
    this.#events.onPipelinedRequest(next);
  }

  /** Nothing may follow a response that has announced the end of the connection. */
  #refuseAfter({ closesConnection, response }: Exchange, error: ApiError): void {
    if (!closesConnection && response.shouldKeepAlive) this.#refuse(error);
  }

  /** The client has a moment to read the refusal and to close; then the connection is destroyed. */
  #refuse(error: ApiError): void {
    if (this.#socket.writable) this.#socket.end(this.#events.onRefused(error, this.#socket.remoteAddress));
    setTimeout(() => this.#socket.destroy(), this.#limits.lingerMs).unref();
  }
}

/** Releases what an answered request occupies whose body is still arriving. */
function withoutHead(message: IncomingMessage): IncomingMessage {
  return Object.assign(message, { rawHeaders: [], headers: {}, url: '' });
}
