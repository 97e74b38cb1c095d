import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { sessions } from '../session.ts';

/** The form of both sign-ins. The key is in the input while it is typed, and afterwards in the session only. */
export function SignInForm({ again }: { readonly again: boolean }): JSX.Element {
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  const visible = useSignal(false);
  const keep = useSignal(sessions.keepsKey);
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
      problem.value = await sessions.signIn(key, keep.peek());
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
      {sessions.canKeepKey ? (
        <div class="check">
          <input
            id="keep-key"
            class="pick"
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
      <div class="actions">
        {again ? (
          <button type="button" class="button" onClick={() => sessions.signOut()}>
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
