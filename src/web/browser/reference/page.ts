import { useEffect, useMemo } from 'preact/hooks';
import { type Element, h } from '../shared/element.ts';
import { createCallState } from './call-state.ts';
import { type Entry, entriesOf, type OpenApi } from './document.ts';
import { Introduction } from './introduction.ts';
import { capital } from './marks.ts';
import { OperationView } from './operation-view.ts';
import { type Links, richText } from './rich-text.ts';
import { SchemaSection } from './schema-section.ts';
import { matches, wanted, words } from './search.ts';
import { Sidebar } from './sidebar.ts';

/** The whole reference of one document. */
export function ReferencePage({ document: api }: { readonly document: OpenApi }): Element {
  const entries = useMemo(() => entriesOf(api), [api]);
  const states = useMemo(() => new Map(entries.map((entry) => [entry, createCallState(api, entry)])), [api]);
  const links = useMemo(() => linksOf(entries), [api]);
  useEffect(() => {
    // The headings did not exist yet when the browser looked for the one in the address.
    scrollToTarget();
    addEventListener('hashchange', revealTarget);
    return () => removeEventListener('hashchange', revealTarget);
  }, []);

  const shown = entries.filter(({ method, path, operation }) => matches(method, path, operation));
  const schemas = Object.entries(api.components?.schemas ?? {}).filter(([name, schema]) =>
    matches(name, schema),
  );
  const groups = (api.tags ?? []).map((tag) => ({
    ...tag,
    entries: shown.filter(({ operation }) => operation.tags?.includes(tag.name)),
  }));
  return h(
    'div',
    { class: 'reference' },
    h('a', { class: 'skip', href: '#content' }, 'Skip to content'),
    h(Sidebar, { api, groups, schemas: schemas.map(([name]) => name) }),
    h(
      'main',
      { class: 'reference-main', id: 'content', tabIndex: -1 },
      words.value.length === 0 ? h(Introduction, { api, links }) : null,
      h('p', { role: 'status', class: 'search-result' }, resultText(shown.length, schemas.length)),
      groups
        .filter((group) => group.entries.length > 0)
        .map((group) =>
          h(
            'div',
            { key: group.name, class: 'group' },
            h(
              'div',
              { class: 'group-head', id: `group-${group.name}` },
              h('p', { class: 'group-name' }, capital(group.name)),
              richText(group.description, links),
            ),
            group.entries.map((entry) => {
              const state = states.get(entry);
              return state
                ? h(OperationView, { key: entry.operation.operationId, document: api, entry, state, links })
                : null;
            }),
          ),
        ),
      schemas.length > 0
        ? h(
            'div',
            { class: 'group' },
            h('div', { class: 'group-head', id: 'schemas' }, h('p', { class: 'group-name' }, 'Schemas')),
            schemas.map(([name, schema]) => h(SchemaSection, { key: name, name, schema, api, links })),
          )
        : null,
    ),
  );
}

const target = () => document.getElementById(location.hash.slice(1));
const scrollToTarget = () => target()?.scrollIntoView({ behavior: 'instant' });

/** A link may lead to a section that the search has hidden. */
function revealTarget(): void {
  if (target()) return;
  wanted.value = '';
  requestAnimationFrame(scrollToTarget);
}

const resultText = (operations: number, schemas: number): string | null =>
  words.value.length === 0
    ? null
    : operations + schemas === 0
      ? 'Nothing found. Try another word.'
      : `Found ${operations} operations and ${schemas} schemas.`;

function linksOf(entries: readonly Entry[]): Links {
  return new Map(
    entries.flatMap(({ method, path, operation: { operationId } }) => [
      [operationId, `#${operationId}`],
      [`${method} ${path}`, `#${operationId}`],
    ]),
  );
}
