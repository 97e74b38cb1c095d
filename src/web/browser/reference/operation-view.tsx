import type { JSX } from 'preact';
import { icon } from '../shared/icons.tsx';
import type { CallState } from './call/call-state.ts';
import { TryIt } from './call/try-it.tsx';
import {
  type Entry,
  type Header,
  jsonOf,
  type OpenApi,
  type Parameter,
  type Response,
  resolve,
} from './document.ts';
import { printed } from './exact-json.ts';
import { errorsOf } from './guides.ts';
import { heading, marks, methodMark } from './marks.tsx';
import { type Links, richText } from './rich-text.tsx';
import { fieldRows, schemaView } from './schema-view.tsx';

interface OperationProps {
  readonly document: OpenApi;
  readonly entry: Entry;
  readonly state: CallState;
  readonly links: Links;
  /** What the guides tell about every operation. */
  readonly common: { readonly codes: ReadonlySet<string>; readonly headers: ReadonlySet<string> };
}

const places = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' } as const;

export function OperationView({ document, entry, state, links, common }: OperationProps): JSX.Element {
  const { method, path, operation } = entry;
  const { operationId: id, summary } = operation;
  const body = jsonOf(operation.requestBody?.content);
  // The operation has the mark: its parts do not repeat it.
  const isMarked = operation['x-stability'] !== undefined;
  const shown = state.parameters
    .filter(({ in: place, name }) => place !== 'header' || !common.headers.has(name))
    .map((one) => (isMarked ? withoutMark(one) : one));
  return (
    <section class="operation" id={id} aria-labelledby={`${id}-title`}>
      <div class="operation-text">
        {heading(id, summary ?? id, marks(operation))}
        <p class="operation-path">
          {methodMark(method)}
          <code>{path}</code>
          <code class="operation-id">{id}</code>
        </p>
        {operation.deprecated ? <Deprecated sunset={operation['x-deprecated-sunset']} /> : null}
        {richText(operation.description, links)}
        {Object.entries(places).map(([place, title]) =>
          parameters(
            title,
            shown.filter((parameter) => parameter.in === place),
            document,
            links,
          ),
        )}
        {body?.schema ? (
          <div class="part">
            <h3>Body</h3>
            {schemaView(body.schema, document, links)}
          </div>
        ) : null}
        <Answers document={document} entry={entry} links={links} common={common} />
      </div>
      <TryIt document={document} entry={entry} state={state} />
    </section>
  );
}

const withoutMark = (parameter: Parameter): Parameter => {
  const { 'x-stability': _mark, ...rest } = parameter;
  return rest;
};

/** What the operation answers with. What every operation may answer is in the guide to errors. */
function Answers({ document, entry, links, common }: Omit<OperationProps, 'state'>): JSX.Element {
  const { responses = {} } = entry.operation;
  const errors = errorsOf(document, responses).filter(({ code }) => !common.codes.has(code));
  const others = Object.entries(responses).filter(([status]) => !/^[45]/.test(status));
  return (
    <div class="part">
      <h3>Responses</h3>
      <dl class="answers">
        {others.map(([status, response]) => (
          <div key={status}>
            <dt>
              <b>{status}</b>
            </dt>
            <dd>
              <Success response={resolve(document, response)} {...{ document, links, common }} />
            </dd>
          </div>
        ))}
        {errors.map(({ code, status, meaning }) => (
          <div key={code}>
            <dt>
              <b>{status}</b> <code>{code}</code>
            </dt>
            <dd>{richText(meaning, links)}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        {'Every operation can also return '}
        <a href="#errors">the common errors</a>.
      </p>
    </div>
  );
}

interface SuccessProps extends Pick<OperationProps, 'document' | 'links' | 'common'> {
  readonly response: Response;
}

function Success({ response, document, links, common }: SuccessProps): JSX.Element {
  const media = jsonOf(response.content);
  const headers = Object.entries(response.headers ?? {})
    .filter(([name]) => !common.headers.has(name))
    .map(([name, header]) => {
      const { description, example, schema = {} } = resolve<Header>(document, header);
      const text = example === undefined ? '' : ` For example \`${printed(example)}\`.`;
      return { name, required: false, schema, marked: {}, description: `${description ?? ''}${text}` };
    });
  return (
    <>
      {richText(response.description, links)}
      {media?.schema ? schemaView(media.schema, document, links) : null}
      {headers.length > 0 ? (
        <>
          <h4>Headers</h4>
          {fieldRows(headers, document, links)}
        </>
      ) : null}
    </>
  );
}

function parameters(
  title: string,
  shown: readonly Parameter[],
  document: OpenApi,
  links: Links,
): JSX.Element | null {
  if (shown.length === 0) return null;
  const fields = shown.map((parameter) => ({
    name: parameter.name,
    required: parameter.required ?? false,
    schema: parameter.schema ?? {},
    marked: parameter,
    description: withExample(parameter),
  }));
  return (
    <div class="part" key={title}>
      <h3>{title}</h3>
      {fieldRows(fields, document, links)}
    </div>
  );
}

const withExample = ({ description, example }: Parameter): string | undefined =>
  example === undefined ? description : `${description ?? ''} For example \`${printed(example)}\`.`;

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function Deprecated({ sunset }: { readonly sunset: string | undefined }): JSX.Element {
  return (
    <div class="callout">
      {icon('warning')}
      <p>
        <strong>Deprecated.</strong>
        {sunset === undefined ? (
          ' Do not use it in new programs.'
        ) : (
          <>
            {' It will be removed on '}
            <time dateTime={sunset}>{day.format(new Date(sunset))}</time>.
          </>
        )}
      </p>
    </div>
  );
}
