import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiError } from '../../contract/errors.ts';
import { limits, type ServerLimits } from '../../contract/limits.ts';
import { connectionLost, headersTooLarge } from '../../contract/transport-errors.ts';
import { atMostEvery, type Log } from '../../log.ts';
import { Exchange } from './exchange.ts';
import { endOfUpgrade, lingerAfterEnd, stopParsing } from './node-internals.ts';

export interface ConnectionEvents {
  /** Returns whether the body may still be wanted. */
  onRequest(exchange: Exchange): boolean;
  /** Logs the refusal of bytes that never became a request, and returns the response to send. */
  onRefused(error: ApiError, remoteAddress: string | undefined): string;
}

/**
 * One client connection. It has one request at a time: what arrives before the answer has been passed to the kernel is not executed,
 * and the connection ends with that answer. So a client that does not read uses the memory of one response, no matter how much it
 * sends. Between requests it holds no reference to them.
 */
class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  readonly #limits: ServerLimits;
  /** When its latest answer left or, before the first one, when it began. */
  idleSince = performance.now();
  #current: Exchange | undefined;
  /** Whether everything that follows on the connection is ignored. */
  #closing = false;

  constructor(socket: Socket, events: ConnectionEvents, serverLimits: ServerLimits) {
    this.#socket = socket;
    this.#events = events;
    this.#limits = serverLimits;
    socket.once('close', () => this.#onClose());
  }

  /** Whether a request is not fully answered yet. */
  get busy(): boolean {
    return this.#current !== undefined && !this.#current.finished;
  }

  /** Whether a request that has arrived completely is being answered. */
  get isWorking(): boolean {
    return this.busy && !this.#current?.isArriving;
  }

  /** To be called when the answer is a stream: nothing after it is answered. Reading continues, to notice when the client disconnects. */
  beginStream(exchange: Exchange): void {
    exchange.isStreaming = true;
    this.#closing = true;
    exchange.closesConnection = true;
    this.#socket.resume();
  }

  /** `awaitsContinue` says that the client waits for 100 Continue before it sends the body. */
  receive(message: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    if (this.#current?.isStreaming) return void this.destroy();
    // It came too early: it is dropped, with what follows it.
    if (this.#current && this.busy) this.closeAfter(this.#current);
    else if (this.#closing) return;
    else if (message.rawHeaders.length > 2 * limits.headerCount) this.fail(headersTooLarge());
    else this.#begin(new Exchange(message, response, awaitsContinue));
  }

  /** Makes this the last request of the connection. What still arrives is dropped for a moment, so that the client can read the answer. */
  closeAfter(exchange: Exchange): void {
    this.#closing = true;
    exchange.closesConnection = true;
    stopParsing(this.#socket);
    lingerAfterEnd(this.#socket, this.#limits.lingerMs);
  }

  /**
   * The client sent something that is not HTTP, or sent it too late. A request that is still arriving gets the error as its answer.
   * One that has arrived is answered as usual, and is the last of the connection.
   */
  fail(error: ApiError): void {
    const current = this.#current;
    // After the head of a stream, no error can be sent.
    if (current?.isStreaming) return void this.destroy();
    if (current && !current.finished) {
      this.closeAfter(current);
      if (current.isArriving) current.fail(error);
    } else if (!this.#closing) this.#refuse(error);
  }

  destroy(): void {
    this.#closing = true;
    this.#socket.destroy();
  }

  #begin(exchange: Exchange): void {
    this.#current = exchange;
    exchange.response.on('close', this.#onAnswered);
    if (exchange.headers.first('upgrade') !== undefined) exchange.endsAt = endOfUpgrade(exchange.message);
    // An HTTP/1.0 proxy on the way does not know where a body in chunks ends.
    if (exchange.httpVersion === '1.0' && exchange.isChunked) this.closeAfter(exchange);
    if (!this.#events.onRequest(exchange)) this.closeAfter(exchange);
  }

  #onClose(): void {
    if (this.#current?.isArriving) this.#current.fail(connectionLost());
    this.#current = undefined;
  }

  readonly #onAnswered = (): void => {
    const answered = this.#current;
    if (!answered?.finished) return;
    this.idleSince = performance.now();
    this.#current = undefined;
    if (!answered.closesConnection) return;
    // The head may have been sent before this answer was known to be the last. Reading continues, to notice when the client disconnects.
    this.#socket.destroySoon();
    this.#socket.resume();
  };

  /** The client has a moment to read the refusal and to close; then the connection is destroyed. */
  #refuse(error: ApiError): void {
    this.#closing = true;
    stopParsing(this.#socket);
    if (this.#socket.writable) this.#socket.end(this.#events.onRefused(error, this.#socket.remoteAddress));
    setTimeout(() => this.#socket.destroy(), this.#limits.lingerMs).unref();
  }
}

/** The share of all connections that is closed together when there are too many, so that the search costs little for each. */
const EVICTED_AT_ONCE = 0.01;
const DRAIN_STEP_MS = 20;
const REPORT_MS = 10_000;

export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #events: ConnectionEvents;
  readonly #limits: ServerLimits;
  readonly #log: Log;
  readonly #mayReport = atMostEvery(REPORT_MS);
  #refused = 0;
  #reported = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(events: ConnectionEvents, limits: ServerLimits, log: Log) {
    this.#events = events;
    this.#limits = limits;
    this.#log = log;
    this.#timer = setInterval(() => this.#check(), limits.checkMs).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Adds a connection, closing idle ones if necessary. Returns false if there is still no room. */
  add(socket: Socket): boolean {
    // For as long as the socket lives: node:http removes its own listener when a request asks for another protocol.
    socket.on('error', () => {});
    if (this.#open.size >= this.#limits.connections) this.#evict();
    if (this.#open.size >= this.#limits.connections) {
      socket.destroy();
      this.#countRefused();
      return false;
    }
    this.#open.set(socket, new Connection(socket, this.#events, this.#limits));
    socket.once('close', () => this.#open.delete(socket));
    return true;
  }

  /** How many were closed on arrival because there was no room for them. */
  get refused(): number {
    return this.#refused;
  }

  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#destroyAll();
  }

  /** Resolves when every accepted request is answered and every connection is closed, or when time is up. */
  async drain(): Promise<void> {
    const { graceMs, drainMs } = this.#limits;
    const start = performance.now();
    const isBusy = () => this.#open.values().some((connection) => connection.busy);
    while (this.#open.size > 0) {
      const elapsed = performance.now() - start;
      if (elapsed >= drainMs || (elapsed >= graceMs && !isBusy())) break;
      await sleep(DRAIN_STEP_MS);
    }
    this.#destroyAll();
  }

  #countRefused(): void {
    this.#refused++;
    if (!this.#mayReport()) return;
    const refused = this.#refused - this.#reported;
    this.#log.warn({ refused }, 'connections refused: there is no room for more');
    this.#reported = this.#refused;
  }

  #destroyAll(): void {
    for (const connection of this.#open.values()) connection.destroy();
  }

  /** Node closes an idle connection itself, but counts from the last byte: a client could send empty lines for ever. */
  #check(): void {
    const tooOld = performance.now() - this.#limits.idleMs - this.#limits.checkMs;
    for (const connection of this.#open.values())
      if (connection.idleSince < tooOld && !connection.busy) connection.destroy();
  }

  /** Closes the longest idle connections. One with a part of a request counts as idle: its client may never send the rest. */
  #evict(): void {
    const idle = [...this.#open]
      .filter(([, connection]) => !connection.isWorking)
      .sort(([, a], [, b]) => a.idleSince - b.idleSince)
      .slice(0, Math.ceil(this.#limits.connections * EVICTED_AT_ONCE));
    for (const [socket, connection] of idle) {
      this.#open.delete(socket);
      connection.destroy();
    }
  }
}
