import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { logo } from '../shared/icons.tsx';
import { documentUrl, isStaging, type Server } from '../shared/service.ts';
import { AddPanel } from './animals/add-panel.tsx';
import { AnimalPanel } from './animals/animal-panel.tsx';
import { isOffline, trouble } from './data/connection.ts';
import { announcement } from './data/outcomes.ts';
import { keyRejected, session, signOut } from './data/session.ts';
import { focusTitle } from './navigation.ts';
import { describeScopes } from './parts/scopes.ts';
import { SignInAgain, SignInPage } from './parts/sign-in.tsx';
import { Strip } from './parts/strip.tsx';
import { BottomNav, currentPlace, Nav } from './places.tsx';
import { route } from './route.ts';

const staging = signal(false);

/** Only a hint: without the document the page works as well. */
export async function findDeployment(): Promise<void> {
  const response = await fetch(documentUrl);
  const { servers = [] } = (await response.json()) as { servers?: Server[] };
  staging.value = isStaging(servers);
}

const badge = (): JSX.Element | null =>
  staging.value ? (
    <span class="badge staging" title="This page is served from the staging deployment.">
      Staging
    </span>
  ) : null;

export function App(): JSX.Element {
  const signedIn = session.value !== undefined;
  const { title, View } = currentPlace();
  useEffect(() => {
    document.title = `${signedIn ? title : 'Sign in'} · Animal Store${staging.value ? ' (staging)' : ''}`;
  }, [title, signedIn, staging.value]);
  if (!signedIn) return <SignInPage badge={badge()} />;
  return (
    <div class={`shell ${isOffline.value ? 'offline' : ''}`}>
      <a class="skip" href="#view-title" onClick={skip}>
        Skip to content
      </a>
      <Header />
      <main class="page">
        <View />
      </main>
      <BottomNav />
      <Strip />
      <p class="visually-hidden" role="status">
        {announcement.value}
      </p>
      <AnimalPanel key={`${route.value.animal}`} />
      <AddPanel />
      <SignInAgain />
    </div>
  );
}

/** The fragment of the address is the view, so that the link moves the focus itself. */
function skip(event: Event): void {
  event.preventDefault();
  focusTitle();
}

function Header(): JSX.Element {
  const isBehind = trouble.value !== undefined || keyRejected.value;
  return (
    <header class="header">
      <span class="brand">
        {logo()}
        <span>Animal Store</span>
        {badge()}
      </span>
      <Nav />
      <div class="header-end">
        <span class={`live ${isBehind ? 'off' : ''}`}>{isBehind ? 'Not up to date' : 'Live'}</span>
        <a class="api" href="docs" target="_blank" rel="noopener">
          API
        </a>
        <bdi class="me" title={describeScopes(session.value?.key.scopes ?? [])}>
          {session.value?.key.name}
        </bdi>
        <button type="button" class="button plain small" onClick={signOut}>
          Sign out
        </button>
      </div>
    </header>
  );
}
