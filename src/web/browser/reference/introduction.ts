import { type Element, h } from '../shared/element.ts';
import { apiBase, isHere } from '../shared/service.ts';
import type { OpenApi } from './document.ts';
import { heading } from './heading.ts';
import { type Links, richText } from './rich-text.ts';

export function Introduction({ api, links }: { readonly api: OpenApi; readonly links: Links }): Element {
  const { info, servers = [] } = api;
  const scheme = Object.values(api.components?.securitySchemes ?? {})[0];
  return h(
    'section',
    { class: 'introduction' },
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
