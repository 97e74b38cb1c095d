import type { Order, OrderUpdate } from '../../../../../client/index.ts';
import { short, statusWord } from '../../parts/wording.ts';
import { isRefusal, statusOf } from '../connection.ts';
import { type Animal, shownStatus } from '../picture/animal.ts';
import type { Shop } from '../shop.ts';
import { done, failed, type Result, type Undo } from './act.ts';

type Closing = NonNullable<OrderUpdate['status']>;

export const placesOf = ({ id, petId }: Pick<Order, 'id' | 'petId'>) =>
  [`order-${id}`, `animal-${petId}`] as const;

export const nameOf = (shop: Shop, petId: bigint): string =>
  short(shop.picture.animals.peek(petId)?.name ?? `animal ${petId}`);

/** The order that waits for an animal now; undefined if there is none. */
export async function openOrder(shop: Shop, petId: bigint): Promise<Order | undefined> {
  const known = shop.picture.reservationOf(petId);
  return known ?? (await shop.orders.loadOf(petId, { status: 'placed', limit: 1 }))[0];
}

export interface Placing {
  readonly note?: string | undefined;
  /** The same for every attempt: trying again never orders twice. */
  readonly idempotencyKey: string;
}

/** Our order for an animal, as it is now; undefined when another buyer was faster. An earlier attempt may have closed it already. */
export async function place(
  shop: Shop,
  petId: bigint,
  { note, idempotencyKey }: Placing,
): Promise<Order | undefined> {
  const wanted = { petId, ...(note && { note }) };
  const request = shop.api.write((client, options) =>
    client.createOrder(wanted, { ...options, idempotencyKey }),
  );
  const order = await request.catch((error) => {
    if (statusOf(error) === 409) return undefined;
    throw error;
  });
  if (!order) return undefined;
  show(shop, order, 'pending');
  // The answer to a repeated request is that of the first one.
  const now = await shop.orders.load(order.id);
  if (now?.status !== 'placed') await shop.animals.lookUp([petId]);
  return now;
}

/** Closes an order. */
export async function close(shop: Shop, order: Order, status: Closing, undo?: Undo): Promise<Result> {
  try {
    const changed = await shop.api.write((client, options) =>
      client.updateOrder(order.id, { status }, options),
    );
    show(shop, changed, status === 'completed' ? 'sold' : 'available');
    return closed(shop, changed, undo);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const now = await shop.orders.load(order.id);
    await shop.animals.lookUp([order.petId]);
    // Ours after all, if it has this status: an earlier attempt whose answer was lost has done it.
    if (now?.status === status) return closed(shop, now, undo);
    return failed(() => `${NOT[status]}: ${whyNot(shop, order)}`);
  }
}

const NOT = { completed: 'Not sold', cancelled: 'Not cancelled', returned: 'Not taken back' } as const;

function whyNot(shop: Shop, { id, petId }: Order): string {
  const animal = shop.picture.animals.get(petId);
  if (animal?.removed) return 'the animal was removed';
  const isCancelled = shop.picture.orders.get(id)?.status === 'cancelled';
  return isCancelled
    ? `the reservation was cancelled elsewhere; the animal is ${wordOf(shop, petId)}`
    : `it is ${wordOf(shop, petId)} already`;
}

export const closed = (shop: Shop, { petId, status }: Order, undo?: Undo): Result =>
  done(`${nameOf(shop, petId)} is ${status === 'completed' ? 'sold' : 'available again'}.`, undo);

/** Finds out whether an order was closed, where the answer was lost. */
export async function wasClosed(shop: Shop, order: Order, status: Closing, undo?: Undo): Promise<Result> {
  const now = await shop.orders.load(order.id);
  await shop.animals.lookUp([order.petId]);
  return now?.status === status ? closed(shop, now, undo) : failed(`${NOT[status]}.`);
}

/** Shows the order as it is now, and its animal as that leaves it. */
function show(shop: Shop, order: Order, status: Animal['status']): void {
  shop.picture.orders.change(order);
  const animal = shop.picture.animals.peek(order.petId);
  if (animal) shop.picture.animals.change({ ...animal, status });
}

/** Why an animal could not be reserved or sold. Its status may change again while that is shown: a sale reserves for a moment. */
export async function refusal(shop: Shop, petId: bigint, wanted: 'reserved' | 'sold'): Promise<Result> {
  await shop.animals.lookUp([petId]);
  return failed(() => {
    const word = wordOf(shop, petId);
    const why = word === 'available' ? 'it was reserved and cancelled meanwhile' : `it is ${word} already`;
    return `Not ${wanted}: ${why}`;
  });
}

export function wordOf(shop: Shop, petId: bigint): string {
  const animal = shop.picture.animals.get(petId);
  return animal ? statusWord(shownStatus(animal)).toLowerCase() : 'removed';
}
