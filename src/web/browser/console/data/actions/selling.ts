import type {
  AnimalStore,
  ChangeOptions,
  NewOrder,
  Order,
  OrderStatus,
} from '../../../../../client/index.ts';
import { short, statusWord } from '../../parts/wording.ts';
import { type Animal, shownStatus } from '../cache/animal.ts';
import { statusOf } from '../connection.ts';
import type { Shop } from '../shop.ts';
import { act, done, failed } from './act.ts';

/** What an order makes of its animal. */
const ANIMAL_STATUS = {
  placed: 'pending',
  completed: 'sold',
  cancelled: 'available',
  returned: 'available',
} as const satisfies Record<OrderStatus, Animal['status']>;

/** One request about an order, in words. */
interface Change {
  readonly busy: string;
  /** What to say when it is refused. */
  readonly not: string;
  /** `the sale`. */
  readonly what: string;
  /** The status that takes it back. */
  readonly undo?: OrderStatus;
}

const RESERVATION: Change = {
  busy: 'Reserving…',
  not: 'Not reserved',
  what: 'the reservation',
  undo: 'cancelled',
};
const SALE: Change = { busy: 'Selling…', not: 'Not sold', what: 'the sale', undo: 'cancelled' };
const RETURN: Change = { busy: 'Taking back…', not: 'Not taken back', what: 'the return', undo: 'completed' };
const CANCELLATION: Change = {
  busy: 'Cancelling…',
  not: 'Not cancelled',
  what: 'the cancellation of the reservation',
  undo: 'placed',
};

/** Reserves an available animal. */
export const reserve = (shop: Shop, { id: petId }: Animal, note?: string): Promise<boolean> =>
  create(shop, { petId, note }, RESERVATION);

/** Sells an animal: the order that waits for it is completed, or it is sold over the counter. */
export function sell(shop: Shop, { id: petId, status }: Animal, note?: string): Promise<boolean> {
  const waiting = status === 'pending' ? shop.cache.reservationOf(petId) : undefined;
  return waiting ? sellReserved(shop, waiting) : create(shop, { petId, note, status: 'completed' }, SALE);
}

/** Sells the animal of a reservation. Undone, the reservation is as it was. */
export const sellReserved = (shop: Shop, order: Order): Promise<boolean> =>
  setStatus(shop, order, 'completed', { ...SALE, undo: 'placed' });

/** Cancels a reservation. */
export const cancel = (shop: Shop, order: Order): Promise<boolean> =>
  setStatus(shop, order, 'cancelled', CANCELLATION);

/** Takes an animal back that was sold, on any day. It is available again. */
export const returnSale = (shop: Shop, order: Order): Promise<boolean> =>
  setStatus(shop, order, 'returned', RETURN);

const create = (shop: Shop, order: NewOrder & { petId: bigint }, change: Change): Promise<boolean> =>
  send(shop, order, change, async (client, options) => {
    const created = await client.createOrder(order, options);
    shop.notes.forget(order.petId);
    return created;
  });

/** Only if the order is still what the person has seen: what another till has made of it is not undone. */
function setStatus(shop: Shop, order: Order, status: OrderStatus, change: Change): Promise<boolean> {
  const update = { status, from: order.status };
  return send(shop, order, change, (client, options) => client.updateOrder(order.id, update, options));
}

function send(
  shop: Shop,
  { petId, id }: { readonly petId: bigint; readonly id?: bigint },
  { busy, not, what, undo }: Change,
  request: (client: AnimalStore, options: ChangeOptions) => Promise<Order>,
): Promise<boolean> {
  const whatOf = `${what} of ${nameOf(shop, petId)}`;
  return act(shop, {
    place: `animal-${petId}`,
    busy,
    what: whatOf,
    run: async (key) => {
      try {
        const order = await shop.api.write(request, key);
        show(shop, order);
        const undoing = { busy: 'Undoing…', not: 'Not undone', what: `undoing ${what}` };
        return done(
          `${nameOf(shop, petId)} is ${statusWord(ANIMAL_STATUS[order.status]).toLowerCase()}.`,
          undo && { what: whatOf, run: () => setStatus(shop, order, undo, undoing) },
        );
      } catch (error) {
        if (![404, 409].includes(statusOf(error))) throw error;
        const reads = [id !== undefined && shop.orders.load(id), shop.animals.lookUp([petId])];
        await Promise.all(reads).catch(() => Promise.reject(error));
        return failed(`${not}: it is ${wordOf(shop, petId)}`);
      }
    },
  });
}

/** Shows the order as it is now, and its animal as that leaves it. */
function show({ cache }: Shop, order: Order): void {
  // A request that was sent again has the answer of the first one: what is known may be newer.
  if ((cache.orders.peek(order.id)?.updatedAt ?? '') > order.updatedAt) return;
  cache.orders.change(order);
  const animal = cache.animals.peek(order.petId);
  if (animal) cache.animals.change({ ...animal, status: ANIMAL_STATUS[order.status] });
}

/** What someone else has made of an animal. */
function wordOf(shop: Shop, petId: bigint): string {
  const animal = shop.cache.animals.peek(petId);
  const status = animal ? shownStatus(animal) : 'removed';
  return status === 'available' ? 'available again' : `${statusWord(status).toLowerCase()} already`;
}

export const nameOf = (shop: Shop, petId: bigint): string =>
  short(shop.cache.animals.peek(petId)?.name ?? `animal ${petId}`);
