import { computed, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Element, h } from '../shared/element.ts';
import { icon, logo } from '../shared/icons.ts';
import { apiBase, isHere, isStaging } from '../shared/service.ts';
import { createCallState } from './call-state.ts';
import { type Entry, entriesOf, type OpenApi, type Schema } from './document.ts';
import { capital, marks, methodMark } from './marks.ts';
import { heading, OperationView } from './operation-view.ts';
import { type Links, richText } from './rich-text.ts';
import { constraints, fieldRows, schemaFields, typeName } from './schema-view.ts';

const wanted = signal('');
const words = computed(() => wanted.value.toLowerCase().split(/\s+/).filter(Boolean));

/** Whether everything that is searched for occurs in the thing: its names, texts, parameters and codes. */
const matches = (...things: unknown[]): boolean => {
  const text = JSON.stringify(things).toLowerCase();
  return words.value.every((word) => text.includes(word));
};

export function ReferencePage({ document: api }: { readonly document: OpenApi }): Element {
  const entries = useMemo(() => entriesOf(api), [api]);
  const states = useMemo(() => new Map(entries.map((entry) => [entry, createCallState(api, entry)])), [api]);
  const links = useMemo(() => linksOf(entries), [api]);
  // The headings did not exist yet when the browser looked for the one in the address.
  useEffect(
    () =>
      document
        .getElementById(decodeURIComponent(location.hash.slice(1)))
        ?.scrollIntoView({ behavior: 'instant' }),
    [],
  );

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
    h('a', { class: 'skip', href: '#introduction' }, 'Skip to content'),
    h(Sidebar, { api, groups, schemas: schemas.map(([name]) => name) }),
    h(
      'main',
      { class: 'reference-main' },
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

interface SidebarProps {
  readonly api: OpenApi;
  readonly groups: readonly { readonly name: string; readonly entries: readonly Entry[] }[];
  readonly schemas: readonly string[];
}

function Sidebar({ api, groups, schemas }: SidebarProps): Element {
  const search = (event: Event) => (wanted.value = (event.target as HTMLInputElement).value);
  return h(
    'header',
    { class: 'sidebar' },
    h(
      'a',
      { class: 'brand', href: './' },
      logo(),
      h('span', { class: 'brand-name' }, 'Animal Store'),
      isStaging(api.servers ?? []) ? h('span', { class: 'badge staging' }, 'Staging') : null,
    ),
    h(
      'div',
      { class: 'search', role: 'search' },
      h('label', { class: 'visually-hidden', for: 'find' }, 'Search this page'),
      icon('search'),
      h('input', {
        id: 'find',
        class: 'input',
        type: 'search',
        placeholder: 'Search this page',
        autocomplete: 'off',
        value: wanted.value,
        onInput: search,
      }),
    ),
    h(
      'nav',
      { class: 'contents', 'aria-label': 'Contents' },
      groups.map(({ name, entries }) =>
        entries.length === 0
          ? null
          : h(
              'div',
              { key: name },
              h('p', { class: 'contents-group' }, capital(name)),
              h('ul', null, entries.map(navItem)),
            ),
      ),
      schemas.length === 0
        ? null
        : h(
            'div',
            null,
            h('p', { class: 'contents-group' }, 'Schemas'),
            h(
              'ul',
              null,
              schemas.map((name) => h('li', { key: name }, h('a', { href: `#schema-${name}` }, name))),
            ),
          ),
    ),
  );
}

const navItem = ({ method, operation: { operationId, summary, deprecated } }: Entry): Element =>
  h(
    'li',
    { key: operationId },
    h(
      'a',
      { href: `#${operationId}` },
      h('span', { class: deprecated ? 'struck' : '' }, summary ?? operationId),
      methodMark(method),
    ),
  );

function Introduction({ api, links }: { readonly api: OpenApi; readonly links: Links }): Element {
  const { info, servers = [] } = api;
  const scheme = Object.values(api.components?.securitySchemes ?? {})[0];
  return h(
    'section',
    { class: 'introduction', id: 'introduction', tabIndex: -1 },
    h('h1', null, `${info.title} API`, h('span', { class: 'badge' }, `Version ${info.version}`)),
    h('p', { class: 'summary' }, info.summary),
    richText(info.description, links),
    h(
      'p',
      null,
      h('a', { href: 'openapi.json' }, 'OpenAPI document'),
      ' · ',
      h('a', { href: './' }, 'Inventory console'),
    ),
    h(
      'div',
      { class: 'part' },
      heading('servers', 'Servers', null),
      h(
        'ul',
        { class: 'servers', id: 'servers' },
        servers.map((server) =>
          h(
            'li',
            { key: server.url },
            h('span', { class: 'label' }, server.description),
            h('code', null, server.url),
            isHere(server) ? h('span', { class: 'badge' }, 'You are here') : null,
          ),
        ),
      ),
      servers.some(isHere)
        ? null
        : h('p', { class: 'help' }, 'This page sends its calls to ', h('code', null, apiBase.href), '.'),
    ),
    h(
      'div',
      { class: 'part', id: 'authentication' },
      heading('authentication', 'Authentication', null),
      richText(scheme?.description, links),
    ),
  );
}

interface SchemaSectionProps {
  readonly name: string;
  readonly schema: Schema;
  readonly api: OpenApi;
  readonly links: Links;
}

function SchemaSection({ name, schema, api, links }: SchemaSectionProps): Element {
  const limits = constraints(schema);
  return h(
    'section',
    { class: 'schema', id: `schema-${name}`, 'aria-labelledby': `schema-${name}-title` },
    heading(`schema-${name}`, name, marks(schema)),
    richText(schema.description, links),
    schema.properties
      ? fieldRows(schemaFields(schema), api, links)
      : h('p', { class: 'limits' }, typeName(schema), limits ? ` · ${limits}` : ''),
  );
}
