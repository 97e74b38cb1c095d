import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '../../contract/errors.ts';
import { RequestHeaders } from '../request/headers.ts';
import type { ReceivedRequest } from '../request/request.ts';
import { RequestBody } from './request-body.ts';

const EMPTY = Buffer.alloc(0);

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
  /** Undefined when nothing but the head was announced. */
  readonly body: RequestBody | undefined;
  /** Whether the connection ends with its answer. */
  closesConnection = false;
  /** Whether its answer is a stream. */
  isStreaming = false;
  failure: ApiError | undefined;
  keyId: string | undefined;

  constructor(message: IncomingMessage, response: ServerResponse) {
    this.message = message;
    this.response = response;
    this.method = message.method ?? '';
    this.target = message.url ?? '/';
    this.httpVersion = message.httpVersion;
    this.headers = new RequestHeaders(message.rawHeaders);
    this.remoteAddress = message.socket.remoteAddress ?? '';
    this.body = announcesBody(this.headers) ? new RequestBody(message) : undefined;
  }

  get localAddress(): string {
    return this.message.socket.localAddress ?? '';
  }

  get localPort(): number {
    return this.message.socket.localPort ?? 0;
  }

  /** Whether the answer has left for the kernel, or never will. */
  get finished(): boolean {
    return this.response.writableFinished || this.response.destroyed;
  }

  /** Whether the client still has to send a part of the body. */
  get isArriving(): boolean {
    return !this.message.complete;
  }

  /** The rest of the request is broken, late or lost: a stage that waits for the body gets this error instead. */
  fail(error: ApiError): void {
    this.failure ??= error;
    this.body?.fail(error);
  }

  sendContinue(): void {
    this.response.writeContinue();
  }

  readBody(): Buffer | Promise<Buffer> {
    if (this.failure) throw this.failure;
    return this.body?.read() ?? EMPTY;
  }
}

function announcesBody(headers: RequestHeaders): boolean {
  const length = headers.first('content-length');
  return (length !== undefined && length !== '0') || headers.first('transfer-encoding') !== undefined;
}
