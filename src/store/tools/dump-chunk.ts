import type { Category } from '../../contract/category.ts';
import type { Order } from '../../contract/order.ts';
import type { Pet } from '../../contract/pet.ts';
import type { EventRow } from '../events.ts';
import type { StoredResult } from '../replay.ts';
import type { ApiKey, RemovedPet } from '../store.ts';

/** Everything that a store contains, by resource. */
export interface StoreContent {
  readonly pets: Pet;
  readonly removedPets: RemovedPet;
  readonly categories: Category;
  readonly orders: Order;
  readonly keys: ApiKey;
  readonly idempotencyKeys: StoredResult;
  readonly events: EventRow;
}

export type Resource = keyof StoreContent;

export const RESOURCES = [
  'pets',
  'removedPets',
  'categories',
  'orders',
  'keys',
  'idempotencyKeys',
  'events',
] as const satisfies Resource[];

/** Some of the items of one resource. A dump is a sequence of these, in the order of `RESOURCES`. */
export type DumpChunk = {
  [R in Resource]: { readonly resource: R; readonly items: readonly StoreContent[R][] };
}[Resource];

export type Counts = Record<Resource, number>;
