import { computed, signal } from '@preact/signals';
import type { OrderStatus, PetStatus } from '../../../client/index.ts';
import { SEARCH_TEXT } from '../../../contract/name-key.ts';

/** What a person looks at. Each has an address of its own, in the fragment, which is never sent to a server. */
export type Route =
  | { readonly view: 'animals'; readonly status: PetStatus | undefined; readonly name: string }
  | { readonly view: 'orders'; readonly status: OrderStatus | undefined };

export const petStatuses = ['available', 'pending', 'sold'] as const satisfies PetStatus[];
export const orderStatuses = ['placed', 'completed', 'cancelled'] as const satisfies OrderStatus[];

const hash = signal(location.hash);
addEventListener('hashchange', () => (hash.value = location.hash));

export const route = computed(() => parseRoute(hash.value));

export function parseRoute(fragment: string): Route {
  const [, path = '', query = ''] = /^#\/(\w*)\??(.*)$/.exec(fragment) ?? [];
  const given = new URLSearchParams(query);
  const oneOf = <T extends string>(known: readonly T[]) => known.find((one) => one === given.get('status'));
  if (path === 'orders') return { view: 'orders', status: oneOf(orderStatuses) };
  return {
    view: 'animals',
    status: oneOf(petStatuses),
    name: (given.get('name') ?? '').slice(0, SEARCH_TEXT.maxLength),
  };
}

export function routeHref(to: Route): string {
  const query = new URLSearchParams();
  if (to.status !== undefined) query.set('status', to.status);
  if (to.view === 'animals' && to.name !== '') query.set('name', to.name);
  const text = `${query}`;
  return `#/${to.view}${text && `?${text}`}`;
}

/** Changes the address without a new entry in the history, as for every letter typed into the search box. */
export function replaceRoute(to: Route): void {
  history.replaceState(null, '', routeHref(to));
  hash.value = location.hash;
}
