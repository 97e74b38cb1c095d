import type { IncomingMessage } from 'node:http';
import { batchPerTick } from '../../batch-per-tick.ts';
import { ApiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { bodyTooLarge } from '../request/body.ts';

/** Chunks are joined when there are this many: a small one takes several times its size in memory. */
const JOINED_CHUNKS = 64;

/** Bodies that stages wait for, and that are complete in the same tick, are handed over back to back. */
const handOver = batchPerTick<() => void>(
  (bodies) => {
    for (const resolve of bodies) resolve();
  },
  { schedule: setImmediate, loneAtOnce: true },
);

/** The body of a request as it arrives. Stores no more than the largest body that is allowed, and only until it is read. */
export class RequestBody {
  #chunks: Buffer[] = [];
  #size = 0;
  #isComplete = false;
  /** Set when it is not wanted, or will never be complete: what arrives after that is dropped. */
  #failure: ApiError | 'discarded' | undefined;
  #reader: PromiseWithResolvers<Buffer> | undefined;

  constructor(message: IncomingMessage) {
    message.on('data', (chunk: Buffer) => this.#add(chunk)).on('end', () => this.#end());
  }

  /** How many bytes have arrived. */
  get size(): number {
    return this.#size;
  }

  /** The whole body, once it has arrived. To be called once. */
  read(): Buffer | Promise<Buffer> {
    if (this.#failure instanceof ApiError) throw this.#failure;
    if (this.#isComplete) return this.#take();
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  /** It will never be complete, or is too large. */
  fail(error: ApiError): void {
    this.#failure ??= error;
    this.#chunks = [];
    this.#reader?.reject(error);
  }

  /** The request is answered without it. */
  discard(): void {
    this.#failure ??= 'discarded';
    this.#chunks = [];
  }

  #add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#failure) return;
    if (this.#chunks.length === JOINED_CHUNKS) this.#chunks = [this.#take()];
    this.#chunks.push(chunk);
    if (this.#size > limits.bodyBytes) this.fail(bodyTooLarge());
  }

  #end(): void {
    this.#isComplete = true;
    const reader = this.#reader;
    if (reader) handOver(() => reader.resolve(this.#take()));
  }

  #take(): Buffer {
    const [first] = this.#chunks;
    const whole = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#chunks = [];
    return whole;
  }
}
