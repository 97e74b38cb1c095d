// Generated from src/contract/ by `npm run docs`.
import type { EventType, OrderStatus, PetStatus } from './models.ts';

/** A 64-bit identifier. Numbers are accepted while they are exact, up to `Number.MAX_SAFE_INTEGER`. */
export type Id = bigint | number;

/** The query of `listPets`. */
export interface PetQuery {
  /** Maximum number of items returned. A value out of bounds is rejected, never clamped. From 1 to 100. Default: `20`. Iterators use the maximum by default. */
  readonly limit?: number | undefined;
  /** Where the page begins: the `cursor` in the `next` of the previous page. */
  readonly cursor?: string | undefined;
  /** Restricts the result to animals with this status. */
  readonly status?: PetStatus | undefined;
  /** Restricts the result to the animals with these identifiers. One, or up to 100. */
  readonly id?: Id | readonly Id[] | undefined;
  /** Restricts the result to animals whose name contains every word of this text, in any order, ignoring case and accents: `bjorn` finds Björn. One request looks at 20,000 animals at most, so a page may be short or empty although there are more: go on as long as it has a `next`. Up to 200 characters. For example `rex`. */
  readonly name?: string | undefined;
  /** Restricts the result to animals of this category. */
  readonly categoryId?: Id | undefined;
  /** `true` lists the animals that were removed, the latest removal first, each as a `ListedPet` with `removedAt` and perhaps a `reason`. It can be combined with `id` and `name`, and with no other filter. Default: `false`. */
  readonly removed?: boolean | undefined;
}

/** The query of `removePet`. */
export interface RemovalQuery {
  /** Why the animal is removed. Up to 200 characters. For example `died`. */
  readonly reason?: string | undefined;
}

/** The query of `listCategories`. */
export interface CategoryQuery {
  /** Maximum number of items returned. A value out of bounds is rejected, never clamped. From 1 to 100. Default: `20`. Iterators use the maximum by default. */
  readonly limit?: number | undefined;
  /** Where the page begins: the `cursor` in the `next` of the previous page. */
  readonly cursor?: string | undefined;
  /** Restricts the result to categories whose name begins with this text, ignoring case. Up to 200 characters. For example `do`. */
  readonly name?: string | undefined;
}

/** The query of `listOrders`. */
export interface OrderQuery {
  /** Maximum number of items returned. A value out of bounds is rejected, never clamped. From 1 to 100. Default: `20`. Iterators use the maximum by default. */
  readonly limit?: number | undefined;
  /** Where the page begins: the `cursor` in the `next` of the previous page. */
  readonly cursor?: string | undefined;
  /** Restricts the result to orders with this status. */
  readonly status?: OrderStatus | undefined;
  /** Restricts the result to the orders of these animals, even removed ones. One, or up to 100. */
  readonly petId?: Id | readonly Id[] | undefined;
  /** Restricts the result to orders that were completed at this time or later. As text, it needs its offset, such as `2026-11-17T00:00:00+01:00`. */
  readonly completedFrom?: string | Date | undefined;
  /** Restricts the result to orders that were completed before this time. As text, it needs its offset, such as `2026-11-17T00:00:00+01:00`. */
  readonly completedBefore?: string | Date | undefined;
  /** Restricts the result to orders whose note contains every word of this text, in any order, ignoring case and accents. One request looks at 20,000 orders at most, so a page may be short or empty although there are more: go on as long as it has a `next`. Up to 200 characters. For example `lee`. */
  readonly note?: string | undefined;
}

/** The query of `getInventory`. */
export interface InventoryQuery {
  /** Counts only the animals of this category, named or not. */
  readonly categoryId?: Id | undefined;
}

/** The query of `listEvents`. */
export interface EventQuery {
  /** Maximum number of items returned. A value out of bounds is rejected, never clamped. From 1 to 100. Default: `20`. */
  readonly limit?: number | undefined;
  /** The `id` of an event: returns those that follow it. Without it, from the oldest that is kept. */
  readonly after?: string | undefined;
  /** Restricts the result to the history of this animal: its own events and those of its orders, even if it was removed. */
  readonly petId?: Id | undefined;
  /** Restricts the result to changes of this type. One request looks at 20,000 events at most, so a page may be short or empty although there are more: go on as long as it has a `next`. One, or up to 20. */
  readonly type?: EventType | readonly EventType[] | undefined;
  /** Restricts the result to changes that were made with this API key. One request looks at 20,000 events at most, so a page may be short or empty although there are more: go on as long as it has a `next`. One, or up to 20. */
  readonly keyId?: string | readonly string[] | undefined;
  /** Which events come first. With `newest`, `after` leads to older ones, and what happens later is not part of the pages: use it to show recent changes to a person. A program that must miss nothing reads the oldest first. Default: `oldest`. */
  readonly order?: 'oldest' | 'newest' | undefined;
}

/** The query of `listKeys`. */
export interface KeyQuery {
  /** Maximum number of items returned. A value out of bounds is rejected, never clamped. From 1 to 100. Default: `20`. Iterators use the maximum by default. */
  readonly limit?: number | undefined;
  /** Where the page begins: the `cursor` in the `next` of the previous page. */
  readonly cursor?: string | undefined;
}

/** What the query of each list may contain. */
export const QUERY_KEYS = {
  '/pets': ['limit', 'cursor', 'status', 'id', 'name', 'categoryId', 'removed'],
  '/categories': ['limit', 'cursor', 'name'],
  '/store/orders': ['limit', 'cursor', 'status', 'petId', 'completedFrom', 'completedBefore', 'note'],
  '/events': ['limit', 'after', 'petId', 'type', 'keyId', 'order'],
  '/keys': ['limit', 'cursor'],
} as const;
