import type { JSX } from 'preact';
import { type CallState, callOf } from './call/call-state.ts';
import { TryIt } from './call/try-it.tsx';
import {
  type Entry,
  errorsOf,
  type Header,
  jsonOf,
  type OpenApi,
  type Operation,
  type Response,
  resolve,
} from './document.ts';
import { OPERATION_NOTES } from './guides/guides.ts';
import { ExampleAnswer, Machine, Snippets } from './machine.tsx';
import { heading, isNewer, type Links, richDetails, richText, stability } from './prose.tsx';
import { fieldList, headerField, schemaFields, typeName, withExample } from './schema.tsx';

/** The codes and headers of every operation, which the guides describe. */
export interface Common {
  readonly codes: ReadonlySet<string>;
  readonly headers: ReadonlySet<string>;
}

interface OperationProps {
  readonly document: OpenApi;
  readonly entry: Entry;
  readonly state: CallState;
  readonly links: Links;
  readonly common: Common;
}

const places = { path: 'Path', query: 'Query', header: 'Headers' } as const;

export function OperationView({ document, entry, state, links, common }: OperationProps): JSX.Element {
  const { method, path, operation } = entry;
  const { operationId: id, summary } = operation;
  const body = jsonOf(operation.requestBody?.content)?.schema;
  const shown = state.parameters.filter(
    ({ in: place, name }) => place !== 'header' || !common.headers.has(name),
  );
  // The operation has the mark: its parts do not repeat it.
  const isMarked = isNewer(operation);
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <div class="words">
        {heading(id, summary ?? id, stability(operation))}
        <div class="op id">
          <span>
            <b>{method}</b> {path}
          </span>
          <span class="end quiet">{id}</span>
        </div>
        {richText(operation.description, links)}
        {richText(OPERATION_NOTES[id], links)}
        {Object.entries(places).map(([place, title]) => {
          const fields = shown
            .filter((parameter) => parameter.in === place)
            .map((parameter) => ({
              id: `${id}.${parameter.name}`,
              name: parameter.name,
              required: parameter.required ?? false,
              schema: parameter.schema ?? {},
              isNewer: !isMarked && isNewer(parameter),
              description: withExample(parameter),
            }));
          return fieldList(title, fields, document, links);
        })}
        {body ? fieldList('Body', schemaFields(resolve(document, body)), document, links) : null}
        <Answers {...{ document, operation, links, common }} />
        {!isMarked && shown.some(isNewer) ? (
          <p class="quiet">° Experimental: may still change. The rest of the operation is stable.</p>
        ) : null}
      </div>
      <Machine>
        <CallOf entry={entry} state={state} />
        <ExampleAnswer document={document} operation={operation} />
        <TryIt document={document} entry={entry} state={state} />
      </Machine>
    </section>
  );
}

/** A separate component, so that typing into the form renders nothing else again. */
const CallOf = ({ entry, state }: Pick<OperationProps, 'entry' | 'state'>): JSX.Element => (
  <Snippets call={callOf(entry, state)} id={entry.operation.operationId} />
);

interface AnswersProps extends Pick<OperationProps, 'document' | 'links' | 'common'> {
  readonly operation: Operation;
}

/** What the operation answers with. What every operation may answer is in the guide to errors. */
function Answers({ document, operation, links, common }: AnswersProps): JSX.Element {
  const answers = Object.entries(operation.responses ?? {})
    .filter(([status]) => !/^[45]/.test(status))
    .map(([status, response]) => ({ status, ...resolve<Response>(document, response) }));
  const successes = answers.map(({ status, description: text, content }) => {
    const schema = jsonOf(content)?.schema;
    return { status, what: schema ? typeName(schema) : 'no body', text };
  });
  const errors = errorsOf(document, operation)
    .filter(({ code }) => !common.codes.has(code))
    .map(({ status, code: what, meaning: text }) => ({ status, what, text }));
  const headers = new Map(
    answers.flatMap((response) =>
      Object.entries(response.headers ?? {})
        .filter(([name]) => !common.headers.has(name))
        .map(([name, header]) => [name, headerField(name, resolve<Header>(document, header))]),
    ),
  );
  return (
    <>
      <h3>Answers</h3>
      <dl class="params">
        {[...successes, ...errors].map(({ status, what, text }) => (
          <>
            <dt>
              <code>{status}</code>
              <span class="quiet">{what}</span>
            </dt>
            {richDetails(text, links)}
          </>
        ))}
      </dl>
      <p class="quiet">
        {'Every operation can also return '}
        <a href="#errors">the common errors</a>.
      </p>
      {fieldList('Headers of the answer', [...headers.values()], document, links)}
    </>
  );
}
