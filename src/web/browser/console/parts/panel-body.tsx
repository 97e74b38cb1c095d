import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The part of a panel that scrolls. Where it has nothing else to focus, it gets the focus itself, so that the keyboard can scroll it. */
export function PanelBody({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const body = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFocusable = useSignal(false);
  useLayoutEffect(() => {
    if (!body.current || !content.current) return undefined;
    const { current } = body;
    const observer = new ResizeObserver(() => {
      const hasControl = current.querySelector('a, button, input') !== null;
      isFocusable.value = current.scrollHeight > current.clientHeight && !hasControl;
    });
    observer.observe(current);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, []);
  const focusable = { tabIndex: 0, role: 'region', 'aria-label': 'Details' } as const;
  return (
    <div ref={body} class="panel-body" {...(isFocusable.value ? focusable : {})}>
      <div ref={content}>{children}</div>
    </div>
  );
}
