import type { Pet } from './models.ts';
import type { EventQuery, Id } from './queries.ts';

export interface AnimalStoreOptions {
  /** The address of the service with its version, for example `https://shop.example/v1`. */
  readonly baseUrl: string | URL;
  /** The API key. The client sends it to `baseUrl` only, and never logs or shows it. */
  readonly apiKey: string;
  /** Makes the requests, in place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** How long a call may take, including its retries, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a call is tried again after 429, 502, 503, 504 or a lost connection; 0 means a single attempt. Default: as often as its
   * time-out allows, so that a call outlasts a restart of the service.
   */
  readonly maxRetries?: number | undefined;
}

export interface CallOptions {
  /** Aborts the call, even while it waits for its next attempt. */
  readonly signal?: AbortSignal | undefined;
  /** How long this call may take, including its retries, in milliseconds. Default: that of the client. */
  readonly timeoutMs?: number | undefined;
  /** How often this call is tried again; 0 means a single attempt. Default: that of the client. */
  readonly maxRetries?: number | undefined;
}

export interface StreamOptions extends CallOptions {
  /**
   * Reports whether the stream is connected: `true` when the service has accepted a connection, before its first event, and whenever bytes
   * arrive, at least every 15 seconds; `false` when an attempt to connect has failed, when the connection has ended or was silent for too
   * long, before the next attempt, and when the loop ends. It may get the same value several times in a row.
   *
   * It is called while the loop waits for the next event, and never after the `signal` is aborted. If it throws, the loop throws that error.
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
