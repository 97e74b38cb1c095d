import type { Order, OrderUpdate } from '../../../../../client/index.ts';
import { short, statusWord } from '../../parts/wording.ts';
import { type Animal, shownStatus } from '../cache/animal.ts';
import { isRefusal, statusOf } from '../connection.ts';
import type { Shop } from '../shop.ts';
import { done, failed, type Result, type Undo } from './act.ts';

type Closing = NonNullable<OrderUpdate['status']>;

export const placesOf = ({ id, petId }: Pick<Order, 'id' | 'petId'>) =>
  [`order-${id}`, `animal-${petId}`] as const;

export const nameOf = (shop: Shop, petId: bigint): string =>
  short(shop.cache.animals.peek(petId)?.name ?? `animal ${petId}`);

/** The order that waits for an animal now; undefined if there is none. */
export async function openOrder(shop: Shop, petId: bigint): Promise<Order | undefined> {
  const known = shop.cache.reservationOf(petId);
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

export interface CloseOptions {
  readonly undo: Undo;
  /** An earlier attempt may have closed it. */
  readonly isRetry: boolean;
}

/** Closes an order. */
export async function close(
  shop: Shop,
  order: Order,
  status: Closing,
  { undo, isRetry }: CloseOptions,
): Promise<Result> {
  try {
    const changed = await shop.api.write((client, options) =>
      client.updateOrder(order.id, { status }, options),
    );
    show(shop, changed, status === 'completed' ? 'sold' : 'available');
    return closed(shop, changed, undo);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (isRetry) return wasClosed(shop, order, status, undo);
    await Promise.all([shop.orders.load(order.id), shop.animals.lookUp([order.petId])]);
    return failed(() => `${NOT[status]}: ${whyNot(shop, order)}`);
  }
}

const NOT = { completed: 'Not sold', cancelled: 'Not cancelled', returned: 'Not taken back' } as const;

function whyNot(shop: Shop, { id, petId, status }: Order): string {
  const word = wordOf(shop, petId);
  const now = shop.cache.orders.get(id)?.status;
  if (now === status) return `it is ${word}`;
  return now === 'cancelled'
    ? `the reservation was cancelled elsewhere; the animal is ${word}`
    : `it is ${word} already`;
}

export const closed = (shop: Shop, { petId, status }: Order, undo?: Undo): Result =>
  done(`${nameOf(shop, petId)} is ${status === 'completed' ? 'sold' : 'available again'}.`, undo);

/** Finds out whether this key has closed an order, where the answer was lost: another till may have. */
export async function wasClosed(shop: Shop, order: Order, status: Closing, undo: Undo): Promise<Result> {
  const [now] = await Promise.all([shop.orders.load(order.id), shop.animals.lookUp([order.petId])]);
  if (now?.status !== status) return failed(() => `${NOT[status]}: ${whyNot(shop, order)}`);
  // Without events nobody can tell whose change it was, and so nobody may take it back here.
  if (!shop.api.may('events:read')) return closed(shop, now);
  await shop.events.ofAnimal(order.petId);
  const isOurs = shop.cache.latestEvent(`order.${status}`, order.id)?.keyId === shop.api.key.id;
  return isOurs ? closed(shop, now, undo) : failed(() => `${NOT[status]}: ${whyNot(shop, order)}`);
}

/** Shows the order as it is now, and its animal as that leaves it. */
function show(shop: Shop, order: Order, status: Animal['status']): void {
  shop.cache.orders.change(order);
  const animal = shop.cache.animals.peek(order.petId);
  if (animal) shop.cache.animals.change({ ...animal, status });
}

/** Why an animal could not be reserved or sold. Its status may change again while that is shown: a sale reserves for a moment. */
export async function refusal(shop: Shop, petId: bigint, wanted: 'reserved' | 'sold'): Promise<Result> {
  await shop.animals.lookUp([petId]);
  return failed(() => {
    const word = wordOf(shop, petId);
    const why = word === 'available' ? 'someone else has reserved it for a moment' : `it is ${word} already`;
    return `Not ${wanted}: ${why}`;
  });
}

export function wordOf(shop: Shop, petId: bigint): string {
  const animal = shop.cache.animals.get(petId);
  return animal ? statusWord(shownStatus(animal)).toLowerCase() : 'removed';
}
