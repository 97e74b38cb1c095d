import { type NewEvent, orderEvent } from '../event.ts';
import {
  type NewOrder,
  type Order,
  type OrderUpdate,
  orderClosed,
  orderNotCompleted,
  orderNotFound,
  petNotAvailable,
  petNotSold,
  petStatusUnder,
} from '../order.ts';
import { type Pet, petNotFound } from '../pet.ts';
import type { OrdersOfPet } from './pets.ts';

/** An order for an animal that is available, and the animal as the order leaves it. The order gets its id when it is stored. */
export function placeOrder(
  pet: Pet | undefined,
  { petId, note }: NewOrder,
  at: string,
): { readonly order: Omit<Order, 'id'>; readonly pet: Pet } {
  if (!pet) throw petNotFound();
  if (pet.status !== 'available') throw petNotAvailable();
  const order = {
    petId,
    status: 'placed' as const,
    ...(note !== undefined && { note }),
    createdAt: at,
    updatedAt: at,
  };
  return { order, pet: { ...pet, status: petStatusUnder.placed } };
}

export interface OrderChange {
  readonly order: Order;
  /** The animal as the change leaves it; undefined if the animal stays as it is. */
  readonly pet?: Pet | undefined;
  /** Undefined if nothing has changed. */
  readonly event?: NewEvent;
}

/** Changes the status of an order, its note, or both. The note can change at any time. */
export function changeOrder(
  found: Order | undefined,
  pet: Pet | undefined,
  orders: OrdersOfPet,
  { status, note: given }: OrderUpdate,
  at: string,
): OrderChange {
  if (!found) throw orderNotFound();
  const { note: oldNote, ...rest } = found;
  const note = given === undefined ? oldNote : (given ?? undefined);
  // The clock may have been set back.
  const updatedAt = at > found.createdAt ? at : found.createdAt;
  const noted = { ...rest, ...(note !== undefined && { note }), updatedAt };
  if (status === undefined) {
    if (note === oldNote) return { order: found };
    return { order: noted, event: orderEvent('order.updated', noted, pet, found) };
  }
  assertMayBecome(status, found, pet, orders);
  const order = { ...noted, status, ...(status === 'completed' && { completedAt: updatedAt }) };
  const changed = pet && { ...pet, status: petStatusUnder[status] };
  return { order, pet: changed, event: orderEvent(`order.${status}`, order, changed, found) };
}

/**
 * An order that is placed can be completed or cancelled, and one that is completed can be returned: only the latest of an animal that is still
 * sold, because otherwise the animal has changed since.
 */
function assertMayBecome(
  status: NonNullable<OrderUpdate['status']>,
  order: Order,
  pet: Pet | undefined,
  { sale }: OrdersOfPet,
): void {
  if (status !== 'returned') {
    if (order.status !== 'placed') throw orderClosed();
    return;
  }
  if (order.status === 'placed') throw orderNotCompleted();
  if (order.status !== 'completed') throw orderClosed();
  if (pet?.status !== 'sold' || sale?.id !== order.id) throw petNotSold();
}
