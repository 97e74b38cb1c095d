import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { sessions, shop } from '../session.ts';
import { Dialog } from './dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Signing in with the key that this browser keeps. */
function Returning({ problem }: { readonly problem: string | undefined }): JSX.Element {
  if (problem === undefined)
    return (
      <p class="returning" role="status">
        {icon('spin')}
        Signing in…
      </p>
    );
  return (
    <div class="form">
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="actions">
        <button type="button" class="button" onClick={() => sessions.signOut()}>
          Use another key
        </button>
        <button type="button" class="button main" onClick={() => void sessions.returnToSession()}>
          Try again
        </button>
      </div>
    </div>
  );
}

/** The page before anything of the store is shown. */
export function SignInPage({ badge }: { readonly badge: JSX.Element | null }): JSX.Element {
  const returning = sessions.returning.value;
  return (
    <main class="sign-in">
      <div class="card sign-in-card">
        <h1>Animal Store</h1>
        <p class="lead">Sign in with your key or the key of this till. {badge}</p>
        {returning ? <Returning problem={returning.problem} /> : <SignInForm again={false} />}
      </div>
      <p class="hint">
        No key? Ask the person who runs the shop’s service.
        <br />
        {'Building something? Read the '}
        <a href="docs">API reference</a>.
      </p>
    </main>
  );
}

/** The key was revoked or has expired in the middle of the work: everything on the page stays as it is. */
export function SignInAgain(): JSX.Element {
  return (
    <Dialog open={shop().api.isRejected.value} labelledBy="sign-in-again" onClose={() => {}}>
      <h2 id="sign-in-again">Sign in again</h2>
      <p class="lead">
        Your API key is no longer accepted: it was revoked or has expired. Nothing you typed is lost.
      </p>
      <SignInForm again />
    </Dialog>
  );
}
