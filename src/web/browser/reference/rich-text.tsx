import type { ComponentChildren, JSX } from 'preact';

/** Where names of operations in texts lead to, such as `GET /pets` and `listPets`. */
export type Links = ReadonlyMap<string, string>;

/** Text of the document: paragraphs, and `code`, which is a link where it names an operation. Never markup. */
export function richText(text: string | undefined, links: Links): JSX.Element | null {
  if (text === undefined || text === '') return null;
  return (
    <div class="prose">
      {text.split(/\n{2,}/).map((paragraph) => (
        <p>{inline(paragraph, links)}</p>
      ))}
    </div>
  );
}

function inline(text: string, links: Links): ComponentChildren[] {
  return text.split(/`([^`]+)`/).map((part, index) => {
    if (index % 2 === 0) return part;
    const href = links.get(part);
    const code = <code>{part}</code>;
    return href === undefined ? code : <a href={href}>{code}</a>;
  });
}
