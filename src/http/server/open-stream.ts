import type { Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { BodySink, BodyStream } from '../answer.ts';
import type { Exchange } from './exchange.ts';
import type { ServerLimits } from './limits.ts';
import type { UnreadAnswers } from './unread-answers.ts';

/** To a client that has closed its sending side, so often: one that is gone is only noticed by writing to it. */
const HALF_CLOSED_MS = 500;

/** A stream that is being sent. */
export class OpenStream implements BodySink {
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

  /** In a later tick of the event loop at the earliest: others get their turn, however fast the client reads. */
  async drained(): Promise<void> {
    const { response } = this.#exchange;
    await nextTick();
    if (!response.writableNeedDrain) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    response.once('drain', resolve).once('close', resolve);
    await promise;
    response.off('drain', resolve).off('close', resolve);
  }

  /** At once: what the client has not read by now, it reads after it has connected again. */
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
