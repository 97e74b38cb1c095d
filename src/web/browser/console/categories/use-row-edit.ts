import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface RowEdit {
  /** What is changed in place of the row. */
  readonly edit: Signal<'rename' | 'merge' | undefined>;
  /** The link of the row: the keyboard goes on from there once the form is closed. */
  readonly link: RefObject<HTMLAnchorElement | null>;
  readonly close: () => void;
}

/** Which form a row is, if it is one. */
export function useRowEdit(): RowEdit {
  const edit = useSignal<'rename' | 'merge' | undefined>(undefined);
  const link = useRef<HTMLAnchorElement>(null);
  const before = useRef(edit.value);
  useLayoutEffect(() => {
    if (before.current && !edit.value) link.current?.focus({ preventScroll: true });
    before.current = edit.value;
  }, [edit.value]);
  const close = () => {
    edit.value = undefined;
  };
  return { edit, link, close };
}
