import type { Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { ServerLimits } from '../../contract/limits.ts';
import type { BodySink, BodyStream } from '../answer.ts';
import type { Exchange } from './exchange.ts';
import type { UnreadAnswers } from './unread-answers.ts';

/** How often streams are checked. A process knows of a revoked key within half a second, so the streams of that key end within a second. */
const CHECK_MS = 250;

export interface StreamOptions {
  /** Asked four times a second; then a stream that is no longer allowed ends. */
  isAllowed(): boolean;
  onClose(): void;
}

const UNRESTRICTED: StreamOptions = { isAllowed: () => true, onClose: () => {} };

export class Streams {
  readonly #unread: UnreadAnswers;
  readonly #limits: ServerLimits;
  readonly #open = new Map<OpenStream, StreamOptions>();
  #timer: NodeJS.Timeout | undefined;
  #draining = false;

  constructor(unread: UnreadAnswers, limits: ServerLimits) {
    this.#unread = unread;
    this.#limits = limits;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Sends a stream whose head is prepared. HEAD gets the head alone. */
  add(exchange: Exchange, body: BodyStream, options = UNRESTRICTED): void {
    const { response, method } = exchange;
    const stream = new OpenStream(exchange, body, this.#unread, this.#limits);
    this.#open.set(stream, options);
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS).unref();
    const close = () => {
      this.#remove(stream);
      body.close();
      options.onClose();
    };
    // The client may have left before the answer was ready.
    if (response.destroyed) process.nextTick(close);
    else response.once('close', close);
    response.flushHeaders();
    body.open(stream);
    if (method === 'HEAD') response.end();
    else if (this.#draining) stream.end();
  }

  /** Ends the open streams, and any other as soon as it begins: their clients continue elsewhere. */
  drain(): void {
    this.#draining = true;
    for (const stream of this.#open.keys()) stream.end();
  }

  #remove(stream: OpenStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    const now = performance.now();
    for (const [stream, { isAllowed }] of this.#open) {
      if (isAllowed()) stream.check(now);
      else stream.end();
    }
  }
}

/** How often a client that has closed its sending side gets a comment: only a failing write shows that such a client has left. */
const HALF_CLOSED_MS = 500;

class OpenStream implements BodySink {
  readonly #exchange: Exchange;
  readonly #body: BodyStream;
  readonly #unread: UnreadAnswers;
  readonly #limits: ServerLimits;
  #writtenAt = performance.now();

  constructor(exchange: Exchange, body: BodyStream, unread: UnreadAnswers, limits: ServerLimits) {
    this.#exchange = exchange;
    this.#body = body;
    this.#unread = unread;
    this.#limits = limits;
  }

  write(part: Uint8Array): void {
    const { response } = this.#exchange;
    if (response.writableEnded || response.destroyed) return;
    if (this.#socket.writableLength > this.#limits.streamBytes) return void this.#socket.destroy();
    this.#unread.observe(this.#socket);
    this.#writtenAt = performance.now();
    response.write(part);
  }

  /** Never resolves in the current tick of the event loop, so that other clients get their turn however fast this one reads. */
  async drained(): Promise<void> {
    const { response } = this.#exchange;
    await nextTick();
    if (!response.writableNeedDrain) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    response.once('drain', resolve).once('close', resolve);
    await promise;
    response.off('drain', resolve).off('close', resolve);
  }

  /** Ends the stream at once. The client connects again and continues after the last event that it has read. */
  end(): void {
    if (this.#socket.writableLength > 0) this.#socket.destroy();
    else this.#exchange.response.end();
  }

  /** To be called about four times a second. */
  check(now: number): void {
    this.#unread.observe(this.#socket);
    const pauseMs = this.#socket.readableEnded ? HALF_CLOSED_MS : this.#limits.keepAliveMs;
    if (now - this.#writtenAt >= pauseMs) this.write(this.#body.keepAlive);
  }

  get #socket(): Socket {
    return this.#exchange.message.socket;
  }
}
