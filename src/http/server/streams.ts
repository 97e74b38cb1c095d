import type { BodyStream } from '../answer.ts';
import type { Exchange } from './exchange.ts';
import type { ServerLimits } from './limits.ts';
import { OpenStream } from './open-stream.ts';
import type { UnreadAnswers } from './unread-answers.ts';

/** With the half second until a process knows of a revoked key, its streams end within a second. */
const CHECK_MS = 250;

export interface StreamOptions {
  /** Asked four times a second; then a stream that is no longer allowed ends. */
  isAllowed(): boolean;
  onClose(): void;
}

const UNRESTRICTED: StreamOptions = { isAllowed: () => true, onClose: () => {} };

/** The answers that are being sent and go on. */
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

  /** Ends the open ones, and later ones as soon as they begin: their clients continue elsewhere. */
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
