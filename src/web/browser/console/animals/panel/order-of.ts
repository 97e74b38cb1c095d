import type { Order } from '../../../../../client/index.ts';
import type { Animal } from '../../data/cache/animal.ts';
import { shop } from '../../session.ts';

/** The order that explains why an animal is reserved or sold, as far as it is known. */
export function orderOf({ id, status }: Animal): Order | undefined {
  const { cache } = shop();
  if (status === 'pending') return cache.reservationOf(id);
  return status === 'sold' ? cache.ordersOf(id).find((order) => order.status === 'completed') : undefined;
}

/** Whether an animal is reserved or sold, and no order explains that: it was imported, or its status was set by hand. */
export const isWithoutOrder = (animal: Animal): boolean =>
  animal.status !== 'available' && !orderOf(animal) && shop().panel.hasOrdersOf(animal.id);
