import type { JSX } from 'preact';
import { Answers, type Common } from './answers.tsx';
import { type CallState, callOf } from './call/call-state.ts';
import { ExampleAnswer } from './call/example-answer.tsx';
import { Pane } from './call/pane.tsx';
import { SnippetsView } from './call/snippets-view.tsx';
import { TryIt } from './call/try-it.tsx';
import { type Entry, jsonOf, type OpenApi, type Parameter } from './document.ts';
import { heading, isNewer, methodMark, stability } from './marks.tsx';
import { type Links, richText } from './rich-text.tsx';
import { fieldRows, schemaView, withExample } from './schema-view.tsx';

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
  const body = jsonOf(operation.requestBody?.content);
  // The operation has the mark: its parts do not repeat it.
  const isMarked = isNewer(operation);
  const shown = state.parameters
    .filter(({ in: place, name }) => place !== 'header' || !common.headers.has(name))
    .map((one) => (isMarked ? withoutMark(one) : one));
  return (
    <section class="entry operation" id={id} aria-labelledby={`${id}-title`}>
      <div class="words">
        {heading(id, summary ?? id, stability(operation))}
        <p class="operation-path">
          {methodMark(method)}
          <code>{path}</code>
          <code class="operation-id">{id}</code>
        </p>
        {richText(operation.description, links)}
      </div>
      <Pane>
        <CallOf entry={entry} state={state} />
        <ExampleAnswer document={document} entry={entry} />
        <TryIt document={document} entry={entry} state={state} />
      </Pane>
      <div class="words details">
        {Object.entries(places).map(([place, title]) =>
          parameters(
            title,
            id,
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
        {shown.some(isNewer) ? (
          <p class="hint">° Experimental: may still change. The rest of the operation is stable.</p>
        ) : null}
      </div>
    </section>
  );
}

/** On its own, so that typing into the form renders nothing else again. */
const CallOf = ({ entry, state }: Pick<OperationProps, 'entry' | 'state'>): JSX.Element => (
  <SnippetsView call={callOf(entry, state)} id={entry.operation.operationId} />
);

const withoutMark = (parameter: Parameter): Parameter => {
  const { 'x-stability': _mark, ...rest } = parameter;
  return rest;
};

function parameters(
  title: string,
  id: string,
  shown: readonly Parameter[],
  document: OpenApi,
  links: Links,
): JSX.Element | null {
  if (shown.length === 0) return null;
  const fields = shown.map((parameter) => ({
    id: `${id}.${parameter.name}`,
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
