import type { ComponentChildren } from 'preact';
import { type Element, h } from '../shared/element.ts';

/** Where names of operations in texts lead to, such as `GET /pets` and `listPets`. */
export type Links = ReadonlyMap<string, string>;

/** Text of the document: paragraphs, and `code`, which is a link where it names an operation. Never markup. */
export function richText(text: string | undefined, links: Links): Element | null {
  if (text === undefined || text === '') return null;
  return h(
    'div',
    { class: 'prose' },
    text.split(/\n{2,}/).map((paragraph) => h('p', null, inline(paragraph, links))),
  );
}

function inline(text: string, links: Links): ComponentChildren[] {
  return text.split(/`([^`]+)`/).map((part, index) => {
    if (index % 2 === 0) return part;
    const href = links.get(part);
    const code = h('code', null, part);
    return href === undefined ? code : h('a', { href }, code);
  });
}
