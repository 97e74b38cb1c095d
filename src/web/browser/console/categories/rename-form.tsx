import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { renameCategory } from '../data/actions/categories.ts';
import { tidyName } from '../data/forms/fields.ts';
import { outcomeText } from '../parts/row-state.tsx';
import { Tag } from '../parts/tag.tsx';
import { short } from '../parts/wording.ts';
import { shop } from '../session.ts';

interface RenameFormProps {
  readonly id: bigint;
  /** Undefined if the category has no name. */
  readonly name: string | undefined;
  readonly done: () => void;
  readonly keep: () => void;
}

/** Names a category, in its row. What was typed stays until it is saved. */
export function RenameForm({ id, name, done, keep }: RenameFormProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const problem = useSignal<string | undefined>(undefined);
  const field = `name-of-${id}`;
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const { outcomes } = shop();
    const wanted = tidyName(input.current?.value ?? '');
    if (wanted === name) keep();
    else if (wanted === '') problem.value = 'Enter a name.';
    else if (!outcomes.isBusy(`category-${id}`)) {
      problem.value = undefined;
      if (await renameCategory(shop(), id, wanted)) return done();
      const outcome = outcomes.at(`category-${id}`);
      problem.value = outcome && outcomeText(outcome);
    }
    input.current?.focus();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') keep();
  };
  return (
    <li class="row is-category in-place">
      <Tag categoryId={id} />
      <form class="rename" onSubmit={submit} onKeyDown={pressed} noValidate>
        <label class="visually-hidden" for={field}>
          {name === undefined ? `Name of category ${id}` : `New name for ${short(name)}`}
        </label>
        <input
          ref={input}
          id={field}
          class="input"
          autocomplete="off"
          dir="auto"
          maxLength={1000}
          defaultValue={name}
          aria-invalid={problem.value !== undefined}
          aria-describedby={`${field}-problem`}
        />
        <button type="submit" class="button main">
          {shop().outcomes.isBusy(`category-${id}`) ? 'Saving…' : 'Save'}
        </button>
        <button type="button" class="button plain" onClick={keep}>
          <span class="cut">{name === undefined ? 'Cancel' : `Keep ${short(name)}`}</span>
        </button>
        {/* What the service says is announced with every other outcome. */}
        <p id={`${field}-problem`} class="problem">
          {problem.value}
        </p>
      </form>
    </li>
  );
}
