import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Element, h } from '../shared/element.ts';
import { logo } from '../shared/icons.ts';
import { documentUrl, isStaging, type Server } from '../shared/service.ts';
import { AddAnimal } from './add-animal.ts';
import { AnimalsView } from './animals-view.ts';
import { Banner } from './banner.ts';
import { Confirm } from './confirm.ts';
import { Notices } from './notices-view.ts';
import { OrdersView } from './orders-view.ts';
import { Overview } from './overview.ts';
import { type Route, route, routeHref } from './route.ts';
import { session, signOut } from './session.ts';
import { SignInAgain, SignInPage } from './sign-in.ts';

const staging = signal(false);

/** Only a hint: without the document the page works as well. */
export async function findDeployment(): Promise<void> {
  const response = await fetch(documentUrl);
  const { servers = [] } = (await response.json()) as { servers?: Server[] };
  staging.value = isStaging(servers);
}

const badge = (): Element | null =>
  staging.value
    ? h(
        'span',
        { class: 'badge staging', title: 'This page is served from the staging deployment.' },
        'Staging',
      )
    : null;

export function App(): Element {
  const { view } = route.value;
  const signedIn = session.value !== undefined;
  useEffect(() => {
    const title = view === 'orders' ? 'Orders' : 'Animals';
    document.title = `${signedIn ? title : 'Sign in'} · Animal Store${staging.value ? ' (staging)' : ''}`;
  }, [view, signedIn, staging.value]);
  if (!signedIn) return h(SignInPage, { badge: badge() });
  return h(
    'div',
    { class: 'shell' },
    h('a', { class: 'skip', href: '#view-title', onClick: skip }, 'Skip to content'),
    h(Header, {}),
    h(
      'main',
      { class: 'main' },
      h(Banner, {}),
      h(Overview, {}),
      view === 'orders' ? h(OrdersView, {}) : h(AnimalsView, {}),
    ),
    h(Notices, {}),
    h(AddAnimal, {}),
    h(Confirm, {}),
    h(SignInAgain, {}),
  );
}

/** The fragment of the address is the view, so that the link moves the focus itself. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('view-title')?.focus();
}

function Header(): Element {
  const current = route.value;
  const tab = (to: Route, text: string) =>
    h(
      'a',
      { class: 'tab', href: routeHref(to), 'aria-current': current.view === to.view ? 'page' : undefined },
      text,
    );
  return h(
    'header',
    { class: 'header' },
    h(
      'div',
      { class: 'header-inner' },
      h('span', { class: 'brand' }, logo(), h('span', { class: 'brand-name' }, 'Animal Store'), badge()),
      h(
        'nav',
        { class: 'tabs', 'aria-label': 'Main' },
        tab({ view: 'animals', status: undefined, name: '' }, 'Animals'),
        tab({ view: 'orders', status: undefined }, 'Orders'),
      ),
      h(
        'div',
        { class: 'header-end' },
        h('a', { class: 'button ghost', href: 'docs', target: '_blank', rel: 'noopener' }, 'API'),
        h('button', { type: 'button', class: 'button ghost', onClick: signOut }, 'Sign out'),
      ),
    ),
  );
}
