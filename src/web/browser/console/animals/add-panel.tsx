import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { animalHref } from '../address.ts';
import { Panel } from '../parts/panel.tsx';
import { count, short } from '../parts/wording.ts';
import { isOffline, shop } from '../session.ts';
import { Additions } from './add/additions.tsx';
import { enteredNames, Litter } from './add/litter.tsx';
import { useNamesake } from './add/namesake.ts';
import { CategoryField } from './animal-fields.tsx';
import { ignoreRepeatedEnter } from './panel/edit-form.tsx';

const FORM = 'add-form';

/** Adding uses the place where an animal is shown. The form stays open for the next one. */
export function AddPanel(): JSX.Element | null {
  const { addForm } = shop();
  if (!addForm.isOpen.value) return null;
  return (
    <Panel label="Add animals" isTall onClose={() => addForm.close()} foot={<Buttons />}>
      <Form />
    </Panel>
  );
}

function Form(): JSX.Element {
  const { addForm } = shop();
  const problems = addForm.problems.value;
  // The first field to fix gets the focus, and a screen reader reads its problem.
  useLayoutEffect(() => {
    const [field] = Object.keys(problems);
    if (field !== undefined) document.getElementById(`add-${field}`)?.focus();
  }, [problems]);
  const submit = (event: Event) => {
    event.preventDefault();
    // At once, so that the next letter is already in the field.
    if (!isOffline() && addForm.submit()) document.getElementById('add-name')?.focus();
  };
  return (
    <form id={FORM} class="form" onSubmit={submit} onKeyDown={ignoreRepeatedEnter} noValidate>
      <h2 class="title">Add animals</h2>
      <Litter>
        <CategoryField
          form="add"
          fields={addForm.fields.value}
          problems={problems}
          edit={(change) => addForm.edit(change)}
        />
      </Litter>
      <Additions />
    </form>
  );
}

function Buttons(): JSX.Element {
  const { addForm } = shop();
  const isClosing = useSignal(false);
  const additions = addForm.additions.value;
  const isSending = additions.some(({ state }) => state === 'waiting' || state === 'adding');
  const isTyping = addForm.fields.value.name !== '';
  // It closes when everything is added. What fails has to be seen, and who types the next name goes on.
  useEffect(() => {
    if (!isClosing.value || (isSending && !isTyping)) return;
    isClosing.value = false;
    if (!isTyping && additions.every(({ state }) => state !== 'failed')) addForm.close();
  }, [isClosing.value, isSending, isTyping]);
  const addAndClose = () => {
    if (isOffline() || isClosing.value) return;
    isClosing.value = addForm.submit();
  };
  const many = addForm.count.value > 1 ? ` ${count(addForm.count.value)}` : '';
  return (
    <>
      <div class="pair">
        <button type="submit" form={FORM} class="button main" aria-disabled={isOffline() || isClosing.value}>
          {`Add${many} and next`}
        </button>
        <button
          type="button"
          class="button"
          aria-disabled={isOffline() || isClosing.value}
          onClick={addAndClose}
        >
          {isClosing.value ? 'Adding…' : `Add${many} and close`}
        </button>
      </div>
      <Hint />
    </>
  );
}

/** Always one line beside the buttons, so that nothing moves when there is something to tell. */
function Hint(): JSX.Element {
  const namesake = useNamesake(enteredNames()).value;
  return (
    <p class="hint" role="status">
      {namesake ? (
        <>
          There is {short(namesake.name)} already:{' '}
          <a href={animalHref(namesake.id)} onClick={() => shop().addForm.close()}>
            id <span class="id">{`${namesake.id}`}</span>
          </a>
        </>
      ) : (
        '“And next” keeps the category.'
      )}
    </p>
  );
}
