import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Entry, OpenApi, Parameter } from '../document.ts';
import { AnswerView } from './answer-view.tsx';
import { type CallState, callOf, send } from './call-state.ts';
import { BodyField, KeyField, ParameterField } from './fields.tsx';
import { bringIntoView } from './pane.tsx';
import type { Call } from './snippets.ts';

interface TryItProps {
  readonly document: OpenApi;
  readonly entry: Entry;
  readonly state: CallState;
}

/** Sends the call from this page. The form is folded until someone wants it: most readers only look. */
export function TryIt({ document, entry, state }: TryItProps): JSX.Element {
  if (!state.isOpen.value)
    return (
      <button type="button" class="button" onClick={() => (state.isOpen.value = true)}>
        Try it with your key
      </button>
    );
  return <TryForm document={document} entry={entry} state={state} />;
}

function TryForm({ document, entry, state }: TryItProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!form.current) return;
    form.current.querySelector('input')?.focus({ preventScroll: true });
    bringIntoView(form.current);
  }, []);
  const call = callOf(entry, state);
  const id = entry.operation.operationId;
  const missing = state.parameters.filter(({ name, required }) => required && !state.values.value[name]);
  const headers = state.parameters.filter((parameter) => parameter.in === 'header');
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
    <form class="try-form" ref={form} onSubmit={submit} noValidate aria-label={`Try ${id}`}>
      <div class="card try-fields">
        <h3>Try it with your key</h3>
        <KeyField id={id} />
        {state.parameters.filter((parameter) => parameter.in !== 'header').map(field)}
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
      </div>
      <div role="status">
        {state.outcome.value ? (
          <AnswerView outcome={state.outcome.value} id={id} next={nextPage(call, state)} />
        ) : null}
      </div>
    </form>
  );
}

/** Asks for the next page, where the answer has a link to it. */
function nextPage(call: Call, state: CallState): (() => void) | undefined {
  const link = state.outcome.value?.headers.find(([name]) => name === 'link')?.[1] ?? '';
  const [, target] = /<([^>]+)>;\s*rel="?next"?/.exec(link) ?? [];
  if (target === undefined) return undefined;
  return () => void send({ ...call, url: new URL(target, state.outcome.value?.url).href }, state);
}
