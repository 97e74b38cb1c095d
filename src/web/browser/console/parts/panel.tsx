import { signal, useSignal, useSignalEffect } from '@preact/signals';
import { type ComponentChildren, createRef, type JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { icon } from '../../shared/icons.tsx';
import { focusTitle } from '../navigation.ts';
import { Dialog } from './dialog.tsx';
import { focusProblem } from './form.tsx';

/** The same limit as in the style sheets. */
const phone = matchMedia('screen and (max-width: 800px)');
const isPhone = signal(phone.matches);
phone.addEventListener('change', ({ matches }) => (isPhone.value = matches));

/** Whether something was typed in the open panel that is not saved. */
let hasDraft = (): boolean => false;
/** What the person was about to do when asked about the draft. */
const asked = signal<(() => void) | undefined>(undefined);

/** Calls `go`, but asks first if there is a draft: it would be lost with its panel. */
export function leaveDraft(go: () => void): void {
  if (hasDraft()) asked.value = go;
  else go();
}

/** Asks first, because a link beside the panel would close it or show another animal in it. */
function linkPressed(event: MouseEvent): void {
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
  if (!link || !hasDraft() || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  asked.value = () => link.click();
}

/** Back would do the same. With the Navigation API, a page can prevent it. */
function goingBack(event: NavigateEvent): void {
  if (event.navigationType !== 'traverse' || !event.cancelable || !hasDraft()) return;
  const { key } = event.destination;
  event.preventDefault();
  asked.value = () => void navigation.traverseTo(key);
}

/** Reloading and closing the tab ask as well, in the words of the browser. */
function unloading(event: BeforeUnloadEvent): void {
  if (hasDraft()) event.preventDefault();
}

export function DraftQuestion(): JSX.Element | null {
  const go = asked.value;
  if (!go) return null;
  const keep = () => (asked.value = undefined);
  const discard = () => {
    hasDraft = () => false;
    keep();
    go();
  };
  return (
    <Dialog title="Discard what you typed?" onClose={keep}>
      <p>It is not saved.</p>
      <div class="buttons">
        <button type="button" class="button main" onClick={discard}>
          Discard
        </button>
        <button type="button" class="button" onClick={keep} data-first>
          Go on typing
        </button>
      </div>
    </Dialog>
  );
}

let openPanels = 0;
const behind = createRef<HTMLDivElement>();

/** Takes effect at once and not by rendering, because the focus returns to the page when a sheet closes. */
function coverPage(isSheet: boolean): void {
  if (behind.current) behind.current.inert = isSheet && openPanels > 0;
}

/** The page behind the panels. While a sheet covers it, it can be neither pressed nor reached with the keyboard. */
export function BehindPanel({ children }: { readonly children: ComponentChildren }): JSX.Element {
  useSignalEffect(() => coverPage(isPhone.value));
  return <div ref={behind}>{children}</div>;
}

interface PanelProps {
  readonly label: string;
  readonly onClose: () => void;
  /** Whether something was typed in it that would be lost. */
  readonly hasDraft?: () => boolean;
  readonly foot?: ComponentChildren;
  /** Makes the panel a form, which Enter submits. */
  readonly onSubmit?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/**
 * A panel over the list, which neither moves nor narrows, and stays usable beside it. On a phone it is a sheet that covers the list. The
 * focus moves to the element with `data-first`, and back to where it was when the panel closes.
 */
export function Panel({ label, onClose, foot, onSubmit, children, ...given }: PanelProps): JSX.Element {
  const panel = useRef<HTMLDivElement>(null);
  // In a layout effect, because a person may press the next key before the next frame.
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
  const latest = useRef(given.hasDraft);
  latest.current = given.hasDraft;
  useEffect(() => {
    const ours = () => latest.current?.() ?? false;
    hasDraft = ours;
    addEventListener('click', linkPressed, { capture: true });
    addEventListener('beforeunload', unloading);
    globalThis.navigation?.addEventListener('navigate', goingBack);
    return () => {
      // The next panel may be there already.
      if (hasDraft === ours) hasDraft = () => false;
      removeEventListener('click', linkPressed, { capture: true });
      removeEventListener('beforeunload', unloading);
      globalThis.navigation?.removeEventListener('navigate', goingBack);
    };
  }, []);
  const close = useRef(onClose);
  close.current = () => leaveDraft(onClose);
  // Escape also works in the list beside the panel, but not in a field there.
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { key, target, defaultPrevented } = event;
      const isElsewhere =
        target instanceof HTMLElement &&
        target.matches('input:not([type=checkbox]), select, textarea') &&
        !panel.current?.contains(target);
      // The browser closes a menu or a dialog that is open.
      const isForOther = document.querySelector(':popover-open, dialog[open]') !== null;
      if (key !== 'Escape' || defaultPrevented || isElsewhere || isForOther) return;
      // Otherwise it would also close the question about a draft, which opens at once.
      event.preventDefault();
      close.current();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  const inside = (
    <>
      <PanelBody>{children}</PanelBody>
      {foot ? <div class="panel-foot">{foot}</div> : null}
    </>
  );
  return (
    <>
      <button
        type="button"
        class="backdrop"
        tabIndex={-1}
        aria-hidden="true"
        onClick={() => close.current()}
      />
      <div ref={panel} class="panel" role="dialog" aria-label={label} tabIndex={-1}>
        {onSubmit ? (
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              focusProblem(event.currentTarget);
              onSubmit();
            }}
          >
            {inside}
          </form>
        ) : (
          inside
        )}
        <button type="button" class="button plain close" aria-label="Close" onClick={() => close.current()}>
          {icon('close')}
        </button>
      </div>
    </>
  );
}

/** The part that scrolls. If nothing in it can get the focus, it gets the focus itself, so that the keyboard can scroll it. */
function PanelBody({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const body = useRef<HTMLDivElement>(null);
  const isFocusable = useSignal(false);
  useLayoutEffect(() => {
    const { current } = body;
    if (!current) return undefined;
    const look = () => {
      const hasControl = current.querySelector('a, button, input') !== null;
      isFocusable.value = current.scrollHeight > current.clientHeight && !hasControl;
    };
    const observer = new ResizeObserver(look);
    const changes = new MutationObserver(look);
    observer.observe(current);
    changes.observe(current, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      changes.disconnect();
    };
  }, []);
  const focusable = { tabIndex: 0, role: 'region', 'aria-label': 'Details' } as const;
  return (
    <div ref={body} class="panel-body" {...(isFocusable.value ? focusable : {})}>
      {children}
    </div>
  );
}
