import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { problemsFrom, tidyName } from '../animals/values.ts';
import { categoryNames, createCategory, unnamedCategories } from '../data/categories.ts';
import { may } from '../data/permissions.ts';
import { loadedAt } from '../data/store.ts';
import { CategoryRow } from './category-row.tsx';

/** Naming, renaming and removing categories. */
export function CategoriesView(): JSX.Element {
  // In the order of the first look: a new name moves no row, and a removed category stays until the person leaves.
  const shown = useRef(new Map<bigint, string | undefined>());
  for (const [id, name] of categoryNames.value) shown.current.set(id, name);
  for (const id of unnamedCategories.value) if (!shown.current.has(id)) shown.current.set(id, undefined);
  const add = (id: bigint, name: string) => {
    shown.current = new Map([[id, name], ...shown.current]);
  };
  return (
    <div class="narrow">
      <div class="page-head">
        <h1 id="view-title" tabIndex={-1}>
          Categories
        </h1>
      </div>
      <section class="card list" aria-label="Categories">
        {may('pets:write') ? <AddCategory added={add} /> : null}
        <ul class="rows">
          {[...shown.current].map(([id, name]) => (
            <CategoryRow key={`${id}`} id={id} name={name} />
          ))}
        </ul>
        {shown.current.size === 0 && loadedAt.value ? (
          <p class="list-end">No category has a name yet.</p>
        ) : null}
      </section>
      <p class="hint narrow-hint">
        {may('pets:write') ? 'A category can be removed once no animal belongs to it. ' : ''}
        The tag of a category comes from its id and stays the same when the name changes.
      </p>
    </div>
  );
}

interface AddCategoryProps {
  readonly added: (id: bigint, name: string) => void;
}

function AddCategory({ added }: AddCategoryProps): JSX.Element {
  const name = useSignal('');
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (problem.value) input.current?.focus();
  }, [problem.value]);
  const submit = async (event: Event) => {
    event.preventDefault();
    const tidy = tidyName(name.peek());
    problem.value = tidy === '' ? 'Enter a name.' : undefined;
    if (tidy === '' || busy.peek()) return;
    busy.value = true;
    try {
      const { id } = await createCategory(tidy);
      added(id, tidy);
      name.value = '';
    } catch (error) {
      problem.value = problemsFrom(error, 'no two categories have the same name').form;
    } finally {
      busy.value = false;
    }
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
        aria-invalid={problem.value !== undefined}
        aria-describedby="new-category-problem"
        value={name.value}
        onInput={(event: Event) => (name.value = (event.target as HTMLInputElement).value)}
      />
      <button type="submit" class="button main" aria-disabled={busy.value}>
        {busy.value ? 'Adding…' : 'Add'}
      </button>
      <p id="new-category-problem" class="problem" role="alert">
        {problem.value}
      </p>
    </form>
  );
}
