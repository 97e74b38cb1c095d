import type { Category, CategoryName, NewCategory } from '../contract/category.ts';
import type { Position } from '../contract/cursor.ts';
import type { Author, EventType } from '../contract/event.ts';
import type { EventPosition } from '../contract/event-id.ts';
import type { KeyUpdate } from '../contract/key.ts';
import type { Inventory, NewOrder, Order, OrderStatus, OrderUpdate } from '../contract/order.ts';
import type { NewPet, Pet, PetStatus, PetUpdate, RemovedPet } from '../contract/pet.ts';
import type { Precondition } from '../contract/precondition.ts';
import type { Rotation, StoredKey } from '../contract/rules/keys.ts';

/**
 * Where animals, orders and API keys are stored. Every store gives the same guarantees, which
 * `test/store/conformance.ts` tests for each of them:
 *
 * - A write has reached the disk when its promise resolves, and every later read sees it.
 * - A write that rejects has changed nothing, with one exception: after `unavailable` the outcome may be unknown (a disk
 *   or a connection failed during the commit). Repeating the write with the same idempotency key is safe: it is done at most once.
 * - A write that fails never makes another one fail.
 * - Each change of an animal, an order or a category is one event, written in the same transaction with its author, who is undefined
 *   for the command line. A refusal, a replay, or a change that changes nothing is none.
 * - A store that cannot serve at the moment (locked, full, read-only, unreachable) rejects with the ApiError
 *   `unavailable`.
 */
export interface Store {
  /** Concurrent calls with the same query may get the same page. */
  listPets(query: PetQuery): Promise<Page>;
  getPet(id: bigint): Promise<Pet | undefined>;
  /** Ids begin at 1, increase, and are never reused. */
  createPet(pet: NewPet, options?: WriteOptions): Promise<Result>;
  /** Adds all of them or none, with ids in their order. */
  createPets(pets: readonly NewPet[], options?: WriteOptions): Promise<Result>;
  /**
   * Changes the given fields and returns the animal as it is then. Rejects with `pet_not_found`; with
   * `precondition_failed` if the animal is not as the precondition demands, decided in the transaction of the change; and
   * with `pet_has_open_order` or `pet_sold_by_order` if that would change the status of an animal that is ordered, or that an order has sold.
   */
  updatePet(id: bigint, update: PetUpdate, options?: WriteOptions): Promise<Result>;
  /**
   * Takes the animal out of the inventory; its closed orders stay. Rejects as `updatePet` does. Of a removal and an order
   * of the same animal at once, one succeeds.
   */
  removePet(id: bigint, reason?: string, options?: WriteOptions): Promise<Result>;
  /** Brings a removed animal back as it was. Rejects with `pet_not_found` or `pet_not_removed`. */
  restorePet(id: bigint, options?: WriteOptions): Promise<Result>;
  /** The latest removal first. A position counts removals: the `id` in it is not that of an animal. */
  listRemovedPets(query: RemovedPetQuery): Promise<Page>;

  /** How many animals there are by status, in all or in one category. Exact, at a cost that does not grow with their number. */
  countPets(categoryId?: bigint): Promise<Inventory>;

  /** In ascending order of the name's key and of the id. */
  listCategories(query: CategoryQuery): Promise<Page>;
  getCategory(id: bigint): Promise<Category | undefined>;
  /** Gives a new category an id that no category and no animal uses. Rejects with `category_exists`. */
  createCategory(category: NewCategory, options?: WriteOptions): Promise<Result>;
  /** Names or renames the category with this id, with the status 201 if it had no name. Rejects with `category_exists`. */
  setCategory(category: CategoryName, options?: WriteOptions): Promise<Result>;
  /** Rejects with `category_not_found`, or with `category_in_use` if an animal that is not removed has it. */
  removeCategory(id: bigint, options?: WriteOptions): Promise<Result>;

  listOrders(query: OrderQuery): Promise<Page>;
  getOrder(id: bigint): Promise<Order | undefined>;
  /**
   * Reserves an animal, or sells it at once, and gives it the status of `petStatusUnder`, atomically. Rejects with `pet_not_found`, or with
   * `pet_not_available` if the animal is not `available`: of any number of concurrent buyers, one succeeds.
   */
  createOrder(order: NewOrder, options?: WriteOptions): Promise<Result>;
  /**
   * Changes the note of an order, its status, or both, and gives its animal the status of `petStatusUnder`, atomically. Rejects with
   * `order_not_found`; with `order_closed` or `order_not_completed` if that is not among the `transitions`: of two concurrent calls, one
   * succeeds; with `pet_not_sold` or `pet_not_available` if the animal is not what the transition needs.
   */
  updateOrder(id: bigint, update: OrderUpdate, options?: WriteOptions): Promise<Result>;

