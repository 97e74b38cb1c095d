import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { sessions, shop } from '../session.ts';

/** The page before anything of the store is shown. */
export function SignInPage({ badge }: { readonly badge: JSX.Element | null }): JSX.Element {
  const returning = sessions.returning.value;
  return (
    <main class="door">
      <div class="card">
        <div>
          <h1>Animal Store</h1>
          <p class="quiet">Sign in with your key or the key of this till. {badge}</p>
        </div>
        {returning ? <Returning problem={returning.problem} /> : <SignInForm isAgain={false} />}
      </div>
      <p class="quiet">
        No key? Ask the person who runs the shop’s service.
        <br />
        {'Building something? Read the '}
        <a href="docs">API reference</a>.
      </p>
    </main>
  );
}

/** Signing in with the key that this browser keeps. */
function Returning({ problem }: { readonly problem: string | undefined }): JSX.Element {
  if (problem === undefined)
    return (
      <p class="state running" role="status">
        Signing in…
      </p>
    );
  return (
    <>
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons">
        <button type="button" class="button main" onClick={() => void sessions.returnToSession()}>
          Try again
        </button>
        <button type="button" class="button" onClick={() => sessions.signOut()}>
          Use another key
        </button>
      </div>
    </>
  );
}

/** Shown when the key was revoked or has expired during the work. Everything on the page stays as it is. */
export function SignInAgain(): JSX.Element | null {
  if (!shop().api.isRejected.value) return null;
  return (
    <Dialog title="Sign in again">
      <p>Your API key is no longer accepted: it was revoked or has expired. Nothing you typed is lost.</p>
      <SignInForm isAgain />
    </Dialog>
  );
}

/** The form of both sign-ins. The key is in the input while it is typed, and afterwards in the session only. */
function SignInForm({ isAgain }: { readonly isAgain: boolean }): JSX.Element {
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const isVisible = useSignal(false);
  const keeps = useSignal(sessions.keepsKey);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    // A key is shown and read out in groups; the spaces are no part of it.
    const key = input.current?.value.replaceAll(/\s/g, '') ?? '';
    if (isBusy.peek()) return;
    if (key === '') problem.value = 'Enter your API key.';
    else {
      isBusy.value = true;
      problem.value = await sessions.signIn(key, keeps.peek());
      isBusy.value = false;
    }
    if (problem.peek() !== undefined) input.current?.focus();
  };
  return (
    <form class="sign-in" method="post" onSubmit={submit} noValidate>
      {/* Password managers file the key under this name; nobody has to see it. */}
      <input
        class="only-heard"
        type="text"
        name="username"
        autocomplete="username"
        value="Animal Store"
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <div class="field">
        <label for="api-key">API key</label>
        <div class="beside">
          <input
            ref={input}
            id="api-key"
            name="password"
            class="input id"
            {...(isVisible.value ? { type: 'text' } : { type: 'password' })}
            autocomplete="current-password"
            autocapitalize="none"
            spellcheck={false}
            aria-invalid={problem.value !== undefined}
            aria-describedby="api-key-problem"
          />
          <button
            type="button"
            class="button"
            aria-pressed={isVisible.value}
            onClick={() => (isVisible.value = !isVisible.value)}
          >
            {isVisible.value ? 'Hide' : 'Show'}
          </button>
        </div>
        <small id="api-key-problem" class="problem" role="alert">
          {problem.value}
        </small>
      </div>
      {sessions.canKeepKey ? (
        <label class="choice">
          <input
            class="tick"
            type="checkbox"
            checked={keeps.value}
            onChange={({ currentTarget }) => (keeps.value = currentTarget.checked)}
          />
          <span>
            Keep me signed in on this device
            <small>
              Leave it off on a device that others use: the key is then forgotten when the tab closes or
              reloads.
            </small>
          </span>
        </label>
      ) : null}
      <div class="buttons">
        <button type="submit" class="button main" aria-disabled={isBusy.value}>
          {isBusy.value ? 'Signing in…' : 'Sign in'}
        </button>
        {isAgain ? (
          <button type="button" class="button" onClick={() => sessions.signOut()}>
            Sign out
          </button>
        ) : null}
      </div>
    </form>
  );
}
