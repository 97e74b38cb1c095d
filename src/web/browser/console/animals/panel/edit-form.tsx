import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { EditForm } from '../../data/forms/edit-form.ts';
import { CategoryName } from '../../parts/tag.tsx';
import { isOffline, shop } from '../../session.ts';
import { CategoryField, NameField } from '../animal-fields.tsx';

const FORM = 'edit-form';

interface EditProps {
  readonly form: EditForm;
  readonly onClose: () => void;
}

interface EditFieldsProps extends EditProps {
  /** What is in the fields was typed before, and the panel was elsewhere meanwhile. */
  readonly isResumed: boolean;
}

/** Changes the name and the category of the animal in its panel. Its status changes by selling, reserving and so on. */
export function EditFields({ form, isResumed, onClose }: EditFieldsProps): JSX.Element {
  const problems = form.problems.value;
  useLayoutEffect(() => document.getElementById('edit-name')?.focus(), []);
  // The first field to fix gets the focus, and a screen reader reads its problem.
  useLayoutEffect(() => {
    const [field] = Object.keys(problems);
    if (field !== undefined) document.getElementById(`edit-${field}`)?.focus();
  }, [problems]);
  // The keyboard goes on in the panel, and not at the beginning of the page.
  useLayoutEffect(() => leave, []);
  const fields = {
    form: 'edit',
    fields: form.fields.value,
    problems,
    edit: (change: Parameters<EditForm['edit']>[0]) => form.edit(change),
  } as const;
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!isOffline() && (await form.save())) onClose();
  };
  return (
    <form id={FORM} class="form" onSubmit={submit} onKeyDown={ignoreRepeatedEnter} noValidate>
      <h2 class="title">Edit</h2>
      <Conflict form={form} />
      {isResumed ? <p class="hint">You typed this before and have not saved it.</p> : null}
      <NameField {...fields} />
      <CategoryField {...fields} />
      <p class="problem" role="alert">
        {problems.form}
      </p>
    </form>
  );
}

function leave(): void {
  const isGone = document.activeElement?.closest('.panel-body, .panel-foot');
  if (isGone) document.querySelector<HTMLElement>('.panel')?.focus({ preventScroll: true });
}

/** A key that is held down submits once: what that leads to has to be read before it is answered. */
export function ignoreRepeatedEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.repeat) event.preventDefault();
}

function Conflict({ form: { conflict } }: { readonly form: EditForm }): JSX.Element {
  const now = conflict.value;
  return (
    <p class="question" role="alert">
      {now ? (
        <>
          Someone else has changed this animal meanwhile. It is now <bdi>{now.name}</bdi>, in{' '}
          <CategoryName categoryId={now.categoryId} />. Save again to replace that with what you typed.
        </>
      ) : null}
    </p>
  );
}

export function EditButtons({ form, onClose }: EditProps): JSX.Element {
  const discard = () => {
    shop().discardEdit(form.id);
    onClose();
  };
  const isSaving = form.isSaving.value;
  return (
    <div class="pair">
      <button type="submit" form={FORM} class="button main" aria-disabled={isSaving || isOffline()}>
        {isSaving ? 'Saving…' : 'Save'}
      </button>
      <button type="button" class="button" onClick={discard}>
        Discard
      </button>
    </div>
  );
}
