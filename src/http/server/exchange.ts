import type { IncomingMessage, ServerResponse } from 'node:http';
import { batchPerTick } from '../../batch-per-tick.ts';
import { ApiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { bodyTooLarge, TOO_MANY_BODIES, tooManyChunks } from '../../contract/transport-errors.ts';

const EMPTY = Buffer.alloc(0);
/** So many bytes of every connection are less than all bodies together may have. Most bodies are smaller. */
const SMALL_BYTES = 1024;

/** One request and its response on a connection. The stages see plain values, and a body that is read when a stage asks for it. */
export class Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: RequestHeaders;
  /** Where the connection comes from, as `plainAddress`: a client or a proxy. Empty if it is already closed. */
  readonly remoteAddress: string;
  readonly receivedAt = performance.now();
  /** Whether the body comes in chunks. A packet has up to 11,000 of them, and node:http passes on each. */
  readonly isChunked: boolean;
  /** Whether the body may be of a size that adds up: of the bodies of as many clients as there may be. */
  readonly isLarge: boolean;
  /** Undefined when the headers announce no body. */
  readonly body: RequestBody | undefined;
  closesConnection = false;
  /** Whether its answer is a stream. */
  isStreaming = false;
  /** Whether the client has asked for 100 Continue and has not got it. */
  awaitsContinue: boolean;
  /** After how many bytes of its connection it ends, for a request that asks for another protocol. */
  endsAt: number | undefined;
  /** Why the rest of the request will never arrive, when that is known. */
  failure: ApiError | undefined;

  constructor(message: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) {
    this.message = message;
    this.response = response;
    this.method = message.method ?? '';
    this.target = message.url ?? '/';
    this.httpVersion = message.httpVersion;
    this.headers = new RequestHeaders(message.rawHeaders);
    this.remoteAddress = plainAddress(message.socket.remoteAddress ?? '');
    this.awaitsContinue = awaitsContinue;
    this.isChunked = this.headers.first('transfer-encoding') !== undefined;
    const length = this.headers.first('content-length') ?? '0';
    this.isLarge = this.isChunked || Number(length) > SMALL_BYTES;
    this.body = this.isChunked || length !== '0' ? new RequestBody(message) : undefined;
  }

  /** Whether the answer has been passed to the kernel, or never will be. */
  get finished(): boolean {
    return this.response.writableFinished || this.response.destroyed;
  }

  /** Whether the client still has to send a part of the body. */
  get isArriving(): boolean {
    return !this.message.complete;
  }

  /** Whether node:http drops bytes that followed it: those in the same packet as a request for another protocol. */
  get losesBytes(): boolean {
    return this.endsAt !== undefined && this.message.socket.bytesRead !== this.endsAt;
  }

  /** The rest of the request is broken, late or lost: a stage that waits for the body gets this error instead. */
  fail(error: ApiError): void {
    this.failure ??= error;
    this.body?.fail(error);
  }

  /** Asks a client that sent `Expect: 100-continue` to send the body. */
  sendContinue(): void {
    this.awaitsContinue = false;
    this.response.writeContinue();
  }

  /** The whole body, if it is not too large. Fails with the ApiError that says what is wrong with it. */
  readBody(): Buffer | Promise<Buffer> {
    if (this.failure) throw this.failure;
    return this.body?.read() ?? EMPTY;
  }
}

const NONE: readonly string[] = [];

/** The headers of a request as they were sent: Node's own `headers` joins some repeated ones and drops others. */
export class RequestHeaders {
  readonly #raw: readonly string[];

  /** Names and values in turn, as `rawHeaders` of node:http. */
  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  /** Every value of the header with this lower-case name. */
  all(name: string): readonly string[] {
    let values: string[] | undefined;
    const raw = this.#raw;
    for (let i = 0; i < raw.length; i += 2) {
      if (!isNamed(raw[i] as string, name)) continue;
      values ??= [];
      values.push(raw[i + 1] as string);
    }
    return values ?? NONE;
  }

  /** The first value; undefined when the header is missing. */
  first(name: string): string | undefined {
    const raw = this.#raw;
    for (let i = 0; i < raw.length; i += 2) {
      if (isNamed(raw[i] as string, name)) return raw[i + 1];
    }
    return undefined;
  }

  /** All values joined into the list that they mean together; undefined when the header is missing. */
  list(name: string): string | undefined {
    const values = this.all(name);
    return values.length === 0 ? undefined : values.join(', ');
  }
}

/** Compares the lengths first: most names differ in length, and this costs nothing. */
const isNamed = (sent: string, name: string): boolean =>
  sent.length === name.length && (sent === name || sent.toLowerCase() === name);

const MAPPED = '::ffff:';

/** IPv4 addresses look the same whether the socket is an IPv4 or an IPv6 one. */
export const plainAddress = (address: string): string =>
  address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address;

/** Chunks are joined when there are this many: a small one takes several times its size in memory. */
const JOINED_CHUNKS = 64;

/** About how many bytes of bodies one tick handles. Parsing and validating them takes some milliseconds; then others get their turn. */
export const BODY_BYTES_PER_TICK = 128 * 1024;

/** Bodies that stages wait for, and that are complete in the same tick, are handed over back to back. */
const handOver = batchPerTick<{ readonly size: number; readonly resolve: () => void }>(
  (bodies) => {
    for (const { resolve } of bodies) resolve();
  },
  { schedule: setImmediate, max: BODY_BYTES_PER_TICK, sizeOf: ({ size }) => size, loneAtOnce: true },
);

/** The bodies of which a part is in memory, the oldest first, and how large they are together. */
const held = new Set<RequestBody>();
let heldBytes = 0;

/** The body of a request as it arrives. Stores no more than the largest body that is allowed, and only until it is read. */
class RequestBody {
  #chunks: Buffer[] = [];
  #size = 0;
  #parts = 0;
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

  /** To be called when the body will never be complete, or is too large. */
  fail(error: ApiError): void {
    this.#failure ??= error;
    this.#release();
    this.#reader?.reject(error);
  }

  /** To be called when the request is answered without its body. */
  discard(): void {
    this.#failure ??= 'discarded';
    this.#release();
  }

  #add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#failure) return;
    if (this.#chunks.length === JOINED_CHUNKS) this.#chunks = [Buffer.concat(this.#chunks)];
    this.#chunks.push(chunk);
    held.add(this);
    heldBytes += chunk.length;
    if (this.#size > limits.bodyBytes) this.fail(bodyTooLarge());
    if (++this.#parts > limits.bodyChunks) this.fail(tooManyChunks());
    // The oldest, so that clients that never finish theirs take no room from the others.
    while (heldBytes > limits.heldBodyBytes) held.values().next().value?.fail(TOO_MANY_BODIES);
  }

  #end(): void {
    this.#isComplete = true;
    const reader = this.#reader;
    if (reader) handOver({ size: this.#size, resolve: () => reader.resolve(this.#take()) });
  }

  #take(): Buffer {
    const chunks = this.#release();
    return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  }

  #release(): Buffer[] {
    const chunks = this.#chunks;
    if (chunks.length === 0) return chunks;
    this.#chunks = [];
    held.delete(this);
    heldBytes -= this.#size;
    return chunks;
  }
}
