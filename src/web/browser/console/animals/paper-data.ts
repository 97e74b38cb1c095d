import type { Order, OrderStatus } from '../../../../client/index.ts';
import type { Animal } from '../data/cache/animal.ts';
import type { AnimalQuery } from '../data/find/animals.ts';
import { MOST } from '../data/list/list.ts';
import type { Shop } from '../data/shop.ts';
import { byName } from '../parts/natural-order.ts';

/** Up to so many animals, their orders are asked for one by one; beyond, all orders are read until every animal has its own. */
const ONE_BY_ONE = 20;

/** An animal on paper or in a file, with the order that has led to its status. */
export interface Gathered {
  readonly animal: Animal;
  readonly order: Order | undefined;
}

export interface Gathering {
  /** Called with the number of animals so far. */
  readonly progress: (count: number) => void;
  /** Whether the result is still wanted. */
  readonly isCurrent: () => boolean;
}

/** Every animal that matches, each of them once: in the order of the list, or by name where a text was searched for. */
export async function gatherAnimals(
  shop: Shop,
  query: AnimalQuery,
  gathering: Gathering,
): Promise<Gathered[]> {
  const found = new Map<bigint, Animal>();
  let address: string | undefined;
  do {
    const page = await shop.animals.page(query, address, MOST);
    for (const animal of page.items) found.set(animal.id, animal);
    gathering.progress(found.size);
    address = page.next;
  } while (address !== undefined && gathering.isCurrent());
  const animals = [...found.values()];
  const orders = shop.api.may('store:read') ? await ordersOf(shop, animals, gathering) : new Map();
  return (query.text === undefined ? animals : animals.toSorted(byName)).map((animal) => ({
    animal,
    order: orders.get(animal.id),
  }));
}

/** The reservations of the reserved animals, and the sales of the sold ones. */
async function ordersOf(
  shop: Shop,
  animals: readonly Animal[],
  gathering: Gathering,
): Promise<ReadonlyMap<bigint, Order>> {
  const found = new Map<bigint, Order>();
  const withStatus = (status: Animal['status']) =>
    new Set(animals.filter((animal) => animal.status === status).map(({ id }) => id));
  await findOrders(shop, 'placed', withStatus('pending'), found, gathering);
  await findOrders(shop, 'completed', withStatus('sold'), found, gathering);
  return found;
}

async function findOrders(
  shop: Shop,
  status: OrderStatus,
  missing: Set<bigint>,
  found: Map<bigint, Order>,
  { isCurrent }: Gathering,
): Promise<void> {
  const take = (orders: readonly Order[]) => {
    // The latest come first: an animal may have been sold, taken back and sold again.
    for (const order of orders) if (missing.delete(order.petId)) found.set(order.petId, order);
  };
  if (missing.size <= ONE_BY_ONE) {
    const read = [...missing].map((id) => shop.orders.loadOf(id, { status, limit: 1 }));
    for (const orders of await Promise.all(read)) take(orders);
    return;
  }
  let address: string | undefined;
  do {
    const query = address ?? { status, limit: MOST };
    const page = await shop.api.read((client, options) => client.listOrders(query, options));
    take(page.items);
    address = page.next;
  } while (address !== undefined && missing.size > 0 && isCurrent());
}
