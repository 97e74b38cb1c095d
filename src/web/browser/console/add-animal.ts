import { useEffect } from 'preact/hooks';
import type { PetStatus } from '../../../client/index.ts';
import { type Element, h } from '../shared/element.ts';
import { Dialog } from './dialog.ts';
import { addAnimal, addOpen, addProblems, type Draft, draft, saving } from './draft.ts';
import { petStatuses } from './route.ts';
import { statusLabel } from './wording.ts';

const edit = (change: Partial<Draft>) => (draft.value = { ...draft.value, ...change });
const typed = (event: Event) => (event.target as HTMLInputElement).value;

export function AddAnimal(): Element {
  const close = () => (addOpen.value = false);
  return h(Dialog, { open: addOpen.value, labelledBy: 'add-title', onClose: close }, h(AddForm, { close }));
}

function AddForm({ close }: { readonly close: () => void }): Element {
  const problems = addProblems.value;
  // The first field to fix gets the focus, and a screen reader reads its problem.
  useEffect(() => {
    const [field] = Object.keys(problems);
    document.getElementById(field && field !== 'form' ? `add-${field}` : 'add-name')?.focus();
  }, [problems]);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await addAnimal()) close();
  };
  return h(
    'form',
    { class: 'form', onSubmit: submit, noValidate: true },
    h('h2', { id: 'add-title' }, 'Add an animal'),
    field('name', 'Name', problems.name, (common) =>
      h('input', {
        ...common,
        class: 'input',
        dir: 'auto',
        autocomplete: 'off',
        value: draft.value.name,
        onInput: (event: Event) => edit({ name: typed(event) }),
      }),
    ),
    field('categoryId', 'Category number', problems.categoryId, (common) =>
      h('input', {
        ...common,
        class: 'input mono',
        inputMode: 'numeric',
        autocomplete: 'off',
        value: draft.value.categoryId,
        onInput: (event: Event) => edit({ categoryId: typed(event) }),
      }),
    ),
    field('status', 'Status', problems.status, (common) =>
      h(
        'select',
        {
          ...common,
          class: 'input',
          value: draft.value.status,
          onChange: (event: Event) => edit({ status: typed(event) as PetStatus }),
        },
        petStatuses.map((status) => h('option', { value: status }, statusLabel(status))),
      ),
    ),
    h('p', { class: 'problem', role: 'alert' }, problems.form),
    h(
      'div',
      { class: 'form-actions' },
      h('button', { type: 'button', class: 'button', onClick: close }, 'Close'),
      h(
        'button',
        { type: 'submit', class: 'button primary', 'aria-disabled': saving.value },
        saving.value ? 'Adding…' : 'Add animal',
      ),
    ),
  );
}

interface Common {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
}

function field(
  name: string,
  label: string,
  problem: string | undefined,
  control: (common: Common) => Element,
): Element {
  const id = `add-${name}`;
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    control({
      id,
      'aria-invalid': problem !== undefined,
      'aria-describedby': `${id}-problem`,
    }),
    h('p', { id: `${id}-problem`, class: 'problem', role: 'alert' }, problem),
  );
}
