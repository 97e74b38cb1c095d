import type { EventType, OrderStatus, PetStatus } from './models.ts';

/** A 64-bit identifier. Numbers are accepted while they are exact, up to `Number.MAX_SAFE_INTEGER`. */
export type Id = bigint | number;

/** The query of `listKeys`, and part of the query of other lists. */
export interface KeyQuery {
  /** Maximum number of items returned, from 1 to 100; a value out of bounds is rejected, never clamped. Default: 20. Iterators use the maximum by default. */
  readonly limit?: number | undefined;
  /** Where the page begins: the `cursor` in the `next` of the previous page. */
  readonly cursor?: string | undefined;
}

/** The query of `listPets`. */
export interface PetQuery extends KeyQuery {
  /** Restricts the result to animals with this status. */
  readonly status?: PetStatus | undefined;
  /** Restricts the result to the animals with these identifiers: one, or up to 100. */
  readonly id?: Id | readonly Id[] | undefined;
  /** Restricts the result to animals whose name contains every word of this text, in any order, ignoring case and accents: `bjorn` finds Björn. Up to 200 characters. One request looks at a bounded number of animals, so a page may be short or empty although there are more: go on as long as it has a `next`. */
  readonly name?: string | undefined;
  /** Restricts the result to animals of this category. */
  readonly categoryId?: Id | undefined;
  /** `true` lists the animals that were removed, the latest removal first, each with `removedAt` and perhaps a `reason`. It can be combined with `id` and `name`, and with no other filter. Default: `false`. */
  readonly removed?: boolean | undefined;
}

/** The query of `listCategories`. */
export interface CategoryQuery extends KeyQuery {
  /** Restricts the result to categories whose name begins with this text, ignoring case. Up to 200 characters. */
  readonly name?: string | undefined;
}

/** The query of `listOrders`. A time as text needs its offset, such as `2026-11-17T00:00:00+01:00`. */
export interface OrderQuery extends KeyQuery {
  /** Restricts the result to orders with this status. */
  readonly status?: OrderStatus | undefined;
  /** Restricts the result to the orders of these animals, even removed ones: one, or up to 100. */
  readonly petId?: Id | readonly Id[] | undefined;
  /** Restricts the result to orders that were completed at this time or later. */
  readonly completedFrom?: string | Date | undefined;
  /** Restricts the result to orders that were completed before this time. */
  readonly completedBefore?: string | Date | undefined;
  /** Restricts the result to orders whose note contains every word of this text, in any order, ignoring case and accents. Up to 200 characters. One request looks at a bounded number of orders, so a page may be short or empty although there are more: go on as long as it has a `next`. */
  readonly note?: string | undefined;
}

/** The query of `listEvents`. With `type` or `keyId`, one request looks at a bounded number of events, so a page may be short or empty although there are more: go on as long as it has a `next`. */
export interface EventQuery {
  /** Maximum number of items returned, from 1 to 100; a value out of bounds is rejected, never clamped. Default: 20. */
  readonly limit?: number | undefined;
  /** The `id` of an event: returns those that follow it. Without it, from the oldest that is kept. */
  readonly after?: string | undefined;
  /** Restricts the result to the history of this animal: its own events and those of its orders, even if it was removed. */
  readonly petId?: Id | undefined;
  /** Restricts the result to changes of these types: one, or up to 20. */
  readonly type?: EventType | readonly EventType[] | undefined;
  /** Restricts the result to changes that were made with these API keys: one, or up to 20. */
  readonly keyId?: string | readonly string[] | undefined;
  /** Which events come first. With `newest`, `after` leads to older ones, and what happens later is not part of the pages: use it to show recent changes to a person. A program that must miss nothing reads the oldest first. Default: `oldest`. */
  readonly order?: 'oldest' | 'newest' | undefined;
}

/** Every list takes a `limit`. */
const keys = <Query>(...own: (keyof Query & string)[]): readonly string[] => ['limit', ...own];

/** What the query of each list may contain. */
export const QUERY_KEYS = {
  '/pets': keys<PetQuery>('cursor', 'status', 'id', 'name', 'categoryId', 'removed'),
  '/categories': keys<CategoryQuery>('cursor', 'name'),
  '/store/orders': keys<OrderQuery>('cursor', 'status', 'petId', 'completedFrom', 'completedBefore', 'note'),
  '/events': keys<EventQuery>('after', 'petId', 'type', 'keyId', 'order'),
  '/keys': keys<KeyQuery>('cursor'),
};
