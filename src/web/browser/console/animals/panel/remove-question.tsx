import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { remove } from '../../data/actions/removal.ts';
import type { Animal } from '../../data/cache/animal.ts';
import { isOffline, shop } from '../../session.ts';
import { NO_REASON, type Reason, ReasonChips, reasonText } from './reason-chips.tsx';

interface RemoveQuestionProps {
  readonly animal: Animal;
  readonly onClose: () => void;
}

/** Removing can be undone: it asks nothing more than a reason, which is optional. */
export function RemoveQuestion({ animal, onClose }: RemoveQuestionProps): JSX.Element {
  const reason = useSignal<Reason>(NO_REASON);
  const question = useRef<HTMLHeadingElement>(null);
  // A screen reader reads the question, and Tab leads to the reasons.
  useLayoutEffect(() => question.current?.focus({ preventScroll: true }), []);
  const isDisabled = isOffline() || shop().outcomes.isBusy(`animal-${animal.id}`);
  const submit = (event: Event) => {
    event.preventDefault();
    if (isDisabled) return;
    void remove(shop(), animal, reasonText(reason.peek()));
    onClose();
  };
  return (
    <form class="reason" onSubmit={submit} noValidate>
      <h3 ref={question} tabIndex={-1}>
        Remove <bdi>{animal.name}</bdi>?
      </h3>
      <ReasonChips reason={reason.value} onReason={(given) => (reason.value = given)} />
      <div class="pair">
        <button type="submit" class="button main" aria-disabled={isDisabled}>
          Remove
        </button>
        <button type="button" class="button" onClick={onClose}>
          Keep
        </button>
      </div>
    </form>
  );
}
