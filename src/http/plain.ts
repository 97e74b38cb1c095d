import type { IncomingMessage } from 'node:http';
import { limits } from '../contract/limits.ts';
import { bearerKey } from './auth.ts';

/** A request target that means the same however it is read: nothing in it to decode. */
export interface PlainTarget {
  readonly path: string;
  /** The path up to and with its last slash, and what is behind that. */
  readonly folder: string;
  readonly name: string;
  readonly query: string;
}

/** What the headers of a plain request say. */
export interface PlainHead {
  readonly key: string;
  readonly requestId: string | undefined;
  readonly idempotencyKeys: readonly string[];
}

const NAME = /^[\w-]+$/;
const QUERY = /^[\w=&-]*$/;
const LONGEST = 500;
const EMPTY = Buffer.alloc(0);
const NONE: readonly string[] = [];

/** Headers with which a request asks for more than a plain answer, or sends more than a plain body. */
const DEMANDING = new Set(['content-encoding', 'expect', 'prefer', 'transfer-encoding', 'upgrade']);

/** Of the last part and the query only: the folder is for the caller to know. */
export function plainTarget(url: string): PlainTarget | undefined {
  if (url.length > LONGEST) return undefined;
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? '' : url.slice(mark + 1);
  const behindSlash = path.lastIndexOf('/') + 1;
  const name = path.slice(behindSlash);
  if (!NAME.test(name) || !QUERY.test(query)) return undefined;
  return { path, folder: path.slice(0, behindSlash), name, query };
}

/** The head of a request with nothing unusual in it; undefined when anything has to be looked at more closely. */
export function plainHead({ httpVersion, rawHeaders }: IncomingMessage): PlainHead | undefined {
  if (httpVersion !== '1.1') return undefined;
  let hosts = 0;
  let authorization: string | undefined;
  let requestId: string | undefined;
  let idempotencyKeys = NONE;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    const value = rawHeaders[i + 1] as string;
    if (name === 'host') hosts++;
    else if (name === 'authorization') {
      if (authorization !== undefined) return undefined;
      authorization = value;
    } else if (name === 'content-type') {
      if (value !== 'application/json') return undefined;
    } else if (name === 'x-request-id') {
      if (requestId !== undefined) return undefined;
      requestId = value;
    } else if (name === 'idempotency-key') idempotencyKeys = [...idempotencyKeys, value];
    else if (DEMANDING.has(name)) return undefined;
  }
  const key = authorization === undefined ? undefined : bearerKey(authorization);
  return hosts === 1 && key !== undefined ? { key, requestId, idempotencyKeys } : undefined;
}

/** The body of a request that has arrived whole; undefined when it is larger than we take. */
export function plainBody(request: IncomingMessage): Buffer | undefined {
  if (request.readableLength > limits.bodyBytes) return undefined;
  return (request.read() as Buffer | null) ?? EMPTY;
}
