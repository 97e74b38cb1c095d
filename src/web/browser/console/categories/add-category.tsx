import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { createCategory } from '../data/actions/categories.ts';
import { problemsFrom, tidyName } from '../data/forms/fields.ts';
import { short } from '../parts/wording.ts';
import { isOffline, shop } from '../session.ts';

interface AddCategoryProps {
  readonly added: (id: bigint) => void;
}

/**
 * Adds categories by their name. The field is empty again at once, so that the next name can be typed; names are sent one after the other.
 */
export function AddCategory({ added }: AddCategoryProps): JSX.Element {
  const name = useSignal('');
  const problem = useSignal<string | undefined>(undefined);
  const waiting = useSignal(0);
  const last = useRef(Promise.resolve());
  const input = useRef<HTMLInputElement>(null);
  const create = async (wanted: string) => {
    try {
      const { id } = await createCategory(shop(), wanted);
      added(id);
    } catch (error) {
      const { form } = problemsFrom(error, 'no two categories have the same name');
      problem.value = form && `${short(wanted)}: ${form}`;
      // It is typed again only where nothing else was typed meanwhile.
      if (name.peek() === '') name.value = wanted;
      input.current?.focus();
    } finally {
      waiting.value--;
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const wanted = tidyName(name.peek());
    if (isOffline() || (wanted === '' && waiting.peek() > 0)) return;
    problem.value = wanted === '' ? 'Enter a name.' : undefined;
    input.current?.focus();
    if (wanted === '') return;
    name.value = '';
    waiting.value++;
    last.current = last.current.then(() => create(wanted));
  };
  return (
    <form class="inline-form" onSubmit={submit} noValidate>
      <label class="visually-hidden" for="new-category">
        Name of a new category
      </label>
      <input
        ref={input}
        id="new-category"
        class="input"
        placeholder="Name of a new category"
        autocomplete="off"
        dir="auto"
        maxLength={1000}
        aria-invalid={problem.value !== undefined}
        aria-describedby="new-category-problem"
        value={name.value}
        onInput={(event: Event) => (name.value = (event.target as HTMLInputElement).value)}
      />
      <button type="submit" class="button main" aria-disabled={isOffline()}>
        {waiting.value > 0 ? 'Adding…' : 'Add'}
      </button>
      <p id="new-category-problem" class="problem" role="alert">
        {problem.value}
      </p>
    </form>
  );
}
