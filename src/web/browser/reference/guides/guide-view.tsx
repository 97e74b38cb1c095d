import type { JSX } from 'preact';
import { Pane } from '../call/pane.tsx';
import { SnippetsView } from '../call/snippets-view.tsx';
import { CodeCard, statusTitle } from '../code/code-card.tsx';
import { Code } from '../code/code-view.tsx';
import { entriesOf, type Header, type OpenApi, parametersOf, resolve } from '../document.ts';
import { heading } from '../marks.tsx';
import { type Links, richText } from '../rich-text.tsx';
import { type Field, fieldRows, withExample } from '../schema-view.tsx';
import { errorCodes } from './errors.ts';
import type { GuideExample } from './guide-examples.ts';
import type { Guide } from './guides.ts';

interface GuideProps {
  readonly api: OpenApi;
  readonly guide: Guide;
  readonly example: GuideExample | undefined;
  readonly links: Links;
}

export function GuideView({ api, guide, example, links }: GuideProps): JSX.Element {
  const { id, title, sends = [], headers = [] } = guide;
  return (
    <section class="entry guide" id={id} aria-labelledby={`${id}-title`}>
      <div class="words">
        {heading(id, title, null)}
        {richText(guide.text, links)}
      </div>
      {example ? <Example example={example} id={id} /> : null}
      <div class="words details">
        {id === 'errors' ? <Codes api={api} links={links} /> : null}
        {headerRows('Request headers', requestHeaders(api, sends), api, links)}
        {headerRows('Response headers', responseHeaders(api, headers), api, links)}
      </div>
    </section>
  );
}

function Example({ example, id }: { readonly example: GuideExample; readonly id: string }): JSX.Element {
  const { call, flags, status, above, text } = example;
  return (
    <Pane>
      <SnippetsView call={call} flags={flags} id={id} />
      <CodeCard title={statusTitle(status)} copies={{ text, label: `example answer of ${id}` }}>
        <Code text={text} language="script" label={`Example answer of ${id}`} above={above} />
      </CodeCard>
    </Pane>
  );
}

/** Every code, from the document. */
function Codes({ api, links }: { readonly api: OpenApi; readonly links: Links }): JSX.Element {
  return (
    <div class="part">
      <h3>Codes</h3>
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
    </div>
  );
}

function headerRows(title: string, fields: readonly Field[], api: OpenApi, links: Links): JSX.Element | null {
  if (fields.length === 0) return null;
  return (
    <div class="part">
      <h3>{title}</h3>
      {fieldRows(fields, api, links)}
    </div>
  );
}

/** The headers with these names, as the first operation that takes them describes them. */
function requestHeaders(api: OpenApi, names: readonly string[]): Field[] {
  const known = entriesOf(api).flatMap(({ operation }) => parametersOf(api, operation));
  return names.flatMap((name) => {
    const found = known.find((one) => one.in === 'header' && one.name === name);
    return found ? [fieldOf(name, found)] : [];
  });
}

function responseHeaders(api: OpenApi, names: readonly string[]): Field[] {
  return names.flatMap((name) => {
    const header = api.components?.headers?.[name];
    return header ? [fieldOf(name === 'DeprecationLink' ? 'Link' : name, resolve<Header>(api, header))] : [];
  });
}

const fieldOf = (name: string, header: Header): Field => ({
  name,
  required: false,
  schema: header.schema ?? {},
  marked: {},
  description: withExample(header),
});
