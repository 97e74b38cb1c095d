import { render } from 'preact';
import { type Element, h } from '../shared/element.ts';
import { documentUrl } from '../shared/service.ts';
import type { OpenApi } from './document.ts';
import { parse } from './exact-json.ts';
import { ReferencePage } from './page.ts';

const show = (content: Element): void => {
  const root = document.getElementById('app');
  if (root) render(content, root);
};

async function load(): Promise<void> {
  show(h('p', { class: 'notice-page', role: 'status' }, 'Loading the reference…'));
  try {
    const response = await fetch(documentUrl);
    if (!response.ok) throw new Error(`${response.status}`);
    show(h(ReferencePage, { document: parse(await response.text()) as OpenApi }));
  } catch {
    show(
      h(
        'main',
        { class: 'notice-page' },
        h('div', { role: 'alert' }, h('h1', null, 'The reference could not be loaded')),
        h(
          'p',
          null,
          'It is made from the ',
          h('a', { href: 'openapi.json' }, 'OpenAPI document'),
          ', which did not arrive.',
        ),
        h('button', { type: 'button', class: 'button', onClick: () => void load() }, 'Try again'),
      ),
    );
  }
}

void load();
