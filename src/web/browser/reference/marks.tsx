import type { ComponentChildren, JSX } from 'preact';
import { icon } from '../shared/icons.tsx';

interface Marked {
  readonly deprecated?: boolean;
  readonly 'x-stability'?: string;
}

/** What a reader should know before relying on a thing. */
export function marks(thing: Marked): JSX.Element[] {
  const stability = thing['x-stability'];
  return [
    ...(thing.deprecated
      ? [
          <span class="badge deprecated" key="deprecated">
            Deprecated
          </span>,
        ]
      : []),
    ...(stability
      ? [
          <span class={`badge ${stability}`} key="stability">
            {capital(stability)}
          </span>,
        ]
      : []),
  ];
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A method in its own shape of letters; colour says nothing that the word does not. */
export const methodMark = (method: string): JSX.Element => (
  <span class={`method ${method.toLowerCase()}`}>{method}</span>
);

/** A parameter or header that is newer than its operation. The guide says what it means. */
export const newer = ({ 'x-stability': stability }: Marked): JSX.Element | null =>
  stability === 'experimental' ? (
    <a class="newer" href="#versions" title="Experimental" aria-label="Experimental">
      °
    </a>
  ) : null;

/** A heading that can be linked to. */
export function heading(id: string, text: string, extra: ComponentChildren): JSX.Element {
  return (
    <div class="heading">
      <h2 id={`${id}-title`}>{text}</h2>
      <a class="anchor" href={`#${id}`} aria-label={`Link to ${text}`}>
        {icon('link')}
      </a>
      {extra}
    </div>
  );
}
