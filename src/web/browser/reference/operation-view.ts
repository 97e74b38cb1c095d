import { type Element, h } from '../shared/element.ts';
import { icon } from '../shared/icons.ts';
import type { CallState } from './call-state.ts';
import { type Entry, jsonOf, mediaExamples, type OpenApi, type Parameter, resolve } from './document.ts';
import { print, printed } from './exact-json.ts';
import { heading } from './heading.ts';
import { marks, methodMark } from './marks.ts';
import { ResponseView } from './response-view.ts';
import { type Links, richText } from './rich-text.ts';
import { fieldRows, schemaView } from './schema-view.ts';
import { TryIt } from './try-it.ts';

export interface OperationProps {
  readonly document: OpenApi;
  readonly entry: Entry;
  readonly state: CallState;
  readonly links: Links;
}

const places = { path: 'Path parameters', query: 'Query parameters', header: 'Request headers' } as const;

export function OperationView({ document, entry, state, links }: OperationProps): Element {
  const { method, path, operation } = entry;
  const { operationId: id, summary, responses = {} } = operation;
  const body = jsonOf(operation.requestBody?.content);
  return h(
    'section',
    { class: 'operation', id, 'aria-labelledby': `${id}-title` },
    h(
      'div',
      { class: 'operation-text' },
      heading(id, summary ?? id, marks(operation)),
      h(
        'p',
        { class: 'operation-path' },
        methodMark(method),
        h('code', null, path),
        h('code', { class: 'operation-id' }, id),
      ),
      operation.deprecated ? h(Deprecated, { sunset: operation['x-deprecated-sunset'] }) : null,
      richText(operation.description, links),
      Object.entries(places).map(([place, title]) =>
        parameters(
          title,
          state.parameters.filter((parameter) => parameter.in === place),
          document,
          links,
        ),
      ),
      body
        ? h(
            'div',
            { class: 'part' },
            h('h3', null, 'Request body'),
            body.schema ? schemaView(body.schema, document, links) : null,
            mediaExamples(body).map(([name, value]) =>
              h(
                'pre',
                { class: 'code', key: name, tabIndex: 0, 'aria-label': 'Example of the body' },
                print(value),
              ),
            ),
          )
        : null,
      h(
        'div',
        { class: 'part' },
        h('h3', null, 'Responses'),
        Object.entries(responses).map(([status, response]) =>
          h(ResponseView, { key: status, status, response: resolve(document, response), document, links }),
        ),
      ),
    ),
    h(TryIt, { document, entry, state }),
  );
}

function parameters(
  title: string,
  shown: readonly Parameter[],
  document: OpenApi,
  links: Links,
): Element | null {
  if (shown.length === 0) return null;
  const fields = shown.map((parameter) => ({
    name: parameter.name,
    required: parameter.required ?? false,
    schema: parameter.schema ?? {},
    marked: parameter,
    description: withExample(parameter),
  }));
  return h('div', { class: 'part', key: title }, h('h3', null, title), fieldRows(fields, document, links));
}

const withExample = ({ description, example }: Parameter): string | undefined =>
  example === undefined ? description : `${description ?? ''} For example \`${printed(example)}\`.`;

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function Deprecated({ sunset }: { readonly sunset: string | undefined }): Element {
  return h(
    'div',
    { class: 'callout' },
    icon('warning'),
    h(
      'p',
      null,
      h('strong', null, 'Deprecated.'),
      sunset === undefined
        ? ' Do not use it in new programs.'
        : [' It will be removed on ', h('time', { dateTime: sunset }, day.format(new Date(sunset))), '.'],
    ),
  );
}
