import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../contract/errors.ts';
import { bodyTooLarge } from '../request/body.ts';
import { RequestHeaders } from '../request/headers.ts';
import type { ReceivedRequest } from '../request/request.ts';

const EMPTY = Buffer.alloc(0);
/** A body of 64 KiB in chunks of 64 bytes; each chunk, however small, costs as much as a large one. */
const MAX_CHUNKS = 1024;
/** Chunks that arrive separately are joined when there are this many: a small one takes several times its size in memory. */
const JOINED_CHUNKS = 64;

/** One request and its response on a connection; to the stages, a request in plain values. */
export class Exchange implements ReceivedRequest {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: RequestHeaders;
  /** Of the other end of the connection; empty when it has gone already. */
  readonly remoteAddress: string;
  readonly receivedAt = performance.now();
  /** Whether the connection ends with its answer. */
  closesConnection = false;
  failure: ApiError | undefined;
  #onFailure: ((error: ApiError) => void) | undefined;

  constructor(message: IncomingMessage, response: ServerResponse) {
    this.message = message;
    this.response = response;
    this.method = message.method ?? '';
    this.target = message.url ?? '/';
    this.httpVersion = message.httpVersion;
    this.headers = new RequestHeaders(message.rawHeaders);
    this.remoteAddress = message.socket.remoteAddress ?? '';
  }

  get localAddress(): string {
    return this.message.socket.localAddress ?? '';
  }

  get localPort(): number {
    return this.message.socket.localPort ?? 0;
  }

  /** Whether more than the head of the request was announced. */
  get hasBody(): boolean {
    const length = this.headers.first('content-length');
    return (length !== undefined && length !== '0') || this.headers.first('transfer-encoding') !== undefined;
  }

  /** Whether the answer has left for the kernel, or never will. */
  get finished(): boolean {
    return this.response.writableFinished || this.response.destroyed;
  }

  /** The rest of the request is broken, late or lost: a stage that waits for the body gets this error instead. */
  fail(error: ApiError): void {
    this.failure ??= error;
    this.#onFailure?.(error);
  }

  sendContinue(): void {
    this.response.writeContinue();
  }

  readBody(limit: number): Buffer | Promise<Buffer> {
    if (this.failure) throw this.failure;
    const { message } = this;
    if (!message.complete) return this.#collectBody(limit);
    if (message.readableLength > limit) throw bodyTooLarge();
    return (message.read() as Buffer | null) ?? EMPTY;
  }

  /** Calls `tooMany` once when the body arrives in more chunks than any client has reason to send, and drops the rest. */
  limitChunks(tooMany: () => void): void {
    const { message } = this;
    const { push } = message;
    let chunks = 0;
    message.push = (chunk, encoding) => {
      if (chunk === null || ++chunks <= MAX_CHUNKS) return push.call(message, chunk, encoding);
      if (chunks === MAX_CHUNKS + 1) tooMany();
      return true;
    };
  }

  #collectBody(limit: number): Promise<Buffer> {
    const { message } = this;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const chunks: Buffer[] = [];
    let size = 0;
    const collect = (chunk: Buffer) => {
      if (chunks.length === JOINED_CHUNKS) chunks.push(Buffer.concat(chunks.splice(0)));
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) this.#onFailure?.(bodyTooLarge());
    };
    // What arrives after a failure is discarded.
    this.#onFailure = (error) => {
      message.off('data', collect).resume();
      reject(error);
    };
    message.on('data', collect);
    message.once('end', () => resolve(Buffer.concat(chunks)));
    message.once('close', () => {
      if (!message.complete) reject(connectionLost());
    });
    return promise;
  }
}

const connectionLost = (): ApiError =>
  new ApiError('bad_request', 'The connection was closed before the whole request had arrived.');
