import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Key, KeyUpdate } from '../../../../client/index.ts';
import { updateKey } from '../data/actions/keys.ts';
import { problemsFrom, tidyName } from '../data/forms/fields.ts';
import { short } from '../parts/wording.ts';
import { shop } from '../session.ts';
import { type Choice, includedIn, scopesOf } from './scope-choice.ts';
import { ScopeTicks } from './scope-ticks.tsx';

interface KeyEditProps {
  readonly of: Key;
  readonly close: () => void;
}

/** Renames a key, or takes something away from it, in its row. Only what the person has touched is sent. */
export function KeyEdit({ of: key, close }: KeyEditProps): JSX.Element {
  // As it was when the form was opened: others may change it meanwhile.
  const before = useRef({ name: key.name, options: includedIn(key.scopes) }).current;
  const name = useSignal(before.name);
  const choice = useSignal<Choice>(new Set(before.options));
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const changes = (): KeyUpdate => ({
    ...(tidyName(name.peek()) !== before.name && { name: tidyName(name.peek()) }),
    ...(choice.peek().size < before.options.length && { scopes: scopesOf(choice.peek()) }),
  });
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy.peek()) return;
    const update = changes();
    problem.value = problemWith(update);
    if (problem.peek()) return;
    if (Object.keys(update).length === 0) return close();
    isBusy.value = true;
    try {
      await updateKey(shop(), key.id, update);
      close();
    } catch (error) {
      problem.value = problemsFrom(error, 'the same change twice is one change').form;
    } finally {
      isBusy.value = false;
    }
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  };
  const id = `key-${key.id}`;
  return (
    <form
      class="key-edit"
      aria-label={`Edit ${short(before.name)}`}
      onSubmit={submit}
      onKeyDown={pressed}
      noValidate
    >
      <div class="field">
        <label class="label" for={`${id}-name`}>
          Name
        </label>
        <input
          ref={input}
          id={`${id}-name`}
          class="input"
          autocomplete="off"
          dir="auto"
          maxLength={100}
          value={name.value}
          onInput={(event: Event) => (name.value = (event.target as HTMLInputElement).value)}
        />
      </div>
      <fieldset>
        <legend class="label">
          What it allows <small>you can take away, not add</small>
        </legend>
        <ScopeTicks id={id} options={before.options} choice={choice} isNarrowing />
      </fieldset>
      {key.id === shop().api.key.id ? (
        <p class="hint">This is the key of this device: what you take away is gone here at once.</p>
      ) : null}
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <div class="actions">
        <button type="submit" class="button main" aria-disabled={isBusy.value}>
          {isBusy.value ? 'Saving…' : 'Save'}
        </button>
        <button type="button" class="button plain" onClick={close}>
          Keep as it was
        </button>
      </div>
    </form>
  );
}

function problemWith({ name, scopes }: KeyUpdate): string | undefined {
  if (name === '') return 'Say who or what it is for.';
  return scopes?.length === 0 ? 'It must allow something. Revoke it instead.' : undefined;
}
