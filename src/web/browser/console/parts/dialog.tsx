import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { focusTitle } from '../navigation.ts';
import { isOffline } from '../session.ts';
import { focusProblem } from './form.tsx';

interface DialogProps {
  readonly title: string;
  /** Undefined where the dialog cannot be closed without an answer. */
  readonly onClose?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** A modal dialog of the browser, open while it is drawn: it holds the focus, Escape closes it, and the focus returns to where it was, or to the title. */
export function Dialog({ title, onClose, children }: DialogProps): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const { current } = ref;
    const before = document.activeElement;
    current?.showModal();
    current?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => {
      current?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      else focusTitle();
    };
  }, []);
  const close = useRef(onClose);
  close.current = onClose;
  // A browser ignores a page that cancels the closing of a dialog twice in a row, but not one that handles the key.
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close.current?.();
  };
  // The back gesture of a phone closes it, too. A dialog that has to be answered opens again.
  const closed = () => {
    if (close.current) close.current();
    else setTimeout(() => ref.current?.isConnected && ref.current.showModal());
  };
  return (
    <dialog ref={ref} class="dialog" aria-labelledby={id} onKeyDown={pressed} onClose={closed}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface QuestionProps {
  readonly title: string;
  /** The label of the button that does it, which is red for what cannot be undone. */
  readonly label: string;
  readonly isRed?: boolean;
  readonly isBusy?: boolean;
  /** The label of the button that does nothing. */
  readonly keep?: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog that asks before it does something. Without a field to fill in, Enter cancels. Offline, it cannot be submitted. */
export function Question({
  title,
  label,
  onSubmit,
  onClose,
  children,
  ...given
}: QuestionProps): JSX.Element {
  const { isRed = false, isBusy = false, keep = 'Keep' } = given;
  const isResting = isBusy || isOffline();
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isResting) return;
          focusProblem(event.currentTarget);
          onSubmit();
        }}
      >
        {children}
        <div class="buttons">
          <button type="submit" class={`button ${isRed ? 'red' : 'main'}`} aria-disabled={isResting}>
            {label}
          </button>
          <button type="button" class="button" data-first onClick={onClose}>
            {keep}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
