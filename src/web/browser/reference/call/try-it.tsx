import type { JSX } from 'preact';
import { type Entry, type OpenApi, type Parameter, resolve } from '../document.ts';
import { printed } from '../exact-json.ts';
import { AnswerView } from './answer-view.tsx';
import { apiKey, type CallState, callOf, send } from './call-state.ts';
import { ExampleAnswer } from './example-answer.tsx';
import { type Call, curlSnippet, fetchSnippet } from './snippets.ts';
import { SnippetsView } from './snippets-view.tsx';

interface TryItProps {
  readonly document: OpenApi;
  readonly entry: Entry;
  readonly state: CallState;
}

const typed = (event: Event) => (event.target as HTMLInputElement).value;

/** Sends the call from this page, and shows it as code. */
export function TryIt({ document, entry, state }: TryItProps): JSX.Element {
  const call = callOf(entry, state);
  const id = entry.operation.operationId;
  const missing = state.parameters.filter(({ name, required }) => required && !state.values.value[name]);
  const inputs = state.parameters;
  const headers = inputs.filter((parameter) => parameter.in === 'header');
  const field = (parameter: Parameter) => (
    <ParameterField key={parameter.name} id={id} document={document} parameter={parameter} state={state} />
  );
  const submit = (event: Event) => {
    event.preventDefault();
    if (missing.length > 0)
      state.problem.value = `Fill in ${missing.map(({ name }) => name).join(', ')} first.`;
    else void send(call, state);
  };
  return (
    <div class="try">
      <SnippetsView curl={curlSnippet(call)} javascript={fetchSnippet(call)} id={id} />
      <ExampleAnswer document={document} entry={entry} />
      <form class="card try-form" onSubmit={submit} noValidate aria-label={`Try ${id}`}>
        <h3>Try it with your key</h3>
        <KeyField id={id} />
        {inputs.filter((parameter) => parameter.in !== 'header').map(field)}
        {headers.length > 0 ? (
          <details>
            <summary>{`Request headers (${headers.length})`}</summary>
            {headers.map(field)}
          </details>
        ) : null}
        {state.body.value === undefined ? null : <BodyField id={id} state={state} />}
        <p class="problem" role="alert">
          {state.problem.value}
        </p>
        <button type="submit" class="button main" aria-disabled={state.sending.value}>
          {state.sending.value ? 'Sending…' : `Send ${entry.method}`}
        </button>
        <div role="status">
          {state.outcome.value ? (
            <AnswerView outcome={state.outcome.value} id={id} next={nextPage(call, state)} />
          ) : null}
        </div>
      </form>
    </div>
  );
}

/** Asks for the next page, where the answer has a link to it. */
function nextPage(call: Call, state: CallState): (() => void) | undefined {
  const link = state.outcome.value?.headers.find(([name]) => name === 'link')?.[1] ?? '';
  const [, target] = /<([^>]+)>;\s*rel="?next"?/.exec(link) ?? [];
  if (target === undefined) return undefined;
  return () => void send({ ...call, url: new URL(target, state.outcome.value?.url).href }, state);
}

function KeyField({ id }: { readonly id: string }): JSX.Element {
  return (
    <div class="field">
      <label for={`${id}-key`}>API key</label>
      <input
        id={`${id}-key`}
        class="input mono"
        type="password"
        autocomplete="off"
        value={apiKey.value}
        onInput={(event: Event) => (apiKey.value = typed(event).trim())}
      />
    </div>
  );
}

interface ParameterFieldProps {
  readonly id: string;
  readonly document: OpenApi;
  readonly parameter: Parameter;
  readonly state: CallState;
}

function ParameterField({ id, document, parameter, state }: ParameterFieldProps): JSX.Element {
  const { name, schema = {}, example, required } = parameter;
  const resolved = resolve(document, schema);
  const change = (event: Event) => (state.values.value = { ...state.values.peek(), [name]: typed(event) });
  const value = state.values.value[name] ?? '';
  const common = { id: `${id}-${name}`, class: 'input mono', value };
  const several =
    resolve(document, resolved.items ?? {})
      .enum?.slice(0, 2)
      .map(printed)
      .join(', ') ?? '7, 9';
  const hint = resolved.default ?? example ?? (resolved.type === 'array' ? several : '');
  return (
    <div class="field">
      <label for={common.id}>
        <code>{name}</code>
        {required ? ' (required)' : ''}
      </label>
      {resolved.enum ? (
        <select {...common} onChange={change}>
          <option value="">any</option>
          {resolved.enum.map((one) => (
            <option value={printed(one)}>{printed(one)}</option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          autocomplete="off"
          spellcheck={false}
          placeholder={printed(hint)}
          onInput={change}
        />
      )}
    </div>
  );
}

function BodyField({ id, state }: { readonly id: string; readonly state: CallState }): JSX.Element {
  return (
    <div class="field">
      <label for={`${id}-body`}>Body</label>
      <textarea
        id={`${id}-body`}
        class="input mono"
        rows={5}
        spellcheck={false}
        value={state.body.value ?? ''}
        onInput={(event: Event) => (state.body.value = typed(event))}
      />
    </div>
  );
}
