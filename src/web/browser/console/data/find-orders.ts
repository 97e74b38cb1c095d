import { signal } from '@preact/signals';
import { AnimalStoreError, type Order, type OrderQuery, type Page } from '../../../../client/index.ts';
import { findAnimals, read, WHOLE_NUMBER } from './find.ts';
import type { Source } from './list.ts';

/** A text finds the orders of so many animals, and so many of each: more than one looks through. */
const ANIMALS = 10;
const ORDERS_EACH = 20;
/** Each is a request of its own. */
const LOOK_UPS = 20;

export interface OrderSearch extends OrderQuery {
  /** The beginning of the name of an animal, or an id. */
  readonly text?: string | undefined;
}

/** The text finds more animals than those whose orders are shown. */
export const findsMore = signal(false);

export const orderSource: Source<Order, OrderSearch> = {
  page: findOrders,
  lookUp: (orders) => Promise.all(orders.map(({ id }) => loadOrder(id))),
  lookUps: LOOK_UPS,
  mayChange: ({ status }) => status === 'placed' || status === 'completed',
};

export const loadOrder = (id: bigint): Promise<Order> =>
  read(({ reads, signal }) => reads.getOrder(id, { signal }));

const listOrders = (query: OrderQuery | string): Promise<Page<Order>> =>
  read(({ reads, signal }) => reads.listOrders(query, { signal }));

async function findOrders(query: (OrderSearch & { limit: number }) | string): Promise<Page<Order>> {
  if (typeof query === 'string') return listOrders(query);
  const { text, ...rest } = query;
  return text === undefined ? listOrders(rest) : ordersOfAnimals(text, rest);
}

/** The orders of the animals that a text finds, and the order with this id, newest first. */
async function ordersOfAnimals(text: string, { status }: OrderQuery): Promise<Page<Order>> {
  const id = WHOLE_NUMBER.test(text) ? BigInt(text) : undefined;
  const [pets, ofId] = await Promise.all([
    findAnimals({ name: text, limit: ANIMALS }),
    id === undefined ? undefined : orderWith(id),
  ]);
  findsMore.value = pets.next !== undefined;
  // An animal that was removed is not found, but its orders are.
  const petIds = new Set([...(id === undefined ? [] : [id]), ...pets.items.map((pet) => pet.id)]);
  const pages = await Promise.all(
    [...petIds].map((petId) => listOrders({ petId, status, limit: ORDERS_EACH })),
  );
  const found = [
    ...(ofId && (status ?? ofId.status) === ofId.status ? [ofId] : []),
    ...pages.flatMap(({ items }) => items),
  ];
  const unique = new Map(found.map((order) => [order.id, order]));
  return {
    items: [...unique.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1)),
    next: undefined,
  };
}

const orderWith = (id: bigint): Promise<Order | undefined> =>
  loadOrder(id).catch((error) => {
    if (error instanceof AnimalStoreError && error.status === 404) return undefined;
    throw error;
  });
