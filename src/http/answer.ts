import { encodeIfLarge } from '../contract/json.ts';
import type { Result } from '../store/store.ts';

/** A response as plain values. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | BodyStream;
}

/**
 * A body that continues until the client disconnects or the service ends it. The transport sends it and keeps its connection
 * alive. No other answer follows on that connection.
 */
export interface BodyStream {
  /** Bytes that clients ignore, for when there is nothing else to send. */
  readonly keepAlive: Uint8Array;
  /** Begins to send. Called exactly once. */
  open(sink: BodySink): void;
  /** The client or the service has ended it. Called exactly once, after `open`. */
  close(): void;
}

export interface BodySink {
  /** Sends a part, or disconnects a client that has too much of the earlier ones unread. Does nothing after the end. */
  write(part: Uint8Array): void;
  /** Resolves when everything written has been passed to the kernel, or never will be. */
  drained(): Promise<void>;
  end(): void;
}

export const isStream = (body: Answer['body']): body is BodyStream =>
  typeof body !== 'string' && !(body instanceof Uint8Array);

/** The size in characters or bytes; 0 for a stream, whose size is not known in advance. */
export const sizeOf = (body: Answer['body']): number => (isStream(body) ? 0 : body.length);

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A response whose body is already JSON. */
export function jsonAnswer(status: number, json: string | Uint8Array, ...headers: string[]): Answer {
  const body = typeof json === 'string' ? encodeIfLarge(json) : json;
  return { status, headers: ['content-type', JSON_TYPE, ...headers], body };
}

/** The answer to a change: 204 if it has no body. A header says if an earlier request has made the change. */
export function changeAnswer(
  usual: number,
  { json, status = usual, replayed }: Result,
  ...headers: string[]
): Answer {
  const all = replayed ? [...headers, 'idempotent-replayed', 'true'] : headers;
  return json === '' ? { status: 204, headers: all, body: '' } : jsonAnswer(status, json, ...all);
}

/** The answer to a create, with its address, relative as in every `Link`. The id is the first number of the JSON. */
export const locatedAnswer = (collection: string, created: Result): Answer =>
  changeAnswer(201, created, 'location', `${collection}/${/-?\d+/.exec(created.json)?.[0]}`);
