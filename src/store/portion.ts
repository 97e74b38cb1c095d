import type { Order } from '../contract/order.ts';
import type { Pet } from '../contract/pet.ts';
import type { ApiKey, Once } from './store.ts';

/** A used idempotency key, with what it answers. */
export interface KeptOnce extends Once {
  readonly result: string;
  readonly createdAt: Date;
}

/** What a store holds, a piece at a time; animals come before the orders that name them. */
export interface Portion {
  readonly pets?: readonly Pet[];
  readonly orders?: readonly Order[];
  readonly keys?: readonly ApiKey[];
  readonly onces?: readonly KeptOnce[];
}
