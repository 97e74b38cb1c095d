import type { OrderStatus, PetStatus } from '../../../client/index.ts';
import { isPartText } from '../../../contract/folded-text.ts';
import { SEARCH_TEXT } from '../../../contract/name-key.ts';
import { type Day, isDay } from './parts/calendar.ts';
import { isInt64 } from './parts/int64.ts';
import { type Period, periodFrom, periodText } from './parts/period.ts';

/** What a person looks at. Each has an address of its own, in the fragment, which is never sent to a server. */
export type Route = (
  | {
      readonly view: 'animals';
      readonly status?: PetStatus | undefined;
      readonly category?: bigint | undefined;
      /** A part of the name, of the category or of the note of a reservation, or an id. */
      readonly text: string;
    }
  | { readonly view: 'removed'; readonly text: string }
  | {
      readonly view: 'orders';
      /** When what is shown was sold. */
      readonly period: Period;
      /** A part of the note or of the name of the animal, or an id. */
      readonly text: string;
      /** Only the orders of this animal. */
      readonly of?: bigint | undefined;
      /** Only orders with this status. */
      readonly status?: OrderStatus | undefined;
    }
  | {
      readonly view: 'activity';
      readonly kind?: ActivityKind | undefined;
      readonly keyId?: string | undefined;
      readonly day?: Day | undefined;
    }
  | { readonly view: 'categories' | 'keys' | 'more' }
) & {
  /** The animal in the panel over the list. */
  readonly animal?: bigint | undefined;
};

export type View = Route['view'];

/** Kinds of changes that a person tells apart. */
export const activityKinds = ['sales', 'reservations', 'animals', 'categories'] as const;
export type ActivityKind = (typeof activityKinds)[number];

export const ANIMALS = { view: 'animals', text: '' } as const satisfies Route;
export const REMOVED = { view: 'removed', text: '' } as const satisfies Route;
export const ORDERS = { view: 'orders', period: 'today', text: '' } as const satisfies Route;
export const ACTIVITY = { view: 'activity' } as const satisfies Route;
export const CATEGORIES = { view: 'categories' } as const satisfies Route;
export const KEYS = { view: 'keys' } as const satisfies Route;
export const MORE = { view: 'more' } as const satisfies Route;
export const petStatuses = ['available', 'pending', 'sold'] as const satisfies PetStatus[];
const orderStatuses = ['placed', 'completed', 'cancelled', 'returned'] as const satisfies OrderStatus[];

const ID = /^-?\d{1,19}$/;
const KEY_ID = /^[\w.-]{1,64}$/;

/** What an address asks for. What makes no sense in it is left out. */
export function parseRoute(fragment: string): Route {
  const [, path = '', query = ''] = /^#\/(\w*)\??(.*)$/.exec(fragment) ?? [];
  const given = new URLSearchParams(query);
  const animal = int64(given.get('animal'));
  switch (path) {
    case 'orders': {
      const period = periodFrom(given.get('sold') ?? '') ?? ORDERS.period;
      const status = oneOf(orderStatuses, given.get('status'));
      return { view: path, period, text: searchText(given), of: int64(given.get('of')), status, animal };
    }
    case 'removed':
      return { view: path, text: searchText(given), animal };
    case 'activity': {
      const day = given.get('day') ?? '';
      const keyId = KEY_ID.test(given.get('by') ?? '') ? (given.get('by') ?? undefined) : undefined;
      const kind = oneOf(activityKinds, given.get('kind'));
      return { view: path, kind, keyId, day: isDay(day) ? day : undefined, animal };
    }
    case 'categories':
    case 'keys':
    case 'more':
      return { view: path, animal };
    default: {
      const status = oneOf(petStatuses, given.get('status'));
      return {
        view: 'animals',
        status,
        category: int64(given.get('category')),
        text: searchText(given),
        animal,
      };
    }
  }
}

const oneOf = <T extends string>(known: readonly T[], text: string | null): T | undefined =>
  known.find((one) => one === text);

function int64(text: string | null): bigint | undefined {
  if (text === null || !ID.test(text)) return undefined;
  const id = BigInt(text);
  return isInt64(id) ? id : undefined;
}

/** While an accent is typed, its letter may be still to come. */
function searchText(given: URLSearchParams): string {
  const text = (given.get('name') ?? '').slice(0, SEARCH_TEXT.maxLength);
  return isPartText(text) ? text : '';
}

/** The address of a route. */
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
    case 'animals':
      return { status: to.status, category: to.category, name: to.text, animal };
    case 'removed':
      return { name: to.text, animal };
    case 'orders': {
      const sold = to.period === ORDERS.period ? undefined : periodText(to.period);
      return { sold, status: to.status, of: to.of, name: to.text, animal };
    }
    case 'activity':
      return { kind: to.kind, by: to.keyId, day: to.day, animal };
    default:
      return { animal };
  }
}

/** The address of every order of an animal. */
export const ordersHref = (of: bigint): string => routeHref({ ...ORDERS, of });
