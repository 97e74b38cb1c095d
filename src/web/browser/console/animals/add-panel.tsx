import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Panel } from '../parts/panel.tsx';
import { Tag } from '../parts/tag.tsx';
import { short } from '../parts/wording.ts';
import { animalHref } from '../route.ts';
import { NameField, StatusField } from './animal-fields.tsx';
import { CategoryField } from './category-field.tsx';
import { addAnimal, added, draft, edit, formOpen, namesake, problems, saving } from './draft.ts';

const close = () => (formOpen.value = false);

/** Adding uses the place where an animal is shown. The form stays open for the next one. */
export function AddPanel(): JSX.Element | null {
  if (!formOpen.value) return null;
  return (
    <Panel label="Add an animal" onClose={close} foot={<Submit />}>
      <AddForm />
    </Panel>
  );
}

const FORM = 'add-form';

function AddForm(): JSX.Element {
  const found = problems.value;
  // The first field to fix gets the focus, and a screen reader reads its problem.
  useEffect(() => {
    const [field] = Object.keys(found);
    document.getElementById(field && field !== 'form' ? `add-${field}` : 'add-name')?.focus();
  }, [found, added.value.length]);
  const submit = (event: Event) => {
    event.preventDefault();
    void addAnimal();
  };
  const fields = { form: 'add', draft: draft.value, problems: found, edit } as const;
  return (
    <form id={FORM} class="form" onSubmit={submit} noValidate>
      <h2>Add an animal</h2>
      <NameField {...fields} />
      <CategoryField {...fields} />
      <details class="more">
        <summary>More</summary>
        <StatusField {...fields} />
      </details>
      <p class="problem" role="alert">
        {found.form}
      </p>
      <Namesake />
      <Added />
    </form>
  );
}

function Namesake(): JSX.Element {
  const other = namesake.value;
  return (
    <p class="question" role="alert">
      {other ? (
        <>
          {`There is an animal called ${short(other.name)} already: `}
          <a href={animalHref(other.id)} onClick={close}>{`id\u00a0${other.id}`}</a>. Add again to add another
          one.
        </>
      ) : null}
    </p>
  );
}

function Added(): JSX.Element | null {
  if (added.value.length === 0) return null;
  return (
    <div>
      <h3>Added just now</h3>
      <ul class="added">
        {added.value.map((pet) => (
          <li key={`${pet.id}`}>
            <Tag categoryId={pet.categoryId} />
            <a href={animalHref(pet.id)} onClick={close}>
              <bdi class="cut">{pet.name}</bdi>
            </a>
            <span class="id">{`${pet.id}`}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Submit(): JSX.Element {
  const addAndClose = async () => {
    if (await addAnimal()) close();
  };
  return (
    <>
      <div class="pair">
        <button type="submit" form={FORM} class="button main" aria-disabled={saving.value}>
          {saving.value ? 'Adding…' : 'Add and next'}
        </button>
        <button type="button" class="button" aria-disabled={saving.value} onClick={() => void addAndClose()}>
          Add and close
        </button>
      </div>
      <p class="hint">“Add and next” keeps the category and goes back to the name.</p>
    </>
  );
}
