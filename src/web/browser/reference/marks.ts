import { type Element, h } from '../shared/element.ts';

interface Marked {
  readonly deprecated?: boolean;
  readonly 'x-stability'?: string;
}

/** What a reader should know before relying on a thing. */
export function marks(thing: Marked): Element[] {
  const stability = thing['x-stability'];
  return [
    ...(thing.deprecated ? [h('span', { class: 'badge deprecated', key: 'deprecated' }, 'Deprecated')] : []),
    ...(stability ? [h('span', { class: `badge ${stability}`, key: 'stability' }, capital(stability))] : []),
  ];
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A method in its own shape of letters; colour says nothing that the word does not. */
export const methodMark = (method: string): Element =>
  h('span', { class: `method ${method.toLowerCase()}` }, method);
