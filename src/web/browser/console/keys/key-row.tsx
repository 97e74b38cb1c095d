import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Key } from '../../../../client/index.ts';
import { rotateKey } from '../data/actions/keys.ts';
import { problemsFrom } from '../data/forms/fields.ts';
import { allows } from '../data/permissions.ts';
import { describeScopes } from '../parts/scopes.ts';
import { short } from '../parts/wording.ts';
import { isOffline, may, sessions, shop } from '../session.ts';
import { KeyEdit } from './key-edit.tsx';
import { isOver, KeyFacts } from './key-words.tsx';
import { RevokeWarning } from './revoke-warning.tsx';

/** One key: whose it is, what it allows, when it was used, and who has changed it. */
export function KeyRow({ of: key }: { readonly of: Key }): JSX.Element {
  const problem = useSignal<string | undefined>(undefined);
  const isRotating = useSignal(false);
  const open = useSignal<'edit' | 'revoke' | undefined>(undefined);
  const opener = useRef<HTMLElement>(null);
  // The keyboard goes on from the button that has opened what is closed.
  const wasOpen = useRef(open.value);
  useLayoutEffect(() => {
    if (wasOpen.current && !open.value) opener.current?.focus({ preventScroll: true });
    wasOpen.current = open.value;
  }, [open.value]);
  const isThis = key.id === shop().api.key.id;
  const close = () => {
    open.value = undefined;
  };
  const toggle = (what: 'edit' | 'revoke') => (event: MouseEvent) => {
    opener.current = event.currentTarget as HTMLElement;
    open.value = open.peek() === what ? undefined : what;
  };
  const rotate = async () => {
    if (isRotating.peek()) return;
    isRotating.value = true;
    problem.value = undefined;
    try {
      const next = await rotateKey(shop(), key.id);
      if (isThis) void sessions.goOnWith(next);
    } catch (error) {
      problem.value = problemsFrom(error, 'look at the list first, the key may have been replaced').form;
    } finally {
      isRotating.value = false;
    }
  };
  const isDisabled = isOver(key) || isOffline() || !isManageable(key);
  const action = (word: string, run: (event: MouseEvent) => void, isExpanded?: boolean) => (
    <button
      type="button"
      class="button plain small"
      aria-label={`${word} ${short(key.name)}, id ${key.id}`}
      aria-expanded={isExpanded}
      onClick={run}
    >
      {word}
    </button>
  );
  return (
    <li class={`key-row ${isOver(key) ? 'is-over' : ''}`}>
      <div>
        <p class="name">
          <bdi>{key.name}</bdi>
          <span class="id">{`id ${key.id}`}</span>
          {isThis ? <span class="mark">This device</span> : null}
        </p>
        <p class="can">{describeScopes(key.scopes)}</p>
        <p class="when">
          <KeyFacts of={key} />
        </p>
        <p class="problem" role="alert">
          {problem.value}
        </p>
      </div>
      {isDisabled ? null : (
        <span class="row-buttons">
          {action('Edit', toggle('edit'), open.value === 'edit')}
          {key.replacedBy === undefined
            ? action(isRotating.value ? 'Rotating…' : 'Rotate', () => void rotate())
            : null}
          {action('Revoke', toggle('revoke'), open.value === 'revoke')}
        </span>
      )}
      {open.value === 'edit' && !isDisabled ? <KeyEdit of={key} close={close} /> : null}
      {open.value === 'revoke' && !isDisabled ? <RevokeWarning of={key} close={close} /> : null}
    </li>
  );
}

/** A key manages only keys that allow no more than it does. */
function isManageable({ scopes }: Key): boolean {
  const ours = shop().api.key.scopes;
  return (
    may('keys:write') && scopes.every((scope) => (scope === '*' ? ours.includes('*') : allows(ours, scope)))
  );
}
