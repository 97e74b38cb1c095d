import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Key } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { revokeKey } from '../data/actions/keys.ts';
import { problemsFrom } from '../data/forms/fields.ts';
import { focusTitle } from '../navigation.ts';
import { short } from '../parts/wording.ts';
import { shop } from '../session.ts';
import { usedAt } from './key-words.tsx';

interface RevokeWarningProps {
  readonly of: Key;
  readonly close: () => void;
}

/** Revoking cannot be undone: it asks first, in red, and says what stops working. */
export function RevokeWarning({ of: key, close }: RevokeWarningProps): JSX.Element {
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  const revoke = async () => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    try {
      await revokeKey(shop(), key);
      // The button that has opened the question is gone.
      focusTitle();
    } catch (error) {
      problem.value = problemsFrom(error, 'a key is revoked only once').form;
    } finally {
      isBusy.value = false;
    }
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  };
  const [title, text] = [`revoke-${key.id}`, `revoke-${key.id}-text`];
  return (
    <div
      class="warning"
      role="alertdialog"
      aria-labelledby={title}
      aria-describedby={text}
      onKeyDown={pressed}
    >
      {icon('failed')}
      <h2 id={title}>{`Revoke ${short(key.name)}?`}</h2>
      <p id={text}>{`${consequence(key)} This cannot be undone.`}</p>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button danger"
          aria-disabled={isBusy.value}
          onClick={() => void revoke()}
        >
          {isBusy.value ? 'Revoking…' : 'Revoke key'}
        </button>
        <button ref={keep} type="button" class="button" onClick={close}>
          Keep
        </button>
      </div>
    </div>
  );
}

/** What stops working. */
function consequence({ id, replacedBy, lastUsedAt }: Key): string {
  if (id === shop().api.key.id)
    return 'It is the key of this device: you will have to sign in with another one.';
  const used = lastUsedAt === undefined ? 'It was never used.' : `It was last used ${usedAt(lastUsedAt)}.`;
  return replacedBy === undefined
    ? `Whatever uses this key stops at once. ${used}`
    : `It is the old one, which was replaced: what still uses it stops at once, and the new one goes on working. ${used}`;
}
