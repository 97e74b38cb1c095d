import type { EventType, OrderStatus, Pet, PetStatus } from './models.ts';

/** A 64-bit identifier. Numbers are accepted while they are exact, up to `Number.MAX_SAFE_INTEGER`. */
export type Id = bigint | number;

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
  /** Aborts the call, also while it waits for its next attempt. */
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

export interface CreateOptions extends CallOptions {
  /**
   * Identifies this create for 24 hours: calls with the same key and values return the first result and add nothing.
   * Up to 255 visible ASCII characters. Default: a new random key, used for every attempt of this call.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface ChangeOptions extends CallOptions {
  /**
   * The `etag` of the animal as you know it. If it has changed since, the call rejects with `precondition_failed` and changes nothing;
   * of several clients with the same etag, one succeeds.
   */
  readonly ifMatch?: string | undefined;
}

export interface RemoveOptions extends ChangeOptions {
  /** Why the animal is removed, for example `died`: up to 200 characters. It is in the event and in the list of removed animals. */
  readonly reason?: string | undefined;
}

export interface InventoryOptions extends CallOptions {
  /** Counts only the animals of this category, which need not have a name. */
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

interface PageQuery {
  /** How many items a page has at most, from 1 to 100. Default: 20; for walks through every page, 100. */
  readonly limit?: number | undefined;
  /** Where the page begins: the `cursor` parameter of an earlier page's `next`. */
  readonly cursor?: string | undefined;
}

export interface PetQuery extends PageQuery {
  /** Only animals with this status. */
  readonly status?: PetStatus | undefined;
  /** Only animals with these identifiers, from 1 to 100 of them. */
  readonly id?: Id | readonly Id[] | undefined;
  /** Only animals of this category. */
  readonly categoryId?: Id | undefined;
  /**
   * Only animals whose name contains this text, ignoring case and accents. A page may then be short or empty although there are more: go
   * on as long as it has a `next`.
   */
  readonly name?: string | undefined;
  /** Removed animals in place of those that are there, the latest removal first. Can be combined with `id` and `name`, and with no other filter. */
  readonly removed?: boolean | undefined;
}

export interface CategoryQuery extends PageQuery {
  /** Only categories whose name begins with this text, ignoring case. */
  readonly name?: string | undefined;
}

export interface OrderQuery extends PageQuery {
  /** Only orders for this animal, even if it has been removed. */
  readonly petId?: Id | undefined;
  /** Only orders with this status. */
  readonly status?: OrderStatus | undefined;
  /**
   * Only orders that were completed at this time or later, even if they were returned since; the latest completion first. As text, it needs
   * its offset, such as `2026-11-17T00:00:00+01:00`.
   */
  readonly completedFrom?: string | Date | undefined;
  /** Only orders that were completed before this time. */
  readonly completedBefore?: string | Date | undefined;
  /** Only orders whose note contains this text, ignoring case and accents, in pages as with the `name` of animals. */
  readonly note?: string | undefined;
}

export interface EventQuery extends Pick<PageQuery, 'limit'> {
  /** The `id` of an event: only those that follow it. */
  readonly after?: string | undefined;
  /** Which come first: `oldest` unless given. With `newest`, `after` leads to older ones. */
  readonly order?: 'oldest' | 'newest' | undefined;
  /** Only the history of this animal: its own events and those of its orders, even if it has been removed. */
  readonly petId?: Id | undefined;
  /** Only events of this type, or of these. A page may then be short or empty although there are more, as with the `name` of animals. */
  readonly type?: EventType | readonly EventType[] | undefined;
  /** Only changes that were made with the API key that has this `id`, or with one of these. */
  readonly keyId?: string | readonly string[] | undefined;
}

/** Which events to follow. */
export type FollowQuery = Omit<EventQuery, 'limit' | 'order'>;

export type KeyQuery = PageQuery;

/** One page of a list. */
export interface Page<T> {
  /** With some filters, it may be empty although there is a next page. */
  readonly items: T[];
  /** The address of the next page, to pass to the same method in place of a query; undefined on the last page. */
  readonly next: string | undefined;
}
