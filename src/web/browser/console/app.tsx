import type { JSX } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { isStagingHere } from '../shared/service.ts';
import { AddPanel } from './animals/add-panel.tsx';
import { AnimalPanel } from './animals/animal-panel.tsx';
import { Header } from './header.tsx';
import { focusTitle } from './navigation.ts';
import { BehindPanel } from './parts/panel.tsx';
import { Shortcuts } from './parts/shortcuts.tsx';
import { SignInAgain, SignInPage } from './parts/sign-in.tsx';
import { Strip } from './parts/strip.tsx';
import { BottomNav, currentPlace } from './places.tsx';
import { forgetShop, isOffline, sessions, shop } from './session.ts';

const badge = isStagingHere ? (
  <span class="badge staging" title="This page is served from the staging deployment.">
    Staging
  </span>
) : null;

export function App(): JSX.Element {
  const isSignedIn = sessions.current.value !== undefined;
  const title = isSignedIn ? currentPlace().title : 'Sign in';
  useEffect(() => {
    document.title = `${title} · Animal Store${isStagingHere ? ' (staging)' : ''}`;
  }, [title]);
  return isSignedIn ? <Shell /> : <SignInPage badge={badge} />;
}

function Shell(): JSX.Element {
  // On a phone, the field for the key may have been scrolled to.
  useLayoutEffect(() => scrollTo(0, 0), []);
  // Later than the clean-up of every view.
  useEffect(() => () => void setTimeout(forgetShop), []);
  const { View } = currentPlace();
  return (
    <div class={`shell ${isOffline() ? 'offline' : ''}`}>
      <BehindPanel>
        <a class="skip" href="#view-title" onClick={skip}>
          Skip to content
        </a>
        <Header badge={badge} />
        <main class="page">
          <View />
        </main>
        <BottomNav />
      </BehindPanel>
      <Strip />
      <p class="visually-hidden" role="status">
        {shop().outcomes.announcement.value}
      </p>
      <AnimalPanel />
      <AddPanel />
      <Shortcuts />
      <SignInAgain />
    </div>
  );
}

/** The fragment of the address is the view, so that the link moves the focus itself. */
function skip(event: Event): void {
  event.preventDefault();
  focusTitle();
}
