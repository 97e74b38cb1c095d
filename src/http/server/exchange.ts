import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../contract/errors.ts';
import { bodyTooLarge } from '../request/body.ts';
import { RequestHeaders } from '../request/headers.ts';
import type { ReceivedRequest } from '../request/request.ts';

const EMPTY = Buffer.alloc(0);

/** The connection that an exchange belongs to. */
export interface OwnConnection {
  readonly socket: Socket;
  /** Whether the answer is to close the connection. */
  closesAfter(exchange: Exchange, draining: boolean): boolean;
  destroy(): void;
}

/** One request and its response on a connection; to the stages, a request in plain values. */
export class Exchange implements ReceivedRequest {
  readonly connection: OwnConnection;
  readonly response: ServerResponse;
  readonly method: string;
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: RequestHeaders;
  /** When its stages began. */
  startedAt = 0;
  readonly #message: IncomingMessage;
  #failure: ApiError | undefined;
  #onFailure: ((error: ApiError) => void) | undefined;

  constructor(connection: OwnConnection, message: IncomingMessage, response: ServerResponse) {
    this.connection = connection;
    this.response = response;
    this.method = message.method ?? '';
    this.target = message.url ?? '/';
    this.httpVersion = message.httpVersion;
    this.headers = new RequestHeaders(message.rawHeaders);
    this.#message = message;
  }

  get local(): ReceivedRequest['local'] {
    const { localAddress = '', localPort = 0 } = this.connection.socket;
    return { address: localAddress, port: localPort };
  }

  get failure(): ApiError | undefined {
    return this.#failure;
  }

  /** Whether the request has arrived to its end. */
  get complete(): boolean {
    return this.#message.complete;
  }

  /** Whether the answer has left for the kernel, or never will. */
  get finished(): boolean {
    return this.response.writableFinished || this.response.destroyed;
  }

  /** The rest of the request is broken, late or lost: whatever waits for the body gets this error instead. */
  fail(error: ApiError): void {
    this.#failure ??= error;
    this.#onFailure?.(error);
  }

  sendContinue(): void {
    this.response.writeContinue();
  }

  readBody(limit: number): Buffer | Promise<Buffer> {
    if (this.#failure) throw this.#failure;
    const message = this.#message;
    if (message.complete) {
      if (message.readableLength > limit) throw bodyTooLarge();
      return (message.read() as Buffer | null) ?? EMPTY;
    }
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const stop = (error: ApiError) => {
        message.off('data', onData).off('end', onEnd).off('close', onClose);
        this.#onFailure = undefined;
        // What else arrives is discarded.
        message.resume();
        reject(error);
      };
      const onData = (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > limit) stop(bodyTooLarge());
      };
      const onEnd = () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
      const onClose = () => stop(connectionLost());
      this.#onFailure = stop;
      message.on('data', onData).on('end', onEnd).on('close', onClose);
    });
  }
}

const connectionLost = (): ApiError =>
  new ApiError('bad_request', 'The connection was closed before the whole request had arrived.');
