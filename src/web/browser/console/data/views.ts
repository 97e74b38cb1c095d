import type { EventType } from '../../../../client/index.ts';
import { addDays, startOf } from '../parts/calendar.ts';
import { boundsOf } from '../parts/period.ts';
import type { ActivityKind, Route, View } from '../route.ts';
import type { AnimalQuery } from './find/animals.ts';
import type { ActivityQuery } from './find/events.ts';
import type { OrderQuery } from './find/orders.ts';
import type { Permission } from './permissions.ts';

type RouteOf<V extends View> = Extract<Route, { readonly view: V }>;

const needed: Readonly<Record<View, Permission | undefined>> = {
  animals: 'pets:read',
  removed: 'pets:read',
  categories: 'pets:read',
  orders: 'store:read',
  activity: 'events:read',
  keys: 'keys:read',
  more: undefined,
};

/** What a key must allow to open a view. */
export const permissionFor = (view: View): Permission | undefined => needed[view];

/** The animals that an address asks for. */
export const animalQuery = (to: RouteOf<'animals' | 'removed'>): AnimalQuery => ({
  text: to.text || undefined,
  ...(to.view === 'removed' ? { removed: true } : { status: to.status, category: to.category }),
});

/** The orders that an address asks for in one list; undefined if it asks for what waits and what was sold. */
export const orderQuery = ({ text, of: petId, status }: RouteOf<'orders'>): OrderQuery | undefined =>
  text !== '' || petId !== undefined || status !== undefined
    ? { text: text || undefined, petId, status }
    : undefined;

/** The sales that an address asks for. */
export const salesQuery = ({ period }: RouteOf<'orders'>, now: Date): OrderQuery => ({
  completed: boundsOf(period, now),
});

const TYPES: Readonly<Record<ActivityKind, readonly EventType[]>> = {
  // A sale that is undone is cancelled, or reserved again.
  sales: ['order.completed', 'order.returned', 'order.placed', 'order.cancelled'],
  reservations: ['order.placed', 'order.cancelled', 'order.updated'],
  animals: ['pet.created', 'pet.updated', 'pet.removed', 'pet.restored', 'pets.imported'],
  categories: ['category.created', 'category.renamed', 'category.removed'],
};

/** The changes that an address asks for. */
export const activityQuery = ({ kind, keyId, day }: RouteOf<'activity'>): ActivityQuery => ({
  types: kind && TYPES[kind],
  sales: kind === 'sales' || kind === 'reservations' ? kind === 'sales' : undefined,
  keyId,
  happened: day === undefined ? undefined : { from: startOf(day), before: startOf(addDays(day, 1)) },
});
