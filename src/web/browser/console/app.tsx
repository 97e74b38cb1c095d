import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { type IconName, icon, logo } from '../shared/icons.tsx';
import { isStagingHere } from '../shared/service.ts';
import { timeOfDay } from './data/calendar.ts';
import { useKeys } from './keys.ts';
import { focusTitle } from './navigation.ts';
import { Dialog } from './parts/dialog.tsx';
import { PageHead } from './parts/list.tsx';
import { MessageRegion } from './parts/messages.tsx';
import { BehindPanel, DraftQuestion } from './parts/panel.tsx';
import { describeScopes, endsSoon } from './parts/words.ts';
import {
  ACTIVITY,
  ANIMALS,
  CATEGORIES,
  KEYS,
  ORDERS,
  type Route,
  replaceRoute,
  route,
  routeHref,
} from './route.ts';
import {
  addForm,
  forgetShop,
  isOffline,
  isPolling,
  may,
  mayOpen,
  openAddForm,
  sessions,
  shop,
} from './session.ts';
import { ActivityView } from './views/activity.tsx';
import { AddPanel } from './views/add.tsx';
import { AnimalPanel } from './views/animal-panel.tsx';
import { AnimalsView } from './views/animals.tsx';
import { CategoriesView } from './views/categories.tsx';
import { KeyPanel } from './views/key-panel.tsx';
import { KeysView } from './views/keys.tsx';
import { OrdersView } from './views/orders.tsx';
import { NewSecret } from './views/secret.tsx';
import { SignInAgain, SignInPage } from './views/sign-in.tsx';

interface Place {
  readonly to: Route;
  readonly title: string;
  readonly icon?: IconName;
  readonly View: () => JSX.Element | null;
}

/** On a phone, the places with an icon are in the bar at the bottom, the others in the menu. */
const places: readonly Place[] = [
  { to: ANIMALS, title: 'Animals', icon: 'paw', View: AnimalsView },
  { to: ORDERS, title: 'Orders', icon: 'orders', View: OrdersView },
  { to: ACTIVITY, title: 'Activity', icon: 'clock', View: ActivityView },
  { to: CATEGORIES, title: 'Categories', View: CategoriesView },
  { to: KEYS, title: 'Keys', View: KeysView },
];

const open = (): readonly Place[] => places.filter(({ to }) => mayOpen(to.view));
const titleOf = (): string => places.find(({ to }) => to.view === route.value.view)?.title ?? '';

const badge = isStagingHere ? (
  <span class="badge" title="This page is served from the staging deployment.">
    Staging
  </span>
) : null;

export function App(): JSX.Element {
  const isSignedIn = sessions.current.value !== undefined;
  const title = isSignedIn ? titleOf() : 'Sign in';
  useEffect(() => {
    document.title = `${title} · Animal Store${isStagingHere ? ' (staging)' : ''}`;
  }, [title]);
  return isSignedIn ? <Shell /> : <SignInPage badge={badge} />;
}

function Shell(): JSX.Element {
  useKeys();
  // On a phone, the field for the key may have been scrolled to.
  useLayoutEffect(() => scrollTo(0, 0), []);
  // The address names no page, and the key may not open the first one.
  useEffect(() => {
    const [first] = open();
    if (location.hash === '' && first && !mayOpen(route.peek().view)) replaceRoute(first.to);
  }, []);
  // After the clean-up of every view, which may still use the shop.
  useEffect(() => () => void setTimeout(forgetShop), []);
  const place = places.find(({ to }) => to.view === route.value.view);
  const View = place && mayOpen(place.to.view) ? place.View : NotAllowed;
  return (
    <div class={isOffline() ? 'offline' : ''}>
      <BehindPanel>
        <a
          class="skip"
          href="#view-title"
          onClick={(event) => {
            // The fragment of the address names the view, and must not change.
            event.preventDefault();
            focusTitle();
          }}
        >
          Skip to content
        </a>
        <Header />
        <main class="page">
          <View />
        </main>
      </BehindPanel>
      <AnimalPanel />
      <KeyPanel />
      {addForm.value ? <AddPanel form={addForm.value} /> : null}
      <MessageRegion />
      <DraftQuestion />
      {areShortcutsOpen.value ? <Shortcuts /> : null}
      <NewSecret />
      <SignInAgain />
    </div>
  );
}

const MENU = 'menu';
const closeMenu = () => document.getElementById(MENU)?.hidePopover();

