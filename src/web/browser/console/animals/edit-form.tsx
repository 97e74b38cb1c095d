import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { reservations } from '../data/store.ts';
import { CategoryName } from '../parts/tag.tsx';
import { statusWord } from '../parts/wording.ts';
import { NameField, StatusField } from './animal-fields.tsx';
import { CategoryField } from './category-field.tsx';
import {
  changedElsewhere,
  editAnimal,
  editing,
  editProblems,
  saveEdit,
  savingEdit,
  stopEditing,
} from './edit.ts';

const FORM = 'edit-form';

/** Changes the animal in its panel. */
export function EditForm(): JSX.Element | null {
  const found = editProblems.value;
  const current = editing.value;
  useEffect(() => {
    const [field] = Object.keys(found);
    document.getElementById(field && field !== 'form' ? `edit-${field}` : 'edit-name')?.focus();
  }, [found]);
  // The keyboard goes on in the panel, not at the beginning of the page.
  useEffect(() => () => document.querySelector<HTMLElement>('.panel')?.focus({ preventScroll: true }), []);
  if (!current) return null;
  const fields = { form: 'edit', draft: current.draft, problems: found, edit: editAnimal } as const;
  const order = reservations.value.get(current.before.id);
  const submit = (event: Event) => {
    event.preventDefault();
    void saveEdit();
  };
  return (
    <form id={FORM} class="form" onSubmit={submit} noValidate>
      <h2>Edit</h2>
      <ChangedElsewhere />
      {current.isResumed ? <p class="hint">You typed this before and have not saved it.</p> : null}
      <NameField {...fields} />
      <CategoryField {...fields} />
      {order ? (
        <p class="hint">Its status follows order {`${order.id}`}. Complete or cancel that to change it.</p>
      ) : (
        <StatusField {...fields} />
      )}
      <p class="problem" role="alert">
        {found.form}
      </p>
    </form>
  );
}

function ChangedElsewhere(): JSX.Element {
  const now = editing.value?.before;
  return (
    <p class="question" role="alert">
      {changedElsewhere.value && now ? (
        <>
          Someone else has changed this animal meanwhile. It is now <bdi>{now.name}</bdi>,{' '}
          <CategoryName categoryId={now.categoryId} />, {statusWord(now.status)}. Save again to store what you
          typed instead.
        </>
      ) : null}
    </p>
  );
}

export function EditButtons(): JSX.Element {
  return (
    <div class="pair">
      <button type="submit" form={FORM} class="button main" aria-disabled={savingEdit.value}>
        {savingEdit.value ? 'Saving…' : 'Save'}
      </button>
      <button type="button" class="button" onClick={stopEditing}>
        Discard changes
      </button>
    </div>
  );
}
