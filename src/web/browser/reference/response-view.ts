import { useSignal } from '@preact/signals';
import { type Element, h } from '../shared/element.ts';
import { type Header, jsonOf, mediaExamples, type OpenApi, type Response, resolve } from './document.ts';
import { print, printed } from './exact-json.ts';
import { marks } from './marks.ts';
import { type Links, richText } from './rich-text.ts';
import { fieldRows, schemaView } from './schema-view.ts';

interface ResponseProps {
  readonly status: string;
  readonly response: Response;
  readonly document: OpenApi;
  readonly links: Links;
}

/** One response. A success is open; errors show their codes, and the rest when they are opened for the first time. */
export function ResponseView({ status, response, document, links }: ResponseProps): Element {
  const isError = !status.startsWith('2');
  const shown = useSignal(!isError);
  const media = jsonOf(response.content);
  const codes = isError && media ? mediaExamples(media).map(([code]) => code) : [];
  return h(
    'details',
    { class: 'response', open: !isError, onToggle: () => (shown.value = true) },
    h(
      'summary',
      null,
      h('span', { class: `response-status ${isError ? 'error' : 'ok'}` }, status),
      isError ? codes.map((code) => h('code', { key: code }, code)) : h('span', null, response.description),
      marks(response),
    ),
    shown.value ? body(response, isError, document, links) : null,
  );
}

function body(response: Response, isError: boolean, document: OpenApi, links: Links): Element {
  const media = jsonOf(response.content);
  const headers = Object.entries(response.headers ?? {}).map(([name, header]) => {
    const { description, example, schema = {}, ...marked } = resolve<Header>(document, header);
    const text = example === undefined ? '' : ` For example \`${printed(example)}\`.`;
    return { name, required: false, schema, marked, description: `${description ?? ''}${text}` };
  });
  return h(
    'div',
    { class: 'response-body' },
    isError ? richText(response.description, links) : null,
    media?.schema ? schemaView(media.schema, document, links) : null,
    headers.length > 0 ? [h('h4', null, 'Headers'), fieldRows(headers, document, links)] : null,
    media ? mediaExamples(media).map(example) : null,
  );
}

const example = ([name, value]: [string, unknown]): Element =>
  h(
    'pre',
    { class: 'code', key: name, tabIndex: 0, 'aria-label': name ? `Example of ${name}` : 'Example' },
    print(value),
  );
