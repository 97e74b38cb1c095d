import { computed, signal } from '@preact/signals';
import type { PetStatus } from '../../../client/index.ts';
import { isPartText } from '../../../contract/folded-text.ts';
import { SEARCH_TEXT } from '../../../contract/name-key.ts';
import type { Permission } from './data/api.ts';
import { boundsOf, type Day, isDay, now, type Period, periodFrom, periodText } from './data/calendar.ts';
import type { Screen } from './data/shop.ts';
import { isInt64 } from './data/text.ts';

export const tabs = ['available', 'pending', 'sold', 'all', 'removed'] as const;
export type Tab = (typeof tabs)[number];

/** What the page shows. Each route has an address of its own, in the fragment, which is never sent to a server. */
export type Route = (
  | {
      readonly view: 'animals';
      readonly tab: Tab;
      readonly category?: bigint | undefined;
      /** Words of the name, or an id. */
      readonly text: string;
      /** Only animals whose status no order explains. */
      readonly withoutOrder?: boolean | undefined;
    }
  | {
      readonly view: 'orders';
      /** The period of the sales. */
      readonly period: Period;
    }
  | { readonly view: 'activity'; readonly keyId?: string | undefined; readonly day?: Day | undefined }
  | { readonly view: 'categories' | 'keys' }
) & {
  /** The animal in the panel over the list. */
  readonly animal?: bigint | undefined;
};

export type View = Route['view'];
export type RouteOf<V extends View> = Extract<Route, { readonly view: V }>;

export const ANIMALS = { view: 'animals', tab: 'available', text: '' } as const satisfies Route;
export const ORDERS = { view: 'orders', period: 'today' } as const satisfies Route;
export const ACTIVITY = { view: 'activity' } as const satisfies Route;
export const CATEGORIES = { view: 'categories' } as const satisfies Route;
export const KEYS = { view: 'keys' } as const satisfies Route;

const ID = /^-?\d{1,19}$/;
const KEY_ID = /^[\w.-]{1,64}$/;

/** The route of an address. Invalid parts are left out. */
export function parseRoute(fragment: string): Route {
  const [, path = '', query = ''] = /^#\/(\w*)\??(.*)$/.exec(fragment) ?? [];
  const given = new URLSearchParams(query);
  const animal = int64(given.get('animal'));
  switch (path) {
    case 'orders':
      return { view: path, period: periodFrom(given.get('sold') ?? '') ?? ORDERS.period, animal };
    case 'activity': {
      const day = given.get('day') ?? '';
      const keyId = KEY_ID.test(given.get('by') ?? '') ? (given.get('by') ?? undefined) : undefined;
      return { view: path, keyId, day: isDay(day) ? day : undefined, animal };
    }
    case 'categories':
    case 'keys':
      return { view: path, animal };
    default: {
      const tab = tabs.find((one) => one === given.get('status')) ?? ANIMALS.tab;
      const withoutOrder = (tab === 'pending' && given.get('order') === 'none') || undefined;
      // A removed animal is in no category.
      const category = tab === 'removed' ? undefined : int64(given.get('category'));
      return { view: 'animals', tab, category, text: searchText(given), withoutOrder, animal };
    }
  }
}

function int64(text: string | null): bigint | undefined {
  if (text === null || !ID.test(text)) return undefined;
  const id = BigInt(text);
  return isInt64(id) ? id : undefined;
}

/** A text of accents alone is not a search: while it is typed, the letter may be missing. */
function searchText(given: URLSearchParams): string {
  const text = (given.get('name') ?? '').slice(0, SEARCH_TEXT.maxLength);
  return isPartText(text) ? text : '';
}

export function routeHref(to: Route): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fieldsOf(to)))
    if (value !== undefined && value !== '') query.set(name, `${value}`);
  const text = `${query}`;
  return `#/${to.view}${text && `?${text}`}`;
}

function fieldsOf(to: Route): Record<string, string | bigint | undefined> {
  const { animal } = to;
  switch (to.view) {
    case 'animals': {
      const status = to.tab === ANIMALS.tab ? undefined : to.tab;
      const order = to.withoutOrder ? 'none' : undefined;
      return { status, order, category: to.category, name: to.text, animal };
    }
    case 'orders':
      return { sold: to.period === ORDERS.period ? undefined : periodText(to.period), animal };
    case 'activity':
      return { by: to.keyId, day: to.day, animal };
    default:
      return { animal };
  }
}

/** What has to be loaded for a route. */
export function screenOf(to: Route): Screen {
  switch (to.view) {
    case 'animals': {
      const { tab, category, withoutOrder } = to;
      const text = to.text || undefined;
      const status: PetStatus | undefined = tab === 'all' || tab === 'removed' ? undefined : tab;
      const query = tab === 'removed' ? { removed: true, text } : { status, category, text, withoutOrder };
      return { of: 'animals', query };
    }
    case 'orders':
      return { of: 'orders', sold: boundsOf(to.period, now.peek()) };
    case 'activity': {
      const { day, keyId } = to;
      const happened = day === undefined ? undefined : boundsOf({ from: day, to: day });
      return { of: 'activity', query: { keyId, happened } };
    }
    default:
      return { of: to.view };
  }
}

/** What a key must allow to open a view. */
export const neededFor: Readonly<Record<View, Permission>> = {
  animals: 'pets:read',
  categories: 'pets:read',
  orders: 'store:read',
  activity: 'events:read',
  keys: 'keys:read',
};

/* The address of the page. */

/** The page. In Node there is none. */
const { location, history } = globalThis as unknown as {
  readonly location?: { readonly hash: string };
  readonly history: { readonly state: unknown; replaceState(state: unknown, title: '', url: string): void };
};

const hash = signal(understoodHash());

export const route = computed(() => parseRoute(hash.value));
/** The address of the list alone: the panel over it does not change it. */
export const listAddress = computed(() => routeHref({ ...route.value, animal: undefined }));

/** The address of the panel of an animal, over the present list. It changes with the list and not with the panel that is open. */
export function animalHref(animal: bigint): string {
  void listAddress.value;
  return routeHref({ ...route.peek(), animal });
}

/** Changes the address without a new entry in the history, as for every letter typed into the search box. */
export function replaceRoute(to: Route): void {
  history.replaceState(history.state, '', routeHref(to));
  readAddress();
}

/** Takes over the address that a link, Back or Forward has led to. */
export function readAddress(): void {
  hash.value = understoodHash();
}

/** The hash of the address. Removes its invalid parts, so that the address says what is shown. */
function understoodHash(): string {
  if (!location) return '';
  if (location.hash !== '') {
    const understood = routeHref(parseRoute(location.hash));
    if (understood !== location.hash) history.replaceState(history.state, '', understood);
  }
  return location.hash;
}

/** Whether the browser is already at another entry of its history than the page. */
export const isBehindBrowser = (): boolean => hash.peek() !== location?.hash;
