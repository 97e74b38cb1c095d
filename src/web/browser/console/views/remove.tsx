import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Question } from '../parts/dialog.tsx';
import { Choice, Field } from '../parts/form.tsx';

/** The most characters that the service stores. */
const REASON_MAX = 200;
const REASONS = ['Died', 'Given away', 'Mistake'] as const;

const focusInside = (of: HTMLElement | null) => of?.querySelector('input')?.focus();

interface RemoveDialogProps {
  /** `Remove Otis?` */
  readonly title: string;
  /** `Otis can be restored from the tab Removed.` */
  readonly about: string;
  readonly onRemove: (reason: string | undefined) => void;
  readonly onClose: () => void;
}

/** Removing can be undone, so this asks only for a reason, which is optional. */
export function RemoveDialog({ title, about, onRemove, onClose }: RemoveDialogProps): JSX.Element {
  const reason = useSignal<string | undefined>(undefined);
  const isOther = useSignal(false);
  const choose = (text: string, other = false) => {
    reason.value = text;
    isOther.value = other;
  };
  const submit = () => {
    onClose();
    onRemove(reason.peek()?.trim() || undefined);
  };
  return (
    <Question title={title} label="Remove" onSubmit={submit} onClose={onClose}>
      <fieldset class="field">
        <legend>
          Why? <small>optional</small>
        </legend>
        {REASONS.map((text, index) => (
          <Choice
            key={text}
            isFirst={index === 0}
            name="why"
            label={text}
            isChosen={!isOther.value && reason.value === text}
            onChoose={() => choose(text)}
          />
        ))}
        <Choice name="why" label="Other…" isChosen={isOther.value} onChoose={() => choose('', true)} />
      </fieldset>
      {isOther.value ? (
        <div ref={focusInside}>
          <Field
            label="Reason"
            input={{
              maxLength: REASON_MAX,
              value: reason.value ?? '',
              onInput: ({ currentTarget }) => (reason.value = currentTarget.value),
            }}
          />
        </div>
      ) : null}
      <p class="quiet">{about}</p>
    </Question>
  );
}