  /**
   * Events, oldest first, in an order in which none ever appears before one that a call has returned. Rejects with `cursor_expired`
   * if the store does not have the event `after`. Looks at a bounded number of events: a page may be short although others follow.
   */
  listEvents(query: EventQuery): Promise<EventPage>;
  /** The position of the newest event that `listEvents` returns; undefined if there is none yet. */
  latestEvent(): Promise<EventPosition | undefined>;

  listKeys(): Promise<ApiKey[]>;
  /** At most `limit` of them, newest first, beginning with the key at `from`. */
  listNewestKeys(query: KeyQuery): Promise<ApiKey[]>;
  /**
   * The keys that were created or changed after change number `after`, oldest change first, at most `limit` of them. That
   * a key was used is not a change.
   */
  listKeyChanges(after: number, limit: number): Promise<KeyChanges>;
  /**
   * Rejects with `unauthorized` if the key of the author is revoked, expired or unknown, and with `insufficient_scope` if it lacks a scope of
   * the new one, decided in the transaction of the change: instances accept a key that was revoked for up to a second more.
   */
  createKey(key: NewApiKey, by?: Author): Promise<ApiKey>;
  /** Creates a key with full access, but only in a store that has never contained a key or an animal; otherwise undefined. */
  createFirstKey(key: FirstApiKey): Promise<ApiKey | undefined>;
  /**
   * Returns the changed key. Rejects with `key_not_found`; with `key_not_active` if it is revoked or expired; or as `createKey` does, also
   * if the author lacks a scope that the key has.
   */
  updateKey(id: string, changes: KeyUpdate, by?: Author): Promise<ApiKey>;
  /** Returns the revoked key. The date of one that is already revoked does not change. Rejects with `key_not_found`, or as `createKey` does. */
  revokeKey(id: string, by?: Author): Promise<ApiKey>;
  /**
   * Creates a key with the name and the scopes of an active one, which then expires after `overlapMs` unless it expires earlier, atomically.
   * Rejects with `key_not_found`; with `key_not_active` if it is revoked, expired or was replaced before: of any number of concurrent calls,
   * one succeeds; or as `createKey` does.
   */
  rotateKey(id: string, rotation: Rotation, by?: Author): Promise<RotatedKey>;
  recordKeyUse(uses: readonly KeyUse[]): Promise<void>;

  /**
   * A number that changes with every commit, by any process. A call in the same tick of the event loop as a read returns
   * the version of the state that the read sees; until that read begins, every call returns the same promise.
   * Undefined for a store that cannot provide it cheaply.
   */
  readonly version?: () => Promise<number>;

  /** The size of the database in bytes; that of an SQLite file with its write-ahead log. */
  size(): Promise<number>;

  /** Resolves if the store can accept a write at this moment. It commits a probe, unless something was created within the last second. */
  ready(): Promise<void>;
  /** Finishes pending writes, refuses new ones, and closes the database. */
  close(): Promise<void>;
}

/** A page of a list, as it is sent. */
export interface Page {
  /** Its items, as a JSON array: text, or UTF-8 if it is long. */
  readonly json: string | Uint8Array;
  /** Where the next page begins, if the list has more. */
  readonly next?: Position | undefined;
}

/** Which page of a list: at most `limit` items that match every given filter, in descending order of id. */
export interface PageQuery<Status> {
  readonly limit: number;
  readonly status?: Status | undefined;
  /** Where the page begins: the `next` of the previous page. */
  readonly from?: Position | undefined;
  readonly ids?: readonly bigint[] | undefined;
}

