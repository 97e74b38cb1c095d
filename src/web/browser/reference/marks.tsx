import type { ComponentChildren, JSX } from 'preact';
import { icon } from '../shared/icons.tsx';

interface Marked {
  readonly deprecated?: boolean;
  readonly 'x-stability'?: string;
  readonly 'x-deprecated-sunset'?: string;
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** What a reader should know before relying on a thing: one mark, a shape and words. */
export function stability(thing: Marked): JSX.Element {
  const { deprecated, 'x-stability': given = 'stable', 'x-deprecated-sunset': sunset } = thing;
  const kind = deprecated ? 'deprecated' : given === 'stable' ? 'stable' : 'experimental';
  return (
    <span class={`badge stability ${kind}`}>
      {icon(kind)}
      <span>
        {capital(kind)}
        {deprecated && sunset !== undefined ? (
          <>
            {', removed on '}
            <time dateTime={sunset}>{day.format(new Date(sunset))}</time>
          </>
        ) : null}
      </span>
    </span>
  );
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A method in its own shape of letters; colour says nothing that the word does not. */
export const methodMark = (method: string): JSX.Element => (
  <span class={`method ${method.toLowerCase()}`}>{method}</span>
);

export const isNewer = (thing: Marked): boolean => thing['x-stability'] === 'experimental';

/** A parameter or header that is newer than its operation. The guide says what it means. */
export const newer = (thing: Marked): JSX.Element | null =>
  isNewer(thing) ? (
    <a class="newer" href="#versions" title="Experimental" aria-label="Experimental">
      °
    </a>
  ) : null;

/** A heading that can be linked to. */
export function heading(id: string, text: string, extra: ComponentChildren): JSX.Element {
  return (
    <div class="heading">
      <h2 id={`${id}-title`}>{text}</h2>
      {extra}
      <a class="anchor" href={`#${id}`} aria-label={`Link to ${text}`}>
        {icon('link')}
      </a>
    </div>
  );
}
