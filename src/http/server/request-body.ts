import type { IncomingMessage } from 'node:http';
import { batchPerTick } from '../../batch-per-tick.ts';
import type { ApiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { bodyTooLarge } from '../request/body.ts';

/** A body of 64 KiB in chunks of 64 bytes; each chunk, however small, costs as much as a large one. */
const MAX_CHUNKS = 1024;
/** Chunks are joined when there are this many: a small one takes several times its size in memory. */
const JOINED_CHUNKS = 64;

/** Bodies that stages wait for, and that are complete in the same tick, are handed over back to back. */
const handOver = batchPerTick<() => void>(
  (bodies) => {
    for (const resolve of bodies) resolve();
  },
  { schedule: setImmediate, loneAtOnce: true },
);

/**
 * The body of a request, collected as the parser produces it: the stream of the message would take longer than the stage that
 * waits for it. Keeps no more than the largest body that is allowed; what comes after a failure is dropped.
 */
export class RequestBody {
  readonly #message: IncomingMessage;
  #chunks: Buffer[] = [];
  #chunkCount = 0;
  #size = 0;
  #onTooManyChunks: (() => void) | undefined;
  #failure: ApiError | undefined;
  #reader: PromiseWithResolvers<Buffer> | undefined;

  constructor(message: IncomingMessage) {
    this.#message = message;
    const { push } = message;
    message.push = (chunk: Buffer | null) => {
      if (chunk !== null) this.#add(chunk);
      else this.#end();
      // The stream itself stays empty, but has to end.
      return chunk !== null || push.call(message, null);
    };
  }

  /** The whole body, once it has arrived. To be called once. */
  read(): Buffer | Promise<Buffer> {
    if (this.#failure) throw this.#failure;
    if (this.#message.complete) return this.#join();
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  /** It will never be complete, or is not wanted. */
  fail(error: ApiError): void {
    this.#failure ??= error;
    this.#chunks = [];
    this.#reader?.reject(error);
  }

  /** Calls `onTooMany` when it arrives in more chunks than any client has reason to send. */
  limitChunks(onTooMany: () => void): void {
    this.#onTooManyChunks = onTooMany;
  }

  #add(chunk: Buffer): void {
    if (this.#failure) return;
    if (++this.#chunkCount > MAX_CHUNKS) this.#onTooManyChunks?.();
    if (this.#chunks.length === JOINED_CHUNKS) this.#chunks = [this.#join()];
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > limits.bodyBytes) this.fail(bodyTooLarge());
  }

  #end(): void {
    const reader = this.#reader;
    if (reader) handOver(() => reader.resolve(this.#join()));
  }

  #join(): Buffer {
    const [first] = this.#chunks;
    return first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
  }
}
