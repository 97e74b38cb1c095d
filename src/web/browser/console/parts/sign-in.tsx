import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { canKeepKey, keptKey } from '../data/kept-key.ts';
import { keyRejected, returning, returnToSession, signIn, signOut } from '../data/session.ts';
import { Dialog } from './dialog.tsx';

/** The form of both sign-ins. The key is in the input while it is typed, and afterwards in the session only. */
function SignInForm({ again }: { readonly again: boolean }): JSX.Element {
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  const visible = useSignal(false);
  const keep = useSignal(keptKey() !== undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const submit = async (event: Event) => {
    event.preventDefault();
    // A key is shown and read out in groups; the spaces are no part of it.
    const key = input.current?.value.replaceAll(/\s/g, '') ?? '';
    if (busy.value) return;
    if (key === '') {
      problem.value = 'Enter your API key.';
    } else {
      busy.value = true;
      problem.value = await signIn(key, keep.peek());
      busy.value = false;
    }
    if (problem.value !== undefined) input.current?.focus();
  };

  return (
    <form class="form" method="post" onSubmit={submit} noValidate>
      {/* Password managers file the key under this name. */}
      <input
        class="visually-hidden"
        type="text"
        name="username"
        autocomplete="username"
        value="Animal Store"
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <div class="field">
        <label class="label" for="api-key">
          API key
        </label>
        <div class="with-button">
          <input
            ref={input}
            id="api-key"
            name="password"
            class="input mono"
            {...(visible.value ? { type: 'text' as const } : { type: 'password' as const })}
            autocomplete="current-password"
            autocapitalize="none"
            spellcheck={false}
            aria-invalid={problem.value !== undefined}
            aria-describedby="api-key-problem"
          />
          <button
            type="button"
            class="button"
            aria-pressed={visible.value}
            onClick={() => (visible.value = !visible.value)}
          >
            {visible.value ? 'Hide' : 'Show'}
          </button>
        </div>
        <p id="api-key-problem" class="problem" role="alert">
          {problem.value}
        </p>
      </div>
      {canKeepKey() ? (
        <div class="check">
          <input
            id="keep-key"
            type="checkbox"
            aria-describedby="keep-key-help"
            checked={keep.value}
            onChange={(event: Event) => (keep.value = (event.target as HTMLInputElement).checked)}
          />
          <label for="keep-key">Keep me signed in on this device</label>
          <p id="keep-key-help" class="hint">
            This browser remembers the key until you sign out. Without it, the key is forgotten when the tab
            is closed or reloaded. Leave it off on a device that others use.
          </p>
        </div>
      ) : null}
      <div class="form-actions">
        {again ? (
          <button type="button" class="button" onClick={signOut}>
            Sign out
          </button>
        ) : null}
        <button type="submit" class="button main" aria-disabled={busy.value}>
          {busy.value ? 'Signing in…' : 'Sign in'}
        </button>
      </div>
    </form>
  );
}

/** Signing in with the key that this browser keeps. */
function Returning({ problem }: { readonly problem: string | undefined }): JSX.Element {
  if (problem === undefined)
    return (
      <p class="returning" role="status">
        <span class="spinner" />
        Signing in…
      </p>
    );
  return (
    <div class="form">
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="form-actions">
        <button type="button" class="button" onClick={signOut}>
          Use another key
        </button>
        <button type="button" class="button main" onClick={() => void returnToSession()}>
          Try again
        </button>
      </div>
    </div>
  );
}

/** The page before anything of the store is shown. */
export function SignInPage({ badge }: { readonly badge: JSX.Element | null }): JSX.Element {
  return (
    <main class="sign-in">
      <div class="card sign-in-card">
        <h1>Animal Store</h1>
        <p class="lead">Sign in with your key or the key of this till. {badge}</p>
        {returning.value ? <Returning problem={returning.value.problem} /> : <SignInForm again={false} />}
      </div>
      <p class="hint">
        {'No key? Ask the person who runs the shop’s service. Building something? Read the '}
        <a href="docs">API reference</a>.
      </p>
    </main>
  );
}

/** The key was revoked or has expired in the middle of the work: everything on the page stays as it is. */
export function SignInAgain(): JSX.Element {
  return (
    <Dialog open={keyRejected.value} labelledBy="sign-in-again" onClose={() => {}}>
      <h2 id="sign-in-again">Sign in again</h2>
      <p class="lead">
        Your API key is no longer accepted: it was revoked or has expired. Nothing you typed is lost.
      </p>
      <SignInForm again />
    </Dialog>
  );
}
