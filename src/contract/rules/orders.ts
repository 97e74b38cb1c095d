import { type NewEvent, orderEvent } from '../event.ts';
import {
  type NewOrder,
  type Order,
  OrderStatus,
  type OrderUpdate,
  orderChanged,
  orderClosed,
  orderNotCompleted,
  orderNotFound,
  petNotAvailable,
  petNotSold,
  petStatusUnder,
} from '../order.ts';
import { type Pet, petNotFound } from '../pet.ts';
import { either } from '../validate.ts';
import type { OrdersOfPet } from './pets.ts';

/** What must be true of the animal before the status of its order changes. Otherwise it belongs to another order, or to none. */
type Condition = 'any' | 'available' | 'sold by it';

/**
 * What the status of an order can become, and what its animal must be for that. Together with `petStatusUnder` it guarantees that no animal is
 * sold twice: an order takes an animal only if it is available, and gives up only the one that it has.
 */
export const transitions: Readonly<Record<OrderStatus, Readonly<Partial<Record<OrderStatus, Condition>>>>> = {
  placed: { completed: 'any', cancelled: 'any' },
  completed: { returned: 'sold by it', placed: 'sold by it', cancelled: 'sold by it' },
  cancelled: { placed: 'available' },
  returned: { completed: 'available' },
};

/** What an order with this status can become, for a sentence: `completed or cancelled`. */
export const possibleAfter = (status: OrderStatus, mark = ''): string =>
  either(Object.keys(transitions[status]).map((name) => mark + name + mark));

/** All transitions, for the description of the API. */
export const TRANSITIONS_TEXT = OrderStatus.pipe[0].options
  .map((status) => `a \`${status}\` order can become ${possibleAfter(status, '`')}`)
  .join('; ');

/** When a change is made, and the name of the API key that makes it. */
interface Stamp {
  readonly at: string;
  readonly by?: string | undefined;
}

/** An order for an animal that is available, and the animal as the order leaves it. The order gets its id when it is stored. */
export function createOrder(
  pet: Pet | undefined,
  { petId, note, status = 'placed' }: NewOrder,
  { at, by }: Stamp,
): { readonly order: Omit<Order, 'id'>; readonly pet: Pet } {
  if (!pet) throw petNotFound();
  if (pet.status !== 'available') throw petNotAvailable();
  const order = {
    petId,
    status,
    ...(note !== undefined && { note }),
    createdAt: at,
    createdBy: by,
    updatedAt: at,
    ...(status === 'completed' && { completedAt: at, completedBy: by }),
  };
  return { order, pet: { ...pet, status: petStatusUnder[status] } };
}

interface OrderChange {
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
  { status, from, note: given }: OrderUpdate,
  { at, by }: Stamp,
): OrderChange {
  if (!found) throw orderNotFound();
  if (from !== undefined && from !== found.status)
    throw orderChanged(found.status, from, possibleAfter(found.status));
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
  const order = { ...withSale(noted, status, { at: updatedAt, by }), status };
  const changed = pet && { ...pet, status: petStatusUnder[status] };
  return { order, pet: changed, event: orderEvent(`order.${status}`, order, changed, found) };
}

/** The order with its sale, if it has one: a sale that was returned has happened; one that was a mistake has not. */
function withSale(order: Order, status: OrderStatus, { at, by }: Stamp): Order {
  const { completedAt, completedBy: _, ...unsold } = order;
  if (status === 'returned' || (status === 'completed' && completedAt !== undefined)) return order;
  return status === 'completed' ? { ...unsold, completedAt: at, completedBy: by } : unsold;
}

function assertMayBecome(
  status: OrderStatus,
  order: Order,
  pet: Pet | undefined,
  { sale }: OrdersOfPet,
): void {
  const condition = transitions[order.status][status];
  if (!condition) {
    const refusal = status === 'returned' && order.status === 'placed' ? orderNotCompleted : orderClosed;
    throw refusal(order.status, possibleAfter(order.status));
  }
  if (condition === 'available' && pet?.status !== 'available') throw petNotAvailable();
  if (condition === 'sold by it' && (pet?.status !== 'sold' || sale?.id !== order.id)) throw petNotSold();
}
