import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Element, h } from '../shared/element.ts';
import { logo } from '../shared/icons.ts';
import { Dialog } from './dialog.ts';
import { keyRejected, signIn, signOut } from './session.ts';

/** The form of both sign-ins. The key is in the input while it is typed, and afterwards in the session only. */
function SignInForm({ again }: { readonly again: boolean }): Element {
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  const visible = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const submit = async (event: Event) => {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    if (busy.value) return;
    if (key === '') {
      problem.value = 'Enter your API key.';
    } else {
      busy.value = true;
      problem.value = await signIn(key);
      busy.value = false;
    }
    if (problem.value !== undefined) input.current?.focus();
  };

  return h(
    'form',
    { class: 'form', onSubmit: submit, noValidate: true },
    h(
      'div',
      { class: 'field' },
      h('label', { for: 'api-key' }, 'API key'),
      h(
        'div',
        { class: 'input-with-button' },
        h('input', {
          ref: input,
          id: 'api-key',
          class: 'input mono',
          ...(visible.value ? { type: 'text' as const } : { type: 'password' as const }),
          autocomplete: 'off',
          autocapitalize: 'none',
          spellcheck: false,
          'aria-invalid': problem.value !== undefined,
          'aria-describedby': 'api-key-help api-key-problem',
        }),
        h(
          'button',
          {
            type: 'button',
            class: 'button quiet',
            'aria-pressed': visible.value,
            onClick: () => (visible.value = !visible.value),
          },
          visible.value ? 'Hide' : 'Show',
        ),
      ),
      h('p', { id: 'api-key-problem', class: 'problem', role: 'alert' }, problem.value),
      h(
        'p',
        { id: 'api-key-help', class: 'help' },
        'Kept in the memory of this tab only. Reloading or closing the tab forgets it.',
      ),
    ),
    h(
      'div',
      { class: 'form-actions' },
      again ? h('button', { type: 'button', class: 'button', onClick: signOut }, 'Sign out') : null,
      h(
        'button',
        { type: 'submit', class: 'button primary', 'aria-disabled': busy.value },
        busy.value ? 'Signing in…' : 'Sign in',
      ),
    ),
  );
}

/** The page before anything of the store is shown. */
export function SignInPage({ badge }: { readonly badge: Element | null }): Element {
  return h(
    'main',
    { class: 'sign-in' },
    h('div', { class: 'sign-in-brand' }, logo(), h('span', null, 'Animal Store'), badge),
    h(
      'div',
      { class: 'card sign-in-card' },
      h('h1', null, 'Sign in'),
      h('p', { class: 'lead' }, 'See and manage the animals of your store.'),
      h(SignInForm, { again: false }),
    ),
    h(
      'p',
      { class: 'help' },
      'No key yet? Ask the person who runs this service for one. Building something? Read the ',
      h('a', { href: 'docs' }, 'API reference'),
      '.',
    ),
  );
}

/** The key was revoked or has expired in the middle of the work: everything on the page stays as it is. */
export function SignInAgain(): Element {
  return h(
    Dialog,
    { open: keyRejected.value, labelledBy: 'sign-in-again', onClose: () => {} },
    h('h2', { id: 'sign-in-again' }, 'Sign in again'),
    h(
      'p',
      { class: 'lead' },
      'Your API key is no longer accepted: it was revoked or has expired. Nothing you typed is lost.',
    ),
    h(SignInForm, { again: true }),
  );
}