function Header(): JSX.Element {
  const { name } = shop().api.key;
  // Back leads to another page, and would leave the menu open.
  useEffect(closeMenu, [route.value]);
  const link = ({ to, title, icon: shape }: Place) => (
    <a
      key={title}
      class={shape ? '' : 'desk'}
      href={routeHref(to)}
      aria-current={to.view === route.value.view ? 'page' : undefined}
    >
      {shape ? icon(shape) : null}
      {title}
    </a>
  );
  const [near, far] = [open().filter((one) => one.icon), open().filter((one) => !one.icon)];
  return (
    <header class="header">
      <a class="brand" href={routeHref(ANIMALS)} aria-label="Animal Store">
        {logo()}
        <span>Animal Store</span>
        {badge}
      </a>
      <nav class="nav" aria-label="Pages">
        {near.slice(0, 2).map(link)}
        {may('pets:write') ? (
          <button type="button" class="add" aria-label="Add animals" onClick={openAddForm}>
            {icon('plus')}
          </button>
        ) : null}
        {near.slice(2).map(link)}
        {far.map(link)}
        <Wrong />
        <button
          type="button"
          class="menu-button"
          popovertarget={MENU}
          aria-label={`Menu of ${name}, more pages`}
        >
          <bdi class="desk cut">{name}</bdi>
          <span class="desk">{icon('down')}</span>
          <span class="phone">{icon('more')}</span>
          <span class="phone">More</span>
        </button>
        <ul id={MENU} class="menu" popover="auto">
          {far.map((place) => (
            <li key={place.title} class="phone">
              <a href={routeHref(place.to)} onClick={closeMenu}>
                {place.title}
              </a>
            </li>
          ))}
          <li>
            <button
              type="button"
              onClick={() => {
                closeMenu();
                areShortcutsOpen.value = true;
              }}
            >
              Keyboard shortcuts
            </button>
          </li>
          <li>
            <a href="docs" target="_blank" rel="noopener" onClick={closeMenu}>
              API reference
            </a>
          </li>
          <li>
            <button type="button" onClick={() => sessions.signOut()}>
              Sign out “<bdi>{name}</bdi>”
            </button>
          </li>
        </ul>
      </nav>
    </header>
  );
}

/** Shows only the worst problem, and nothing if all is well. */
function Wrong(): JSX.Element {
  return (
    <span role="status" class="wrong-region">
      {wrong() === undefined ? null : <span class="mark">{wrong()}</span>}
    </span>
  );
}

function wrong(): string | undefined {
  const { connection, key, isRejected } = shop().api;
  const failure = connection.failure.value;
  if (failure) {
    const since = timeOfDay(failure.since);
    return failure.kind === 'offline' ? `Offline since ${since}` : `No answer since ${since}`;
  }
  if (isRejected.value) return 'Not up to date';
  if (connection.isSlow.value) return 'The service is slow to answer';
  const end = endsSoon(key.expiresAt);
  if (end !== undefined) return `This key ends ${end}`;
  return isPolling() ? 'Updated every few seconds' : undefined;
}

/** Shown in place of a view that the key does not allow. */
function NotAllowed(): JSX.Element {
  const { name, scopes } = shop().api.key;
  return (
    <>
      <PageHead title={titleOf()} />
      <div class="card">
        <div class="empty">
          <h2>Your key does not allow this</h2>
          <p>
            You are signed in as “<bdi>{name}</bdi>” ({describeScopes(scopes)}). Ask the person who runs the
            shop’s service for another key.
          </p>
          <button type="button" class="button" onClick={() => sessions.signOut()}>
            Use another key
          </button>
        </div>
      </div>
    </>
  );
}

const areShortcutsOpen = signal(false);

const SHORTCUTS: readonly (readonly [what: string, keys: readonly string[]])[] = [
  ['Search', ['/']],
  ['Move through the rows', ['↑', '↓']],
  ['Open the animal', ['Enter']],
  ['Close, or leave a field', ['Esc']],
  ['Add animals', ['N']],
  ['Sell', ['S']],
  ['Reserve', ['R']],
  ['Press the newest Undo', ['U']],
];

/** S, R and U act on the row or the panel that has the focus. */
function Shortcuts(): JSX.Element {
  const close = () => (areShortcutsOpen.value = false);
  return (
    <Dialog title="Keyboard shortcuts" onClose={close}>
      <dl class="shortcuts">
        {SHORTCUTS.map(([what, keys]) => (
          <>
            <dt>{what}</dt>
            <dd>
              {keys.map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dd>
          </>
        ))}
      </dl>
      <p class="quiet">S, R and U are for the row that has the focus, or for the animal in the panel.</p>
      <div class="buttons">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