export interface PetQuery extends PageQuery<PetStatus> {
  /**
   * Only animals whose name contains every word of this text, as `contract/folded-text.ts` defines it. A call looks at a
   * bounded number of animals: the page may be short or empty although there are more, as long as it has a `next`.
   */
  readonly name?: string | undefined;
  readonly categoryId?: bigint | undefined;
}
export interface CategoryQuery extends Pick<PetQuery, 'limit' | 'from'> {
  /** Only categories whose name begins with this text, ignoring case as `contract/name-key.ts` defines it. */
  readonly name?: string | undefined;
}
export interface StoredRemoval extends RemovedPet {
  /** Counts removals. */
  readonly removal: bigint;
}
export type RemovedPetQuery = Pick<PetQuery, 'limit' | 'from' | 'ids' | 'name'>;
export interface OrderQuery extends Omit<PageQuery<OrderStatus>, 'ids'> {
  readonly petIds?: readonly bigint[] | undefined;
  /** Only orders that were completed at `completedFrom` or later, and before `completedBefore`. With either, the latest completion is first. */
  readonly completedFrom?: Date | undefined;
  readonly completedBefore?: Date | undefined;
  /** Only orders whose note contains every word of this text, as for the name of an animal. */
  readonly note?: string | undefined;
}

export interface EventFilter {
  /** Only events of this animal and of its orders, even if it was removed. */
  readonly petId?: bigint | undefined;
  readonly types?: readonly EventType[] | undefined;
  /** Only changes that were made with one of these API keys. */
  readonly keyIds?: readonly string[] | undefined;
}
export interface EventQuery extends EventFilter {
  readonly limit: number;
  /** Only events after this one, in the order of the page. */
  readonly after?: EventPosition | undefined;
  /** Oldest first unless given. */
  readonly order?: 'oldest' | 'newest' | undefined;
}
export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** The event after which the next page begins, if more may follow: the last one that was looked at. */
  readonly next?: EventPosition | undefined;
}
export interface StoredEvent {
  readonly position: EventPosition;
  readonly type: EventType;
  readonly petId?: bigint | undefined;
  readonly keyId?: string | undefined;
  /** The whole event, as it is sent. */
  readonly json: string;
}

/**
 * Identifies a request that must take effect at most once within 24 hours. A call with the same owner, key and
 * fingerprint returns the first result again; one with another fingerprint rejects with the ApiError
 * `idempotency_key_reused`. The key is stored in the same transaction as the write that it protects.
 */
export interface IdempotencyKey {
  /** The API key of the client. */
  readonly owner: string;
  readonly key: string;
  /** A digest of the request. */
  readonly fingerprint: string;
}

/** What a request says about a change besides the change itself. */
export interface WriteOptions {
  /** What the animal must be. It is checked with the change, and not again when the result is replayed. */
  readonly precondition?: Precondition | undefined;
  /** Without a key, the same call again is another change. */
  readonly idempotencyKey?: IdempotencyKey | undefined;
  readonly by?: Author | undefined;
}

/** The result of the first call with an idempotency key, stored in the transaction of that call. */
export interface StoredResult extends IdempotencyKey {
  readonly result: string;
  readonly status?: number | undefined;
  readonly createdAt: Date;
}

export const IDEMPOTENCY_KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

export interface Result {
  /** The item as JSON as it is sent; empty after a removal. */
  readonly json: string;
  /** The status of the answer, where the operation has several. */
  readonly status?: number | undefined;
  /** Whether this is the result of an earlier call with the same idempotency key. */
  readonly replayed: boolean;
}

export interface ApiKey extends StoredKey {
  /** SHA-256 of the key. The key itself is never stored. */
  readonly digest: string;
  readonly lastUsedAt?: Date | undefined;
}
export type NewApiKey = Pick<ApiKey, 'name' | 'digest' | 'scopes' | 'expiresAt'>;
export type FirstApiKey = Pick<ApiKey, 'name' | 'digest'>;

export interface RotatedKey {
  readonly created: ApiKey;
  readonly replaced: ApiKey;
}

export type KeyQuery = Pick<PetQuery, 'limit' | 'from'>;

export interface KeyChanges {
  readonly keys: readonly (ApiKey & { readonly change: number })[];
  /** The number of the latest change. If it is smaller than one seen before, the store has lost changes in a failover. */
  readonly latest: number;
  /** Grows when keys are removed: keys that were listed before may no longer exist. */
  readonly removals: number;
  /** The time by the clock of the store, which decides when a key expires. */
  readonly now: Date;
}

export interface KeyUse {
  readonly id: string;
  readonly at: Date;
}

/** A database that cannot be used as it is configured. The message is one line that says what to do. */
export class StoreError extends Error {}

/** A file that is damaged, or no database at all. */
export class DamagedFile extends StoreError {}

/** A database that cannot be used now, and may be later without anyone changing the configuration: unreachable, locked, full. */
export class StoreUnavailableError extends StoreError {}
