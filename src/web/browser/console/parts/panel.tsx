import { useSignalEffect } from '@preact/signals';
import { type ComponentChildren, createRef, type JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { icon } from '../../shared/icons.tsx';
import { focusTitle } from '../navigation.ts';
import { PanelBody } from './panel-body.tsx';
import { isPhone } from './screen.ts';

interface PanelProps {
  readonly label: string;
  readonly onClose: () => void;
  /** Beside the button that closes it. */
  readonly tools?: ComponentChildren;
  readonly foot?: ComponentChildren;
  /** On a phone it has the same height whatever is in it. */
  readonly isTall?: boolean;
  readonly children: ComponentChildren;
}

let openPanels = 0;
const behind = createRef<HTMLDivElement>();

/** Not by rendering, but at once: when a sheet closes, the focus goes back to what was behind it. */
function coverPage(isSheet: boolean): void {
  if (behind.current) behind.current.inert = isSheet && openPanels > 0;
}

/** The page behind the panels. While a sheet covers it, it can be neither pressed nor reached with the keyboard. */
export function BehindPanel({ children }: { readonly children: ComponentChildren }): JSX.Element {
  useSignalEffect(() => coverPage(isPhone.value));
  return <div ref={behind}>{children}</div>;
}

/**
 * Lies over the list, which neither moves nor narrows, and stays usable beside it. On a phone it is a sheet, and covers it. The focus moves
 * into it and, when it closes, back to where it was.
 */
export function Panel({ label, onClose, tools, foot, isTall = false, children }: PanelProps): JSX.Element {
  const panel = useRef<HTMLDivElement>(null);
  // Before the next key is pressed: a person may be faster than the next frame.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const first = panel.current?.querySelector<HTMLElement>('[data-first]') ?? panel.current;
    first?.focus({ preventScroll: true });
    openPanels++;
    coverPage(isPhone.peek());
    return () => {
      openPanels--;
      coverPage(isPhone.peek());
      const isLost =
        document.activeElement === document.body || panel.current?.contains(document.activeElement);
      if (!isLost) return;
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      else focusTitle();
    };
  }, []);
  const close = useRef(onClose);
  close.current = onClose;
  // From the list beside it, too; but a key that is for a field there is not for the panel.
  useEffect(() => {
    const pressed = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      const isElsewhere =
        target instanceof HTMLElement &&
        target.matches('input, select, textarea') &&
        !panel.current?.contains(target);
      // The browser closes a menu that is open.
      const isForMenu = document.querySelector(':popover-open') !== null;
      if (key === 'Escape' && !defaultPrevented && !isElsewhere && !isForMenu) close.current();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  return (
    <>
      <button type="button" class="backdrop" tabIndex={-1} aria-hidden="true" onClick={onClose} />
      <div ref={panel} class={isTall ? 'panel tall' : 'panel'} role="dialog" aria-label={label} tabIndex={-1}>
        <span class="grip" />
        <div class="panel-tools">
          {tools}
          <button type="button" class="button plain small square" aria-label="Close" onClick={onClose}>
            {icon('close')}
          </button>
        </div>
        <PanelBody>{children}</PanelBody>
        {foot ? <div class="panel-foot">{foot}</div> : null}
      </div>
    </>
  );
}
