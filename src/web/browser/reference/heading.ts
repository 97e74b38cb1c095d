import type { ComponentChildren } from 'preact';
import { type Element, h } from '../shared/element.ts';
import { icon } from '../shared/icons.ts';

/** A heading that can be linked to. */
export function heading(id: string, text: string, extra: ComponentChildren): Element {
  return h(
    'div',
    { class: 'heading' },
    h('h2', { id: `${id}-title` }, text),
    h('a', { class: 'anchor', href: `#${id}`, 'aria-label': `Link to ${text}` }, icon('link')),
    extra,
  );
}
