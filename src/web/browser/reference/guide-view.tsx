import type { JSX } from 'preact';
import { type Header, type OpenApi, resolve } from './document.ts';
import { printed } from './exact-json.ts';
import { errorCodes, type Guide } from './guides.ts';
import { heading } from './marks.tsx';
import { type Links, richText } from './rich-text.tsx';
import { fieldRows } from './schema-view.tsx';

interface GuideProps {
  readonly api: OpenApi;
  readonly guide: Guide;
  readonly links: Links;
}

export function GuideView({ api, guide, links }: GuideProps): JSX.Element {
  return (
    <section class="guide" id={guide.id} aria-labelledby={`${guide.id}-title`}>
      {heading(guide.id, guide.title, null)}
      {richText(guide.text, links)}
      {guide.id === 'errors' ? <Codes api={api} links={links} /> : null}
      <Headers api={api} names={guide.headers ?? []} links={links} />
    </section>
  );
}

/** Every code, from the document. */
function Codes({ api, links }: { readonly api: OpenApi; readonly links: Links }): JSX.Element {
  return (
    <dl class="answers">
      {errorCodes(api).map(({ code, status, meaning }) => (
        <div key={code} id={`error-${code}`}>
          <dt>
            <b>{status}</b> <code>{code}</code>
          </dt>
          <dd>{richText(meaning, links)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Headers({
  api,
  names,
  links,
}: {
  readonly api: OpenApi;
  readonly names: readonly string[];
  readonly links: Links;
}): JSX.Element | null {
  const known = api.components?.headers ?? {};
  const fields = names.flatMap((name) => {
    const header = known[name];
    if (!header) return [];
    const { description = '', example, schema = {} } = resolve<Header>(api, header);
    const text = example === undefined ? '' : ` For example \`${printed(example)}\`.`;
    return [
      {
        name: name === 'DeprecationLink' ? 'Link' : name,
        required: false,
        schema,
        marked: {},
        description: description + text,
      },
    ];
  });
  return fields.length === 0 ? null : fieldRows(fields, api, links);
}
