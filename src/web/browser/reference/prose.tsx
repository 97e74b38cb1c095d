import type { ComponentChildren, JSX } from 'preact';

/** Where names of operations in texts lead to, such as `GET /pets` and `listPets`. */
export type Links = ReadonlyMap<string, string>;

/** Text of the document as paragraphs, with `code`, which is a link where it names an operation. Never markup. */
export const richText = (text: string | undefined, links: Links): JSX.Element[] =>
  paragraphs(text).map((paragraph) => <p>{inline(paragraph, links)}</p>);

/** The same as descriptions in a list. */
export const richDetails = (text: string | undefined, links: Links): JSX.Element[] =>
  paragraphs(text).map((paragraph) => <dd>{inline(paragraph, links)}</dd>);

const paragraphs = (text = ''): string[] => text.split(/\n{2,}/).filter((one) => one !== '');

function inline(text: string, links: Links): ComponentChildren[] {
  return text.split(/`([^`]+)`/).map((part, index) => {
    if (index % 2 === 0) return part;
    const href = links.get(part);
    const code = <code>{part}</code>;
    return href === undefined ? code : <a href={href}>{code}</a>;
  });
}

interface Marked {
  readonly deprecated?: boolean;
  readonly 'x-stability'?: string;
  readonly 'x-deprecated-sunset'?: string;
}

export const isNewer = (thing: Marked): boolean => thing['x-stability'] === 'experimental';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Whether one can rely on a thing: experimental, deprecated or stable. */
export function stability(thing: Marked): JSX.Element {
  const { deprecated, 'x-deprecated-sunset': sunset } = thing;
  if (!deprecated && isNewer(thing)) return <span class="stability new">Experimental</span>;
  const removal = sunset === undefined ? '' : `, removed on ${day.format(new Date(sunset))}`;
  return <span class="stability">{deprecated ? `Deprecated${removal}` : 'Stable'}</span>;
}

/** A heading that links to itself, so that its address can be copied. */
export const heading = (id: string, text: string, extra: ComponentChildren = null): JSX.Element => (
  <div class="op">
    <h2 id={`${id}-title`}>
      <a href={`#${id}`}>{text}</a>
    </h2>
    {extra}
  </div>
);
