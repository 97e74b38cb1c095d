import { type NewEvent, petEvent } from '../event.ts';
import type { Order } from '../order.ts';
import {
  type Pet,
  type PetUpdate,
  petHasOpenOrder,
  petJson,
  petNotFound,
  petNotRemoved,
  petSoldByOrder,
  type RemovedPet,
} from '../pet.ts';
import { assertMayChange, entityTag, type Precondition } from '../precondition.ts';

/** The orders of an animal that decide what may happen to it. */
export interface OrdersOfPet {
  /** The one that is placed. */
  readonly open: Pick<Order, 'id'> | undefined;
  /** The latest completed one: if the animal is sold, this order has sold it. */
  readonly sale: Pick<Order, 'id'> | undefined;
}

interface PetChange {
  readonly pet: Pet;
  /** Undefined if nothing has changed. */
  readonly event?: NewEvent;
}

/** Throws unless there is such an animal, as the precondition demands it. */
function existing(pet: Pet | undefined, precondition: Precondition | undefined): Pet {
  if (!pet) throw petNotFound();
  if (precondition) assertMayChange(precondition, entityTag(petJson(pet)));
  return pet;
}

/** The status of an animal that is ordered, or was sold by an order, belongs to that order. */
export function updatePet(
  found: Pet | undefined,
  changes: PetUpdate,
  orders: OrdersOfPet,
  precondition?: Precondition,
): PetChange {
  const old = existing(found, precondition);
  const changed = Object.entries(changes).filter(
    ([field, value]) => value !== undefined && value !== old[field as keyof Pet],
  );
  if (changed.length === 0) return { pet: old };
  const pet: Pet = { ...old, ...Object.fromEntries(changed) };
  if (pet.status !== old.status) {
    if (orders.open) throw petHasOpenOrder();
    if (old.status === 'sold' && orders.sale) throw petSoldByOrder(orders.sale.id);
  }
  return { pet, event: petEvent('pet.updated', pet, old) };
}

/** When and why an animal is removed. */
interface Removal {
  readonly at: string;
  readonly reason?: string | undefined;
}

export function removePet(
  found: Pet | undefined,
  orders: OrdersOfPet,
  { at, reason }: Removal,
  precondition?: Precondition,
): { readonly pet: RemovedPet; readonly event: NewEvent } {
  const old = existing(found, precondition);
  if (orders.open) throw petHasOpenOrder();
  const pet = { ...old, removedAt: at, ...(reason !== undefined && { reason }) };
  return { pet, event: petEvent('pet.removed', pet) };
}

export function restorePet(found: Pet | undefined, removed: RemovedPet | undefined): Required<PetChange> {
  if (found) throw petNotRemoved();
  if (!removed) throw petNotFound();
  const { removedAt: _at, reason: _reason, ...pet } = removed;
  return { pet, event: petEvent('pet.restored', pet) };
}
