import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly open: boolean;
  readonly labelledBy: string;
  /** For more than a question. */
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog of the browser: it holds the focus, Escape closes it, and focus returns to where it was. */
export function Dialog({ open, labelledBy, isWide = false, onClose, children }: DialogProps): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (open && !ref.current?.open) ref.current?.showModal();
    if (!open) ref.current?.close();
  }, [open]);
  const isOpen = useRef(open);
  isOpen.current = open;
  // A browser ignores a page that cancels the closing of a dialog twice in a row, but not one that handles the key.
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
  };
  // The back gesture of a phone closes it, too. The event of an earlier closing may come after it was opened again.
  const closed = () => {
    if (!isOpen.current || ref.current?.open) return;
    onClose();
    setTimeout(() => isOpen.current && ref.current?.showModal());
  };
  return (
    <dialog
      ref={ref}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={labelledBy}
      onKeyDown={pressed}
      onClose={closed}
    >
      {open ? children : null}
    </dialog>
  );
}
