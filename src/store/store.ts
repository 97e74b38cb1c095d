import type { Inventory, NewOrder, Order, OrderStatus, OrderUpdate } from '../contract/order.ts';
import type { NewPet, Pet, PetStatus } from '../contract/pet.ts';

/**
 * Where animals, orders and API keys are stored. Every store gives the same guarantees, which
 * `test/store/conformance.ts` tests for each of them:
 *
 * - A write has reached the disk when its promise resolves, and every later read sees it.
 * - A write that rejects has changed nothing, with one exception: after `unavailable` the outcome may be unknown (a disk
 *   or a connection failed during the commit). Repeating the write with the same idempotency key is safe.
 * - A write that fails never makes another one fail.
 * - A store that cannot serve at the moment (locked, full, read-only, unreachable) rejects with the ApiError
 *   `unavailable`.
 */
export interface Store {
  /** Concurrent calls with the same query may get the same page. */
  listPets(query: PetQuery): Promise<Page>;
  getPet(id: bigint): Promise<Pet | undefined>;
  /** Ids begin at 1, increase, and are never reused. With an idempotency key, the animal is added at most once. */
  createPet(pet: NewPet, idempotencyKey?: IdempotencyKey): Promise<Created<Pet>>;

  /** How many animals there are by status. Exact, at a cost that does not grow with their number. */
  countPets(): Promise<Inventory>;

  listOrders(query: OrderQuery): Promise<Page>;
  /**
   * Places an order and makes its animal `pending`, atomically. Rejects with `pet_not_found`, or with
   * `pet_not_available` if the animal is not `available`: of any number of concurrent buyers, one succeeds.
   */
  createOrder(order: NewOrder, idempotencyKey?: IdempotencyKey): Promise<Created<Order>>;
  /**
   * Closes a placed order and gives its animal the status of `petStatusUnder`, atomically. Rejects with
   * `order_not_found`, or with `order_closed` if it is no longer placed: of two concurrent calls, one succeeds.
   */
  updateOrder(id: bigint, update: OrderUpdate): Promise<Order>;

  listKeys(): Promise<ApiKey[]>;
  /**
   * The keys that were created or changed after change number `after`, oldest change first, at most `limit` of them. That
   * a key was used is not a change.
   */
  listKeyChanges(after: number, limit: number): Promise<KeyChanges>;
  createKey(key: NewApiKey): Promise<ApiKey>;
  /** Like `createKey`, but only in a store that has never contained a key or an animal; otherwise undefined. */
  createFirstKey(key: NewApiKey): Promise<ApiKey | undefined>;
  /** Returns the revoked key, or undefined if there is none. The date of a key that is already revoked does not change. */
  revokeKey(id: string): Promise<ApiKey | undefined>;
  /**
   * Creates a key with the name of an active one, which expires at `replacedExpiresAt` unless it expires earlier, atomically.
   * Undefined if there is no active key with this id.
   */
  rotateKey(id: string, rotation: KeyRotation): Promise<RotatedKey | undefined>;
  recordKeyUse(uses: readonly KeyUse[]): Promise<void>;

  /**
   * A number that changes with every commit, by any process. A call in the same tick of the event loop as a read returns
   * the version of the state that the read sees; until that read begins, every call returns the same promise.
   * Undefined for a store that cannot provide it cheaply.
   */
  readonly version?: () => Promise<number>;

  /** The size of the database in bytes, without its write-ahead log. */
  size(): Promise<number>;

  /** Resolves if the store can accept a write at this moment. */
  ready(): Promise<void>;
  /** Finishes pending writes, refuses new ones, and closes the database. */
  close(): Promise<void>;
}

/** A page of a list, as it is sent. */
export interface Page {
  /** Its items, as a JSON array: text, or UTF-8 if it is long. */
  readonly json: string | Uint8Array;
  /** The id of its last item, if the list has more. */
  readonly last?: bigint | undefined;
}

/** Which page of a list: at most `limit` items that match every given filter, in descending order of id. */
export interface PageQuery<Status> {
  readonly limit: number;
  readonly status?: Status | undefined;
  /**
   * The id of the last item of the previous page: only items that follow it. In the order of ids these are the items below
   * this id; in the order of names, those after its name and id.
   */
  readonly before?: bigint | undefined;
  /** Only items with one of these ids. */
  readonly ids?: readonly bigint[] | undefined;
}

export interface PetQuery extends PageQuery<PetStatus> {
  /**
   * Only animals whose name begins with this text, ignoring case as `contract/name-key.ts` defines it. The page is then in
   * ascending order of the name's key, by code point, and of the id among equal keys.
   */
  readonly name?: string | undefined;
}
export type OrderQuery = Omit<PageQuery<OrderStatus>, 'ids'>;

/**
 * Identifies a request that must take effect at most once within 24 hours. A call with the same owner, key and
 * fingerprint returns the first result again; one with another fingerprint rejects with the ApiError
 * `idempotency_key_reused`. The key is stored in the same transaction as the write that it protects.
 */
export interface IdempotencyKey {
  /** The API key of the client. */
  readonly owner: string;
  readonly key: string;
  /** A digest of the operation and its body. */
  readonly fingerprint: string;
}

export const IDEMPOTENCY_KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

export interface Created<T> {
  readonly value: T;
  /** Whether this is the result of an earlier call with the same idempotency key. */
  readonly replayed: boolean;
}

export interface NewApiKey {
  readonly name: string;
  /** SHA-256 of the key. The key itself is never stored. */
  readonly digest: string;
  readonly expiresAt?: Date | undefined;
}

export interface KeyRotation extends Omit<NewApiKey, 'name'> {
  readonly replacedExpiresAt: Date;
}

export interface RotatedKey {
  readonly created: ApiKey;
  readonly replaced: ApiKey;
}

export interface ApiKey extends NewApiKey {
  readonly id: string;
  readonly createdAt: Date;
  readonly revokedAt?: Date | undefined;
  readonly lastUsedAt?: Date | undefined;
}

export interface KeyChanges {
  readonly keys: readonly (ApiKey & { readonly change: number })[];
  /** The number of the latest change. Smaller than one seen before: the store has lost changes in a failover. */
  readonly latest: number;
  /** Grows when keys are removed: keys that were listed before may no longer exist. */
  readonly removals: number;
}

export interface KeyUse {
  readonly id: string;
  readonly at: Date;
}

/** A database that cannot be used as it is configured. The message is one line that says what to do. */
export class StoreError extends Error {}
