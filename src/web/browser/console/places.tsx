import type { JSX } from 'preact';
import { type IconName, icon } from '../shared/icons.tsx';
import { ActivityView } from './activity/activity-view.tsx';
import { route } from './address.ts';
import { AnimalsView } from './animals/animals-view.tsx';
import { RemovedView } from './animals/removed-view.tsx';
import { CategoriesView } from './categories/categories-view.tsx';
import { KeysView } from './keys/keys-view.tsx';
import { openAddForm } from './opening.ts';
import { OrdersView } from './orders/orders-view.tsx';
import { describeScopes } from './parts/scopes.ts';
import {
  ACTIVITY,
  ANIMALS,
  CATEGORIES,
  KEYS,
  MORE,
  ORDERS,
  REMOVED,
  type Route,
  routeHref,
} from './route.ts';
import { may, sessions, shop } from './session.ts';

interface Place {
  readonly to: Route;
  readonly title: string;
  readonly icon: IconName;
  readonly View: () => JSX.Element | null;
}

/** The places to go: a new one is a line here. */
const places: readonly Place[] = [
  { to: ANIMALS, title: 'Animals', icon: 'paw', View: AnimalsView },
  { to: ORDERS, title: 'Orders', icon: 'orders', View: OrdersView },
  { to: ACTIVITY, title: 'Activity', icon: 'clock', View: ActivityView },
  { to: CATEGORIES, title: 'Categories', icon: 'categories', View: CategoriesView },
  { to: KEYS, title: 'Keys', icon: 'key', View: KeysView },
];
/** Reached from the end of the list of animals. */
const REMOVED_PLACE: Place = { to: REMOVED, title: 'Removed', icon: 'removed', View: RemovedView };
/** On a phone, everything that is not at the thumb. */
const MORE_PLACE: Place = { to: MORE, title: 'More', icon: 'more', View: MoreView };
const AT_THE_THUMB: readonly Route[] = [ANIMALS, ORDERS, ACTIVITY];

/** What the address shows; an explanation where the key does not open it. */
export function currentPlace(): Pick<Place, 'title' | 'View'> {
  const { view } = route.value;
  const place = [...places, REMOVED_PLACE, MORE_PLACE].find(({ to }) => to.view === view) ?? places[0];
  return { title: place?.title ?? '', View: place && shop().mayOpen(view) ? place.View : NotOpen };
}

const open = (): readonly Place[] => places.filter(({ to }) => shop().mayOpen(to.view));

function link({ to, title, icon: shape }: Place, isCurrent: boolean, withIcon: boolean): JSX.Element {
  return (
    <a key={title} href={routeHref(to)} aria-current={isCurrent ? 'page' : undefined}>
      {withIcon ? icon(shape) : null}
      {title}
    </a>
  );
}

const currentView = () => (route.value.view === 'removed' ? 'animals' : route.value.view);

export const Nav = (): JSX.Element => (
  <nav class="nav" aria-label="Main">
    {open().map((place) => link(place, place.to.view === currentView(), false))}
  </nav>
);

/** On a phone, the places are at the thumb. */
export function BottomNav(): JSX.Element {
  const near = open().filter(({ to }) => AT_THE_THUMB.includes(to));
  const isMore = !near.some(({ to }) => to.view === currentView());
  const links = [
    ...near.map((place) => link(place, place.to.view === currentView(), true)),
    link(MORE_PLACE, isMore, true),
  ];
  const half = Math.floor(links.length / 2);
  return (
    <nav class="bottom" aria-label="Main, at the bottom">
      {links.slice(0, half)}
      {may('pets:write') ? (
        <button type="button" class="bottom-add" aria-label="Add an animal" onClick={openAddForm}>
          {icon('plus')}
        </button>
      ) : null}
      {links.slice(half)}
    </nav>
  );
}

const head = (title: string): JSX.Element => (
  <div class="page-head">
    <h1 id="view-title" tabIndex={-1}>
      {title}
    </h1>
  </div>
);

function MoreView(): JSX.Element {
  return (
    <>
      {head('More')}
      <ul class="card more-places">
        {[...open(), ...(shop().mayOpen('removed') ? [REMOVED_PLACE] : [])]
          .filter(({ to }) => !AT_THE_THUMB.includes(to))
          .map((place) => (
            <li key={place.title}>{link(place, false, true)}</li>
          ))}
        <li>
          <a href="docs" target="_blank" rel="noopener">
            {icon('link')}
            API reference
          </a>
        </li>
      </ul>
      <p class="hint">{whoIsHere()}</p>
    </>
  );
}

/** A calm explanation in place of a refusal. */
function NotOpen(): JSX.Element {
  return (
    <>
      {head(currentPlace().title)}
      <div class="card empty">
        <h2>Your key does not allow this</h2>
        <p>{`${whoIsHere()} Ask the person who runs the shop’s service for another key, or sign in with it.`}</p>
        <p class="actions">
          {open().map(({ to, title: name }) => (
            <a key={name} class="button" href={routeHref(to)}>
              {name}
            </a>
          ))}
          <button type="button" class="button" onClick={() => sessions.signOut()}>
            Use another key
          </button>
        </p>
      </div>
    </>
  );
}

function whoIsHere(): string {
  const { name, scopes } = shop().api.key;
  return `You are signed in as “\u2068${name}\u2069”. What your key allows: ${describeScopes(scopes).toLowerCase()}.`;
}
