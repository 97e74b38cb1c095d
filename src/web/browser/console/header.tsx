import type { JSX } from 'preact';
import { icon, logo } from '../shared/icons.tsx';
import { describeScopes } from './parts/scopes.ts';
import { areShortcutsOpen } from './parts/shortcuts.tsx';
import { Nav } from './places.tsx';
import { ANIMALS, routeHref } from './route.ts';
import { sessions, shop } from './session.ts';

/** Who we are, where to go, how the connection is, and whose key it is. */
export function Header({ badge }: { readonly badge: JSX.Element | null }): JSX.Element {
  const { connection, isRejected } = shop().api;
  const isOutdated = connection.failure.value !== undefined || isRejected.value;
  return (
    <header class="header">
      <a class="brand" href={routeHref(ANIMALS)} aria-label="Animal Store">
        {logo()}
        <span>Animal Store</span>
        {badge}
      </a>
      <Nav />
      <div class="header-end">
        <span class={`live ${isOutdated ? 'off' : ''}`}>{isOutdated ? 'Not up to date' : 'Live'}</span>
        <button
          type="button"
          class="help"
          aria-label="Keyboard shortcuts"
          aria-keyshortcuts="?"
          onClick={() => (areShortcutsOpen.value = true)}
        >
          ?
        </button>
        <a class="api" href="docs" target="_blank" rel="noopener">
          API
        </a>
        <Me />
      </div>
    </header>
  );
}

const MENU = 'session-menu';

/** The name of the key opens who is signed in, what that allows, and the way out: never one tap beside something else. */
function Me(): JSX.Element {
  const { name, scopes } = shop().api.key;
  return (
    <>
      <button type="button" class="me" popovertarget={MENU}>
        <span class="visually-hidden">Signed in as </span>
        <bdi class="cut">{name}</bdi>
        {icon('down')}
      </button>
      <section id={MENU} class="menu" popover="auto" aria-label="Your key">
        <p>
          <span class="quiet">Signed in as </span>
          <bdi class="menu-name">{name}</bdi>
        </p>
        <p class="menu-scopes">
          <span class="quiet">Your key allows: </span>
          {describeScopes(scopes).toLowerCase()}
        </p>
        <button type="button" class="button" onClick={() => sessions.signOut()}>
          Sign out
        </button>
      </section>
    </>
  );
}
