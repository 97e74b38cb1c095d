import { type Element, h } from '../shared/element.ts';
import { icon, logo } from '../shared/icons.ts';
import { isStaging } from '../shared/service.ts';
import type { Entry, OpenApi } from './document.ts';
import { capital, methodMark } from './marks.ts';
import { wanted } from './search.ts';

interface SidebarProps {
  readonly api: OpenApi;
  readonly groups: readonly { readonly name: string; readonly entries: readonly Entry[] }[];
  readonly schemas: readonly string[];
}

/** The way around the page: on a phone, the contents are folded. */
export function Sidebar({ api, groups, schemas }: SidebarProps): Element {
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
      'details',
      { class: 'contents-fold', open: matchMedia('(min-width: 861px)').matches },
      h('summary', null, 'Contents'),
      h(Contents, { groups, schemas }),
    ),
  );
}

function Contents({ groups, schemas }: Omit<SidebarProps, 'api'>): Element {
  return h(
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
