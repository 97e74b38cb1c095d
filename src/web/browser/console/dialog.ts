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
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return h(
    'dialog',
    { ref, class: 'dialog', 'aria-labelledby': labelledBy, onCancel: cancel },
    open ? children : null,
  );
}
