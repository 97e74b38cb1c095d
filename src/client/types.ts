import type { InferInput } from 'valibot';
import type { NewOrder as NewOrderSchema, OrderStatus } from '../contract/order.ts';
import type { NewPet as NewPetSchema, PetStatus } from '../contract/pet.ts';

export type { Inventory, Order, OrderStatus, OrderUpdate } from '../contract/order.ts';
export type { Pet, PetStatus } from '../contract/pet.ts';

/** An animal to add. Without `status` it is `available`. `categoryId` is a bigint or a safe integer. */
export type NewPet = InferInput<typeof NewPetSchema>;

/** An order to place. `petId` is a bigint or a safe integer. */
export type NewOrder = InferInput<typeof NewOrderSchema>;

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
  /** How often a call is tried again after 429, 503 or a lost connection. Default: 5. */
  readonly maxRetries?: number | undefined;
}

export interface CallOptions {
  /** Aborts the call, also while it waits for its next attempt. */
  readonly signal?: AbortSignal | undefined;
  /** How long this call may take, including its retries, in milliseconds. Default: that of the client. */
  readonly timeoutMs?: number | undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * Identifies this create for 24 hours: calls with the same key and values return the first result and add nothing.
   * Up to 255 visible ASCII characters. Default: a new random key, used for every attempt of this call.
   */
  readonly idempotencyKey?: string | undefined;
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
  /** Only animals whose name begins with this text, ignoring case, in order of name. */
  readonly name?: string | undefined;
}

export interface OrderQuery extends PageQuery {
  /** Only orders with this status. */
  readonly status?: OrderStatus | undefined;
}

/** One page of a list. */
export interface Page<T> {
  readonly items: T[];
  /** The address of the next page, to pass to the same method in place of a query; undefined on the last page. */
  readonly next: string | undefined;
}
