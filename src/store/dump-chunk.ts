import type { Order } from '../contract/order.ts';
import type { Pet } from '../contract/pet.ts';
import type { StoredResult } from './replay.ts';
import type { ApiKey } from './store.ts';

/** Everything that a store contains, by resource. */
export interface StoreContent {
  readonly pets: Pet;
  readonly orders: Order;
  readonly keys: ApiKey;
  readonly idempotencyKeys: StoredResult;
}

export type Resource = keyof StoreContent;

/** Animals precede the orders that refer to them. */
export const RESOURCES = ['pets', 'orders', 'keys', 'idempotencyKeys'] as const satisfies Resource[];

/** Some of the items of one resource. A dump is a sequence of these, in the order of `RESOURCES`. */
export type DumpChunk = {
  [R in Resource]: { readonly resource: R; readonly items: readonly StoreContent[R][] };
}[Resource];

export type Counts = Record<Resource, number>;
