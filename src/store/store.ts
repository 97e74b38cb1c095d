import type { Inventory, NewOrder, Order, OrderStatus, OrderUpdate } from '../contract/order.ts';
import type { NewPet, Pet, PetStatus } from '../contract/pet.ts';

/**
 * Where animals and API keys are kept. Every store keeps the same promises, and `test/store/conformance.ts`
 * holds each of them to it:
 *
 * - A write has reached the disk when its promise resolves, and every later read sees it.
 * - A write that rejects has changed nothing, with one exception: `unavailable` may leave the outcome of a
 *   write open (a disk or connection that failed during the commit). Repeating it with the same `Once` is safe.
 * - One write that fails never takes another with it.
 * - A store that cannot serve now (locked, full, read-only, gone) rejects with the ApiError `unavailable`.
 */
export interface Store {
  listPets(query: PetQuery): Promise<Pet[]>;
  getPet(id: bigint): Promise<Pet | undefined>;
  /** Ids begin at 1, grow, and are never given twice. With `once`, the animal is added at most once. */
  createPet(pet: NewPet, once?: Once): Promise<Created<Pet>>;

  /** How many animals there are by status. Exact, at a cost that does not grow with their number. */
  countPets(): Promise<Inventory>;

  listOrders(query: OrderQuery): Promise<Order[]>;
  /**
   * Places an order and makes its animal `pending`, both or neither. Rejects with `pet_not_found`, or with
   * `pet_not_available` when the animal is not `available`: of any number of buyers at once, one succeeds.
   */
  createOrder(order: NewOrder, once?: Once): Promise<Created<Order>>;
  /**
   * Closes a placed order and makes its animal what `petStatusUnder` says, both or neither. Rejects with
   * `order_not_found`, or with `order_closed` when it is no longer placed: of any two at once, one succeeds.
   */
  updateOrder(id: bigint, update: OrderUpdate): Promise<Order>;

  listKeys(): Promise<ApiKey[]>;
  /**
   * The keys that were created or changed after change number `after`, oldest change first, at most `limit` of them. That
   * a key was used is no change.
   */
  listKeyChanges(after: number, limit: number): Promise<KeyChanges>;
  createKey(key: NewApiKey): Promise<ApiKey>;
  /** As `createKey`, but only in a store that has never held a key or an animal; otherwise undefined. */
  createFirstKey(key: NewApiKey): Promise<ApiKey | undefined>;
  /** The key as it is now; a key revoked before keeps its date. Undefined when there is none. */
  revokeKey(id: string): Promise<ApiKey | undefined>;
  recordKeyUse(uses: readonly KeyUse[]): Promise<void>;

  /**
   * Tells states of the store apart: while it is the same number, nobody has committed anything. Asked for just before
   * or after a read, in the same turn of the event loop, it is that of the very state which the read sees; until that
   * read begins, it is the same promise. A store that cannot tell cheaply has none.
   */
  readonly version?: () => Promise<number>;

  /** Resolves when the store could take a write at this moment. */
  ready(): Promise<void>;
  /** Finishes the writes under way, refuses new ones, and lets go of the database. */
  close(): Promise<void>;
}

/** A page of a list: at most `limit` items, in descending order of id, with every given filter met. */
export interface PageQuery<Status> {
  readonly limit: number;
  readonly status?: Status | undefined;
  /** Only items below this id. */
  readonly before?: bigint | undefined;
  /** Only items with one of these ids. */
  readonly ids?: readonly bigint[] | undefined;
}

export type PetQuery = PageQuery<PetStatus>;
export type OrderQuery = Omit<PageQuery<OrderStatus>, 'ids'>;

/**
 * A request that must take effect at most once within 24 hours. The same owner, key and fingerprint get the
 * first result again; another fingerprint rejects with the ApiError `idempotency_key_reused`. It is kept in the
 * same transaction as what it guards.
 */
export interface Once {
  readonly owner: string;
  readonly key: string;
  readonly fingerprint: string;
}

export const ONCE_LIFETIME_MS = 24 * 60 * 60 * 1000;

export interface Created<T> {
  readonly value: T;
  /** Whether this is the result of an earlier call with the same `Once`. */
  readonly replayed: boolean;
}

export interface NewApiKey {
  readonly name: string;
  /** SHA-256 of the key. The key itself is never kept. */
  readonly digest: string;
  readonly expiresAt?: Date | undefined;
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
  /** Grows when keys are removed: keys that were listed before may be gone. */
  readonly removals: number;
}

export interface KeyUse {
  readonly id: string;
  readonly at: Date;
}

/** A database that cannot be used as it is configured. The message is one line that says what to do. */
export class StoreError extends Error {}
