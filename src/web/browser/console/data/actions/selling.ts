import { randomId } from '../../../../../client/call.ts';
import type { Order } from '../../../../../client/index.ts';
import { short } from '../../parts/wording.ts';
import type { Animal } from '../cache/animal.ts';
import type { Shop } from '../shop.ts';
import { act, done, failed, type Result, type Undo } from './act.ts';
import { setStatus } from './corrections.ts';
import {
  close,
  closed,
  nameOf,
  openOrder,
  place,
  placesOf,
  refusal,
  wasClosed,
  wordOf,
} from './order-changes.ts';

/** What an animal was before it was sold: reserved by an order, or a status of its own. */
type Before = Animal['status'] | 'ordered';

/** Reserves an available animal. */
export function reserve(shop: Shop, { id, name }: Animal, note?: string): Promise<boolean> {
  const placing = { note, idempotencyKey: randomId() };
  const run = async (): Promise<Result> => {
    const order = await place(shop, id, placing);
    if (order?.status !== 'placed') return refusal(shop, id, 'reserved');
    shop.notes.forget(id);
    return done(`${short(name)} is reserved.`, undoReservation(shop, order));
  };
  return act(shop, {
    places: [`animal-${id}`],
    busy: 'Reserving…',
    what: `the reservation of ${short(name)}`,
    run,
    wasDone: async () => {
      const [open] = await shop.orders.loadOf(id, { status: 'placed', limit: 1 });
      await shop.animals.lookUp([id]);
      // Whether it is ours, the same request tells.
      return open ? run() : failed('Not reserved.');
    },
  });
}

/**
 * Sells an animal: completes the order that waits for it, or places and completes one. An animal that is reserved without an order becomes
 * available first, so that its sale is among the others.
 */
export async function sell(shop: Shop, animal: Animal, note?: string): Promise<boolean> {
  const waiting = animal.status === 'pending' ? shop.cache.reservationOf(animal.id) : undefined;
  return waiting ? sellReserved(shop, waiting) : sellWithoutOrder(shop, animal, note);
}

function sellWithoutOrder(shop: Shop, animal: Animal, note: string | undefined): Promise<boolean> {
  const { id, name, status } = animal;
  const placing = { note, idempotencyKey: randomId() };
  const finish = async (order: Order | undefined, isRetry: boolean, before: Before): Promise<Result> => {
    const undo = order && undoSale(shop, order, before);
    if (undo && order.status === 'placed') return close(shop, order, 'completed', { undo, isRetry });
    return order?.status === 'completed' ? closed(shop, order, undo) : refusal(shop, id, 'sold');
  };
  return act(shop, {
    places: [`animal-${id}`],
    busy: 'Selling…',
    what: `the sale of ${short(name)}`,
    run: async (isRetry) => {
      const open = status === 'pending' ? await openOrder(shop, id) : undefined;
      if (status === 'pending' && !open && !(await setStatus(shop, animal, 'available')))
        return refusal(shop, id, 'sold');
      const order = open ?? (await place(shop, id, placing));
      const result = await finish(order, isRetry, open ? 'ordered' : status);
      if (result.outcome.kind === 'done') shop.notes.forget(id);
      return result;
    },
    wasDone: async () => {
      await shop.animals.lookUp([id]);
      if (wordOf(shop, id) === 'available') return failed('Not sold: it is available.');
      // The same request again is answered with our order, if there is one.
      const ours = await place(shop, id, placing);
      if (ours?.status === 'placed') return failed('Reserved, and not sold yet: the sale was interrupted.');
      return finish(ours, true, 'available');
    },
  });
}

/** Sells the animal of a reservation. */
export function sellReserved(shop: Shop, order: Order): Promise<boolean> {
  const undo = undoSale(shop, order, 'ordered');
  return act(shop, {
    places: placesOf(order),
    busy: 'Selling…',
    what: undo.what,
    run: (isRetry) => close(shop, order, 'completed', { undo, isRetry }),
    wasDone: () => wasClosed(shop, order, 'completed', undo),
  });
}

const undoSale = (shop: Shop, order: Order, before: Before): Undo => ({
  what: `the sale of ${nameOf(shop, order.petId)}`,
  run: () => takeBack(shop, order, before, 'Undoing…'),
});

/** Cancels a reservation. */
export const cancel = (shop: Shop, order: Order): Promise<boolean> => cancelAs(shop, order, 'Cancelling…');

function cancelAs(shop: Shop, order: Order, busy: string): Promise<boolean> {
  const what = `the cancellation of the reservation of ${nameOf(shop, order.petId)}`;
  const undo: Undo = {
    what,
    run: async () => {
      const animal = shop.cache.animals.peek(order.petId);
      const isReserved = animal !== undefined && (await reserve(shop, animal, order.note));
      const again = isReserved ? shop.cache.reservationOf(order.petId) : undefined;
      if (again) shop.reservedList.replace(order.id, again);
      return isReserved;
    },
  };
  return act(shop, {
    places: placesOf(order),
    busy,
    what,
    run: (isRetry) => close(shop, order, 'cancelled', { undo, isRetry }),
    wasDone: () => wasClosed(shop, order, 'cancelled', undo),
  });
}

const undoReservation = (shop: Shop, order: Order): Undo => ({
  what: `the reservation of ${nameOf(shop, order.petId)}`,
  run: () => cancelAs(shop, order, 'Undoing…'),
});

/** Takes an animal back that was sold, on any day. It is available again. */
export const returnSale = (shop: Shop, order: Order): Promise<boolean> =>
  takeBack(shop, order, 'available', 'Taking back…');

/** Returns a sold animal, and makes it what it was before. A reservation comes back with its note. */
function takeBack(shop: Shop, order: Order, before: Before, busy: string): Promise<boolean> {
  const { petId, note } = order;
  const idempotencyKey = randomId();
  const undo: Undo = {
    what: `the return of ${nameOf(shop, petId)}`,
    run: async () => {
      const animal = shop.cache.animals.peek(petId);
      // Never the reservation of someone else: the service refuses it unless the animal is available.
      return animal !== undefined && sellWithoutOrder(shop, { ...animal, status: 'available' }, note);
    },
  };
  const finish = async (result: Result): Promise<Result> => {
    const animal = shop.cache.animals.peek(petId);
    if (result.outcome.kind !== 'done' || !animal) return result;
    if (before === 'pending') await setStatus(shop, animal, 'pending');
    if (before !== 'ordered') return result;
    const again = await place(shop, petId, { note, idempotencyKey });
    if (again?.status !== 'placed') return result;
    shop.reservedList.replace(order.id, again);
    const sellAgain = { what: undo.what, run: () => sellReserved(shop, again) };
    return done(`${short(animal.name)} is reserved again.`, sellAgain);
  };
  return act(shop, {
    places: placesOf(order),
    busy,
    what: undo.what,
    run: async (isRetry) => finish(await close(shop, order, 'returned', { undo, isRetry })),
    wasDone: async () => finish(await wasClosed(shop, order, 'returned', undo)),
  });
}
