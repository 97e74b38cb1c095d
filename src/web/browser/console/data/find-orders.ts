import {
  AnimalStoreError,
  type Order,
  type OrderQuery,
  type Page,
  type Pet,
} from '../../../../client/index.ts';
import { findAnimals, read, WHOLE_NUMBER } from './find.ts';
import type { Source } from './list.ts';
import { may } from './permissions.ts';

/** A page of a search has the orders of so many animals, and so many of each. */
const ANIMALS = 10;
const ORDERS_EACH = 20;
/** Each is a request of its own. */
const LOOK_UPS = 20;
/** A page of a search takes a dozen requests. */
const SHORT_PAGES = 5;
const NONE: Page<never> = { items: [], next: undefined };

export interface OrderSearch extends OrderQuery {
  /** A part of the name of an animal or of a note, or an id. */
  readonly text?: string | undefined;
}

/** Where a search by text goes on. As JSON, it is the `next` of a page. */
interface Rest extends Pick<OrderQuery, 'status'> {
  readonly animals?: string | undefined;
  readonly notes?: string | undefined;
}

export const orderSource: Source<Order, OrderSearch> = {
  page: findOrders,
  lookUp: (orders) => Promise.all(orders.map(({ id }) => loadOrder(id))),
  lookUps: LOOK_UPS,
  // The note of a closed order can change as well.
  mayChange: () => true,
  shortPages: SHORT_PAGES,
};

export const loadOrder = (id: bigint): Promise<Order> =>
  read(({ reads, signal }) => reads.getOrder(id, { signal }));

const listOrders = (query: OrderQuery | string): Promise<Page<Order>> =>
  read(({ reads, signal }) => reads.listOrders(query, { signal }));

async function findOrders(query: (OrderSearch & { limit: number }) | string): Promise<Page<Order>> {
  if (typeof query === 'string')
    return query.startsWith('{') ? searchOn(JSON.parse(query) as Rest) : listOrders(query);
  const { text, ...rest } = query;
  return text === undefined ? listOrders(rest) : search(text, rest);
}

/** The orders with this text in their note, those of the animals that it finds, and the order with this id. */
async function search(text: string, { status, limit }: OrderQuery): Promise<Page<Order>> {
  const id = WHOLE_NUMBER.test(text) ? BigInt(text) : undefined;
  const [pets, noted, ofId] = await Promise.all([
    may('pets:read') ? findAnimals({ name: text, limit: ANIMALS }) : NONE,
    listOrders({ note: text, status, limit }),
    id === undefined ? undefined : orderWith(id),
  ]);
  const isWanted = ofId && (status ?? ofId.status) === ofId.status;
  const items = [...(isWanted ? [ofId] : []), ...noted.items];
  // An animal that was removed is not found, but its orders are.
  return withOrdersOf(pets, id === undefined ? [] : [id], { ...noted, items }, status);
}

async function searchOn({ animals, notes, status }: Rest): Promise<Page<Order>> {
  const [pets, noted] = await Promise.all([
    animals === undefined ? NONE : findAnimals(animals),
    notes === undefined ? NONE : listOrders(notes),
  ]);
  return withOrdersOf(pets, [], noted, status);
}

/** A page of orders with those of a page of animals, and of further ones by their id. */
async function withOrdersOf(
  pets: Page<Pet>,
  ids: readonly bigint[],
  { items, next }: Page<Order>,
  status: OrderQuery['status'],
): Promise<Page<Order>> {
  const petIds = new Set([...ids, ...pets.items.map(({ id }) => id)]);
  const pages = await Promise.all(
    [...petIds].map((petId) => listOrders({ petId, status, limit: ORDERS_EACH })),
  );
  const found = new Map([...items, ...pages.flatMap((page) => page.items)].map((order) => [order.id, order]));
  const rest: Rest = { animals: pets.next, notes: next, status };
  const isComplete = pets.next === undefined && next === undefined;
  return { items: newestFirst([...found.values()]), next: isComplete ? undefined : JSON.stringify(rest) };
}

export const newestFirst = (orders: readonly Order[]): Order[] =>
  orders.toSorted((one, other) => (one.id < other.id ? 1 : -1));

const orderWith = (id: bigint): Promise<Order | undefined> =>
  loadOrder(id).catch((error) => {
    if (error instanceof AnimalStoreError && error.status === 404) return undefined;
    throw error;
  });
