import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Element, h } from '../shared/element.ts';

interface DialogProps {
  readonly open: boolean;
  readonly labelledBy: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog of the browser: it holds the focus, Escape closes it, and focus returns to where it was. */
export function Dialog({ open, labelledBy, onClose, children }: DialogProps): Element {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && !ref.current?.open) ref.current?.showModal();
    if (!open) ref.current?.close();
  }, [open]);
  const isOpen = useRef(open);
  isOpen.current = open;
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  // A browser closes a dialog at the second Escape, whatever the page says about the first.
  const closed = () => {
    if (!isOpen.current) return;
    onClose();
    setTimeout(() => isOpen.current && ref.current?.showModal());
  };
  return h(
    'dialog',
    { ref, class: 'dialog', 'aria-labelledby': labelledBy, onCancel: cancel, onClose: closed },
    open ? children : null,
  );
}
