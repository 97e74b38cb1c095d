import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Holds call and answer beside the text. The style sheet keeps it in view while the text scrolls: as a whole if it fits into the window,
 * otherwise it scrolls with the page up to its end. It needs the height for that, and is no scroller itself.
 */
export function Pane({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const pane = root.current;
    if (!pane) return undefined;
    const observer = new ResizeObserver(() => tellHeight(pane));
    observer.observe(pane);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="pane" ref={root}>
      {children}
    </div>
  );
}

const tellHeight = (pane: HTMLElement): void => pane.style.setProperty('--height', `${pane.offsetHeight}px`);

/**
 * Shows a part of the pane that has just appeared. Where it is out of view even though the pane follows the text, the page scrolls, as if
 * the pane did not follow: otherwise a browser scrolls to where the part was.
 */
export function bringIntoView(part: HTMLElement): void {
  const pane = part.closest<HTMLElement>('.pane');
  if (!pane) return;
  tellHeight(pane);
  const { top, bottom } = part.getBoundingClientRect();
  if (top >= 0 && bottom <= innerHeight) return;
  pane.style.position = 'static';
  part.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  pane.style.position = '';
}
