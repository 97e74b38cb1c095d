import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { createCallState } from './call/call-state.ts';
import { type Entry, entriesOf, type OpenApi, parametersOf } from './document.ts';
import { commonCodes } from './guides/errors.ts';
import { guideExamples } from './guides/guide-examples.ts';
import { GuideView } from './guides/guide-view.tsx';
import { type Guide, guidesOf } from './guides/guides.ts';
import { Introduction } from './introduction.tsx';
import { capital } from './marks.tsx';
import { OperationView } from './operation-view.tsx';
import { type Links, richText } from './rich-text.tsx';
import { SchemaSection } from './schema-section.tsx';
import { Sidebar } from './sidebar.tsx';

/** The whole reference of one document. */
export function ReferencePage({ document: api }: { readonly document: OpenApi }): JSX.Element {
  const entries = useMemo(() => entriesOf(api), [api]);
  const states = useMemo(() => new Map(entries.map((entry) => [entry, createCallState(api, entry)])), [api]);
  const guides = useMemo(() => guidesOf(api), [api]);
  const examples = useMemo(() => guideExamples(api), [api]);
  const links = useMemo(() => linksOf(entries, guides), [api]);
  const common = useMemo(
    () => ({ codes: commonCodes(api), headers: commonHeaders(api, entries, guides) }),
    [api],
  );
  useEffect(() => {
    // The headings did not exist yet when the browser looked for the one in the address.
    document.getElementById(location.hash.slice(1))?.scrollIntoView({ behavior: 'instant' });
  }, []);
  return (
    <div class="reference">
      <a class="skip" href="#content">
        Skip to content
      </a>
      <Sidebar api={api} entries={entries} guides={guides} />
      <main class="reference-main" id="content" tabIndex={-1}>
        <Introduction api={api} links={links} />
        {guides.map((guide) => (
          <GuideView key={guide.id} example={examples[guide.id]} {...{ api, guide, links }} />
        ))}
        {(api.tags ?? []).map(({ name, description }) => (
          <div key={name} class="group">
            <div class="group-head" id={`group-${name}`}>
              <p class="group-name">{capital(name)}</p>
              {richText(description, links)}
            </div>
            {entries
              .filter(({ operation }) => operation.tags?.includes(name))
              .map((entry) => {
                const state = states.get(entry);
                return state ? (
                  <OperationView
                    key={entry.operation.operationId}
                    {...{ document: api, entry, state, links, common }}
                  />
                ) : null;
              })}
          </div>
        ))}
        <div class="group">
          <div class="group-head" id="schemas">
            <p class="group-name">Schemas</p>
          </div>
          {Object.entries(api.components?.schemas ?? {}).map(([name, schema]) => (
            <SchemaSection key={name} name={name} schema={schema} api={api} links={links} />
          ))}
        </div>
      </main>
    </div>
  );
}

/** Headers that every operation takes or returns: the guides tell about them. */
function commonHeaders(
  api: OpenApi,
  entries: readonly Entry[],
  guides: readonly Guide[],
): ReadonlySet<string> {
  const ofRequest = entries.map(({ operation }) =>
    parametersOf(api, operation).flatMap(({ name, in: place }) => (place === 'header' ? [name] : [])),
  );
  const inAll = ofRequest.reduce((kept, names) => kept.filter((name) => names.includes(name)));
  return new Set([...inAll, ...guides.flatMap(({ id, headers = [] }) => (id === 'paging' ? [] : headers))]);
}

function linksOf(entries: readonly Entry[], guides: readonly Guide[]): Links {
  return new Map([
    ...guides.map(({ id, title }) => [title, `#${id}`] as const),
    ...entries.flatMap(({ method, path, operation: { operationId } }) => [
      [operationId, `#${operationId}`] as const,
      [`${method} ${path}`, `#${operationId}`] as const,
    ]),
  ]);
}
