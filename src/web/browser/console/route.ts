import { computed, signal } from '@preact/signals';
import type { OrderStatus, PetStatus } from '../../../client/index.ts';
import { isPartText } from '../../../contract/folded-text.ts';
import { SEARCH_TEXT } from '../../../contract/name-key.ts';

/** What a person looks at. Each has an address of its own, in the fragment, which is never sent to a server. */
export type Route = (
  | {
      readonly view: 'animals';
      readonly status: PetStatus | undefined;
      readonly name: string;
      readonly category?: bigint | undefined;
    }
  | { readonly view: (typeof PLAIN_VIEWS)[number]; readonly status?: undefined }
  | {
      readonly view: 'orders';
      readonly status: OrderStatus | undefined;
      /** Finds orders by a part of their note or of the name of their animal, or by an id. */
      readonly name: string;
      /** Only the orders of this animal. */
      readonly of?: bigint | undefined;
    }
) & {
  /** The animal in the panel over the list. */
  readonly animal?: bigint | undefined;
};

export const ANIMALS: Route = { view: 'animals', status: undefined, name: '' };
export const CATEGORIES: Route = { view: 'categories' };
export const REMOVED: Route = { view: 'removed' };
export const ACTIVITY: Route = { view: 'activity' };
export const KEYS: Route = { view: 'keys' };
export const MORE: Route = { view: 'more' };
export const ORDERS: Route = { view: 'orders', status: undefined, name: '' };
export const petStatuses = ['available', 'pending', 'sold'] as const satisfies PetStatus[];
export const orderStatuses = [
  'placed',
  'completed',
  'cancelled',
  'returned',
] as const satisfies OrderStatus[];

/** Views that are shown in one way only. */
const PLAIN_VIEWS = ['removed', 'categories', 'activity', 'keys', 'more'] as const;
const ID = /^-?\d{1,19}$/;

const hash = signal(location.hash);

export const route = computed(() => parseRoute(hash.value));
/** The address of the list alone: the panel over it does not change it. */
export const listAddress = computed(() => routeHref({ ...route.value, animal: undefined }));

export function parseRoute(fragment: string): Route {
  const [, path = '', query = ''] = /^#\/(\w*)\??(.*)$/.exec(fragment) ?? [];
  const given = new URLSearchParams(query);
  const oneOf = <T extends string>(known: readonly T[]) => known.find((one) => one === given.get('status'));
  const idOf = (field: string) =>
    ID.test(given.get(field) ?? '') ? BigInt(given.get(field) ?? 0) : undefined;
  const animal = idOf('animal');
  const plain = PLAIN_VIEWS.find((view) => view === path);
  if (plain) return { view: plain, animal };
  const text = (given.get('name') ?? '').slice(0, SEARCH_TEXT.maxLength);
  // While an accent is typed, its letter may be still to come.
  const name = isPartText(text) ? text : '';
  if (path === 'orders')
    return { view: 'orders', status: oneOf(orderStatuses), name, of: idOf('of'), animal };
  return { view: 'animals', status: oneOf(petStatuses), name, category: idOf('category'), animal };
}

export function routeHref(to: Route): string {
  const query = new URLSearchParams();
  if (to.status !== undefined) query.set('status', to.status);
  if ((to.view === 'animals' || to.view === 'orders') && to.name !== '') query.set('name', to.name);
  if (to.view === 'orders' && to.of !== undefined) query.set('of', `${to.of}`);
  if (to.view === 'animals' && to.category !== undefined) query.set('category', `${to.category}`);
  if (to.animal !== undefined) query.set('animal', `${to.animal}`);
  const text = `${query}`;
  return `#/${to.view}${text && `?${text}`}`;
}

/** The address of every order of an animal. */
export const ordersHref = (of: bigint): string =>
  routeHref({ view: 'orders', status: undefined, name: '', of });

/** The address of the panel of an animal, over the present list. */
export const animalHref = (animal: bigint): string => routeHref({ ...route.value, animal });

/** Changes the address without a new entry in the history, as for every letter typed into the search box. */
export function replaceRoute(to: Route): void {
  history.replaceState(history.state, '', routeHref(to));
  readAddress();
}

export function readAddress(): void {
  hash.value = location.hash;
}
