import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { apiBase, isHere } from '../shared/service.ts';
import { createCallState } from './call/call-state.ts';
import { contentsOf } from './contents.ts';
import { type Entry, entriesOf, errorCodes, type OpenApi, parametersOf } from './document.ts';
import { guideExamples } from './guides/guide-examples.ts';
import { GuideView } from './guides/guide-view.tsx';
import { type Guide, guidesOf } from './guides/guides.ts';
import { type Common, OperationView } from './operation.tsx';
import { type Links, richText } from './prose.tsx';
import { SchemaSection } from './schema.tsx';
import { Sidebar } from './sidebar.tsx';

/** The whole reference of one document. */
export function ReferencePage({ document: api }: { readonly document: OpenApi }): JSX.Element {
  const { groups, entries, states, guides, examples, links, common } = useMemo(() => prepare(api), [api]);
  useEffect(() => {
    // The headings did not exist yet when the browser looked for the one in the address.
    document.getElementById(location.hash.slice(1))?.scrollIntoView({ behavior: 'instant' });
  }, []);
  return (
    <div class="reference">
      <a class="skip" href="#content">
        Skip to content
      </a>
      <Sidebar groups={groups} />
      <main class="doc" id="content" tabIndex={-1}>
        {guides.map((guide, index) => (
          <GuideView key={guide.id} example={examples[guide.id]} {...{ api, guide, links }}>
            {index === 0 ? <Introduction api={api} links={links} /> : null}
          </GuideView>
        ))}
        {entries.map((entry) => {
          const { operationId: id } = entry.operation;
          const state = states.get(id);
          return state ? (
            <OperationView key={id} document={api} {...{ entry, state, links, common }} />
          ) : null;
        })}
        {Object.entries(api.components?.schemas ?? {}).map(([name, schema]) => (
          <SchemaSection key={name} {...{ name, schema, api, links }} />
        ))}
      </main>
    </div>
  );
}

/** What the page is made of. It changes only with the document. */
function prepare(api: OpenApi) {
  const all = entriesOf(api);
  // In the order of the contents.
  const entries = (api.tags ?? []).flatMap(({ name }) =>
    all.filter(({ operation }) => operation.tags?.includes(name)),
  );
  const guides = guidesOf(api);
  return {
    guides,
    entries,
    groups: contentsOf(api, entries, guides),
    states: new Map(entries.map((entry) => [entry.operation.operationId, createCallState(api, entry)])),
    examples: guideExamples(api),
    links: linksOf(entries, guides),
    common: commonOf(api, entries, guides),
  };
}

/** Errors and headers that every operation has: the guides tell about them. */
function commonOf(api: OpenApi, entries: readonly Entry[], guides: readonly Guide[]): Common {
  const ofRequest = entries.map(({ operation }) =>
    parametersOf(api, operation).flatMap(({ name, in: place }) => (place === 'header' ? [name] : [])),
  );
  const inAll = ofRequest.reduce((kept, names) => kept.filter((name) => names.includes(name)));
  return {
    codes: new Set(errorCodes(api).flatMap(({ code, isCommon }) => (isCommon ? [code] : []))),
    headers: new Set([
      ...inAll,
      ...guides.flatMap(({ id, headers = [] }) => (id === 'paging' ? [] : headers)),
    ]),
  };
}

const linksOf = (entries: readonly Entry[], guides: readonly Guide[]): Links =>
  new Map([
    ...guides.map(({ id, title }) => [title, `#${id}`] as const),
    ...entries.flatMap(({ method, path, operation: { operationId } }) => [
      [operationId, `#${operationId}`] as const,
      [`${method} ${path}`, `#${operationId}`] as const,
    ]),
  ]);

interface IntroductionProps {
  readonly api: OpenApi;
  readonly links: Links;
}

function Introduction({ api: { info, servers = [] }, links }: IntroductionProps): JSX.Element {
  return (
    <>
      <h1>API reference</h1>
      <p class="quiet">{`Version ${info.version}, at ${apiBase.host}${apiBase.pathname}`}</p>
      {richText(info.summary, links)}
      {richText(info.description, links)}
      <p>
        <a href="openapi.json">OpenAPI document</a>
        {' · '}
        <a href="./">Inventory console</a>
      </p>
      {servers.every(isHere) ? null : (
        <dl class="params servers">
          {servers.map((server) => (
            <>
              <dt>
                <b>{server.description}</b>
                {isHere(server) ? <span class="quiet">You are here</span> : null}
              </dt>
              <dd>
                <code>{new URL(server.url, document.baseURI).href}</code>
              </dd>
            </>
          ))}
        </dl>
      )}
    </>
  );
}
