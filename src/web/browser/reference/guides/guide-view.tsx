import type { ComponentChildren, JSX } from 'preact';
import { Code, CodeCard, statusTitle } from '../code.tsx';
import { entriesOf, errorCodes, type Header, type OpenApi, parametersOf, resolve } from '../document.ts';
import { Machine, Snippets } from '../machine.tsx';
import { heading, type Links, richDetails, richText } from '../prose.tsx';
import { type Field, fieldList, headerField } from '../schema.tsx';
import type { GuideExample } from './guide-examples.ts';
import type { Guide } from './guides.ts';

interface GuideProps {
  readonly api: OpenApi;
  readonly guide: Guide;
  readonly example: GuideExample | undefined;
  readonly links: Links;
  /** What is shown above the guide. */
  readonly children?: ComponentChildren;
}

export function GuideView({ api, guide, example, links, children }: GuideProps): JSX.Element {
  const { id, title, sends = [], headers = [] } = guide;
  return (
    <section class="guide" id={id} aria-labelledby={`${id}-title`}>
      <div class="words">
        {children}
        {heading(id, title)}
        {richText(guide.text, links)}
        {id === 'errors' ? <Codes api={api} links={links} /> : null}
        {fieldList('Request headers', requestHeaders(api, sends), api, links)}
        {fieldList('Response headers', responseHeaders(api, headers), api, links)}
      </div>
      {example ? <Example example={example} id={id} /> : null}
    </section>
  );
}

function Example({ example, id }: { readonly example: GuideExample; readonly id: string }): JSX.Element {
  const { call, flags, status, above, text } = example;
  return (
    <Machine>
      <Snippets call={call} flags={flags} id={id} />
      <CodeCard title={statusTitle(status)} copies={{ text, label: `example answer of ${id}` }}>
        <Code text={text} label={`Example answer of ${id}`} above={above} />
      </CodeCard>
    </Machine>
  );
}

/** Every code, from the document. */
const Codes = ({ api, links }: { readonly api: OpenApi; readonly links: Links }): JSX.Element => (
  <>
    <h3>Codes</h3>
    <dl class="params">
      {errorCodes(api).map(({ code, status, meaning }) => (
        <>
          <dt id={`error-${code}`}>
            <code>{status}</code>
            <span class="quiet">{code}</span>
          </dt>
          {richDetails(meaning, links)}
        </>
      ))}
    </dl>
  </>
);

/** The headers with these names, as the first operation that takes them describes them. */
function requestHeaders(api: OpenApi, names: readonly string[]): Field[] {
  const known = entriesOf(api).flatMap(({ operation }) => parametersOf(api, operation));
  return names.flatMap((name) => {
    const found = known.find((one) => one.in === 'header' && one.name === name);
    return found ? [headerField(name, found)] : [];
  });
}

function responseHeaders(api: OpenApi, names: readonly string[]): Field[] {
  return names.flatMap((name) => {
    const header = api.components?.headers?.[name];
    return header
      ? [headerField(name === 'DeprecationLink' ? 'Link' : name, resolve<Header>(api, header))]
      : [];
  });
}
