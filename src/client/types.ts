import type { AnimalStoreError } from './errors.ts';
import type { Pet } from './models.ts';
import type { EventQuery, Id } from './queries.ts';

interface Limits {
  /** How long a call may take, including its retries, in milliseconds. Default: that of the client, or 30,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a call is tried again after 429, 502, 503, 504 or a lost connection; 0 means a single attempt. Default: that of the client, or
   * as often as its time-out allows, so that a call outlasts a restart of the service.
   */
  readonly maxRetries?: number | undefined;
}

export interface AnimalStoreOptions extends Limits {
  /** The address of the service with its version, for example `https://shop.example/v1`. */
  readonly baseUrl: string | URL;
  /** The API key. The client sends it to `baseUrl` only, and never logs or shows it. */
  readonly apiKey: string;
  /** Makes the requests, in place of the global `fetch`. Its second argument has the headers as a plain object. */
  readonly fetch?: typeof fetch | undefined;
  readonly hooks?: Hooks | undefined;
}

/** One attempt of a call. */
export interface Attempt {
  readonly method: string;
  /** Never contains the API key. Its query may contain names. */
  readonly url: string;
  /** Identifies the call in the log of the service: all attempts have the same. */
  readonly requestId: string;
  /** 1 for the first attempt of a call, or the first connection of a stream. */
  readonly attempt: number;
}

export interface EndedAttempt extends Attempt {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** Why it failed; undefined if it succeeded. */
  readonly error?: AnimalStoreError | undefined;
}

/** For logs and traces. Hooks change nothing: an error that one throws becomes an uncaught exception, and the call goes on. */
export interface Hooks {
  /** Called before each attempt. */
  readonly onRequest?: ((attempt: Attempt) => void) | undefined;
  /** Called when an attempt has ended: its response has arrived, that of a stream has begun, or neither will. */
  readonly onResponse?: ((attempt: EndedAttempt) => void) | undefined;
  /** Called before the pause that precedes another attempt. The `error` of a stream that has ended without one is undefined. */
  readonly onRetry?: ((attempt: EndedAttempt, pauseMs: number) => void) | undefined;
}

export interface CallOptions extends Limits {
  /** Aborts the call, even while it waits for its next attempt. */
  readonly signal?: AbortSignal | undefined;
}

export interface StreamOptions extends CallOptions {
  /**
   * Reports whether the stream is connected: `true` when the service has accepted a connection, before its first event, and whenever bytes
   * arrive, at least every 15 seconds; `false` when an attempt to connect has failed, when the connection has ended or was silent for too
   * long, before the next attempt, and when the loop ends. It may get the same value several times in a row.
   *
   * It is called while the loop waits for the next event, and never after the `signal` is aborted. If it throws, see {@link Hooks}.
   */
  readonly onLiveness?: ((isAlive: boolean) => void) | undefined;
}

export interface ChangeOptions extends CallOptions {
  /**
   * Identifies this change for 24 hours: calls with the same key and arguments return the first result and change nothing more.
   * Up to 255 visible ASCII characters. Default: a new random key, used for every attempt of this call.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface PetChangeOptions extends ChangeOptions {
  /**
   * The `etag` of the animal as you know it. If it has changed since, the call rejects with `precondition_failed` and changes nothing;
   * of several clients with the same etag, one succeeds.
   */
  readonly ifMatch?: string | undefined;
}

export interface RemoveOptions extends PetChangeOptions {
  /** Why the animal is removed, for the event and the list of removed animals. Up to 200 characters. */
  readonly reason?: string | undefined;
}

export interface InventoryOptions extends CallOptions {
  /** Counts only the animals of this category, named or not. */
  readonly categoryId?: Id | undefined;
}

/** An animal, and the entity tag that `ifMatch` takes. */
export interface PetWithEtag extends Pet {
  /**
   * Equal as long as every field is. Undefined if a proxy has removed it from the response: a change with `ifMatch: undefined` has no
   * condition.
   */
  readonly etag: string | undefined;
}

/** Which events to follow. */
export type FollowQuery = Omit<EventQuery, 'limit' | 'order'>;

/** One page of a list. */
export interface Page<T> {
  /** With some filters, it may be empty although there is a next page. */
  readonly items: T[];
  /** The address of the next page, to pass to the same method in place of a query; undefined on the last page. */
  readonly next: string | undefined;
}
