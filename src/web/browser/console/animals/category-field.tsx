import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { categoryCalled, categoryNames, createCategory } from '../data/categories.ts';
import { short } from '../parts/wording.ts';
import type { FieldsProps } from './animal-fields.tsx';
import { Field } from './field.tsx';
import { categoryIdOf, problemsFrom, tidyName } from './values.ts';

/** A category by its name, found by typing, or created on the spot; or by its number, where nobody has named it. */
export function CategoryField({ form, draft, problems, edit }: FieldsProps): JSX.Element {
  const problem = useSignal<string | undefined>(undefined);
  const name = tidyName(draft.category);
  // Once the category is known, what was wrong with it is no longer true.
  const found = categoryIdOf(name) === undefined ? problems.category : undefined;
  const create = async () => {
    problem.value = undefined;
    try {
      await createCategory(name);
    } catch (error) {
      problem.value = problemsFrom(error, 'no two categories have the same name').form;
    }
    document.getElementById(`${form}-category`)?.focus();
  };
  const typed = (event: Event) => {
    problem.value = undefined;
    edit({ category: (event.target as HTMLInputElement).value });
  };
  return (
    <Field
      id={`${form}-category`}
      label="Category"
      problem={problem.value ?? found}
      hint={hintFor(name, found === undefined, () => void create())}
    >
      {(common) => (
        <>
          <input
            {...common}
            class="input"
            list={`${form}-categories`}
            dir="auto"
            autocomplete="off"
            placeholder="Name of a category"
            value={draft.category}
            onInput={typed}
          />
          <datalist id={`${form}-categories`}>
            {[...categoryNames.value].map(([id, known]) => (
              <option key={`${id}`} value={known} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** Always one line, so that nothing below it moves while one types. */
function hintFor(name: string, isNews: boolean, create: () => void): JSX.Element {
  if (name === '') return <>Type to find one, or to create a new one.</>;
  if (categoryCalled(name) !== undefined) return <>One of your categories.</>;
  if (categoryIdOf(name) !== undefined) return <>A category by its number, without a name.</>;
  return (
    <>
      {isNews ? 'No category has this name. ' : ''}
      <button type="button" class="link" onClick={create}>
        Create {short(name)}
      </button>
    </>
  );
}
