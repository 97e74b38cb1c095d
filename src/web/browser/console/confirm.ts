import { effect, signal } from '@preact/signals';
import { type Element, h } from '../shared/element.ts';
import { Dialog } from './dialog.ts';
import { session } from './session.ts';

interface Question {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  readonly accepted: () => void;
}

const question = signal<Question | undefined>(undefined);

effect(() => {
  if (!session.value) question.value = undefined;
});

/** Asks before something that cannot be undone. */
export const confirm = (asked: Question): void => {
  question.value = asked;
};

export function Confirm(): Element {
  const asked = question.value;
  const close = () => (question.value = undefined);
  const accept = () => {
    close();
    asked?.accepted();
  };
  return h(
    Dialog,
    { open: asked !== undefined, labelledBy: 'confirm-title', onClose: close },
    h('h2', { id: 'confirm-title' }, asked?.title),
    h('p', { class: 'lead' }, asked?.text),
    h(
      'div',
      { class: 'form-actions' },
      h('button', { type: 'button', class: 'button', onClick: close }, asked?.no),
      h('button', { type: 'button', class: 'button primary', onClick: accept }, asked?.yes),
    ),
  );
}
