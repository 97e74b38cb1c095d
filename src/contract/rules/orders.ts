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
  /** The animal as the change leaves it. */
  readonly pet: Pet | undefined;
  readonly event: NewEvent;
}

/**
 * Completes or cancels an order that is placed, or returns one that is completed: only the latest of an animal that is still sold, because
 * otherwise the animal has changed since.
 */
export function changeOrder(
  found: Order | undefined,
  pet: Pet | undefined,
  { sale }: OrdersOfPet,
  { status }: OrderUpdate,
  at: string,
): OrderChange {
  if (!found) throw orderNotFound();
  if (status === 'returned') {
    if (found.status === 'placed') throw orderNotCompleted();
    if (found.status !== 'completed') throw orderClosed();
    if (pet?.status !== 'sold' || sale?.id !== found.id) throw petNotSold();
  } else if (found.status !== 'placed') throw orderClosed();
  // The clock may have been set back.
  const order = { ...found, status, updatedAt: at > found.createdAt ? at : found.createdAt };
  const changed = pet && { ...pet, status: petStatusUnder[status] };
  return { order, pet: changed, event: orderEvent(`order.${status}`, order, changed) };
}
