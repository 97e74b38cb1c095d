import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { apiBase, isStagingHere } from '../../shared/service.ts';
import { type Entry, type OpenApi, type Parameter, resolve } from '../document.ts';
import { printed } from '../exact-json.ts';
import { bringIntoView } from '../machine.tsx';
import { AnswerView } from './answer.tsx';
import type { Call } from './call.ts';
import { apiKey, type CallState, callOf, missingOf, send } from './call-state.ts';

interface TryItProps {
  readonly document: OpenApi;
  readonly entry: Entry;
  readonly state: CallState;
}

const SERVICE = `${isStagingHere ? 'staging' : 'live'} service`;

/** Sends the call from this page. The form is folded until someone wants it: most readers only look. */
export function TryIt(props: TryItProps): JSX.Element {
  const { isOpen } = props.state;
  if (isOpen.value) return <TryForm {...props} />;
  return (
    <div class="try">
      <Where />
      <button type="button" class="button" onClick={() => (isOpen.value = true)}>
        Try it
      </button>
    </div>
  );
}

const Where = (): JSX.Element => <p class="quiet">{`This calls the ${SERVICE} at ${apiBase.host}.`}</p>;

function TryForm({ document, entry, state }: TryItProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // Whether the next click sends a call that changes something.
  const isAsked = useSignal(false);
  const takeBack = () => (isAsked.value = false);
  useEffect(() => {
    if (!form.current) return;
    form.current.querySelector('input')?.focus({ preventScroll: true });
    bringIntoView(form.current);
  }, []);
  const call = callOf(entry, state);
  const id = entry.operation.operationId;
  const headers = state.parameters.filter((parameter) => parameter.in === 'header');
  const field = (parameter: Parameter) => (
    <ParameterField key={parameter.name} {...{ document, parameter, state }} />
  );
  const submit = (event: Event) => {
    event.preventDefault();
    const missing = missingOf(state);
    if (missing.length > 0) state.problem.value = `Fill in ${missing.join(', ')} first.`;
    else if (entry.method === 'GET' || isAsked.peek()) {
      takeBack();
      void send(call, state);
    } else {
      state.problem.value = undefined;
      isAsked.value = true;
      // Enter in a field asks as well; and the question is over when the button loses the focus.
      button.current?.focus();
    }
  };
  return (
    <form class="try" ref={form} onSubmit={submit} onInput={takeBack} noValidate aria-label={`Try ${id}`}>
      <Where />
      <Labelled name="API key">
        <input
          class="input"
          type="password"
          autocomplete="off"
          value={apiKey.value}
          onInput={(event: Event) => (apiKey.value = typed(event).trim())}
        />
      </Labelled>
      {state.parameters.filter((parameter) => parameter.in !== 'header').map(field)}
      {headers.length > 0 ? (
        <details>
          <summary>{`Request headers (${headers.length})`}</summary>
          <div class="headers">{headers.map(field)}</div>
        </details>
      ) : null}
      {state.bodyExample === undefined ? null : <BodyField state={state} />}
      <button
        ref={button}
        type="submit"
        class={`button ${isAsked.value ? 'red' : 'main'}`}
        aria-disabled={state.sending.value}
        onBlur={takeBack}
        onClick={preventIfHasty}
        onKeyDown={preventIfHasty}
      >
        {state.sending.value ? 'Sending…' : isAsked.value ? `Send: this changes the ${SERVICE}` : 'Try it'}
      </button>
      <p class="problem" role="alert">
        {state.problem.value}
      </p>
      <div role="status">
        {state.outcome.value ? (
          <AnswerView outcome={state.outcome.value} id={id} next={nextPage(call, state)} />
        ) : null}
      </div>
    </form>
  );
}

/** A double click or a key that is held down does not answer a question. */
const preventIfHasty = (event: MouseEvent | KeyboardEvent): void => {
  if (event instanceof KeyboardEvent ? event.repeat : event.detail > 1) event.preventDefault();
};

const typed = (event: Event) => (event.target as HTMLInputElement).value;

const Labelled = ({
  name,
  children,
}: {
  readonly name: ComponentChildren;
  readonly children: JSX.Element;
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is passed in, where the rule does not see it
  <label class="field">
    <span>{name}</span>
    {children}
  </label>
);

interface ParameterFieldProps {
  readonly document: OpenApi;
  readonly parameter: Parameter;
  readonly state: CallState;
}

function ParameterField({ document, parameter, state }: ParameterFieldProps): JSX.Element {
  const { name, schema = {}, example } = parameter;
  const resolved = resolve(document, schema);
  const change = (event: Event) => (state.values.value = { ...state.values.peek(), [name]: typed(event) });
  const common = { class: 'input', value: state.values.value[name] ?? '' };
  const several =
    resolve(document, resolved.items ?? {})
      .enum?.slice(0, 2)
      .map(printed)
      .join(', ') ?? '7, 9';
  const hint = resolved.default ?? example ?? (resolved.type === 'array' ? several : '');
  return (
    <Labelled name={name}>
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
    </Labelled>
  );
}

function BodyField({ state }: { readonly state: CallState }): JSX.Element {
  const { body, bodyExample = '' } = state;
  return (
    <>
      <Labelled name="Body">
        <textarea
          class="input"
          rows={4}
          spellcheck={false}
          placeholder={bodyExample}
          value={body.value}
          onInput={(event: Event) => (body.value = typed(event))}
        />
      </Labelled>
      <button
        type="button"
        class="link"
        // It keeps its place: otherwise the button below it comes under the pointer.
        style={{ visibility: body.value === '' ? 'visible' : 'hidden' }}
        onClick={() => (body.value = bodyExample)}
      >
        Use the example
      </button>
    </>
  );
}

/** A function that requests the next page; undefined if the answer has no link to one. */
function nextPage(call: Call, state: CallState): (() => void) | undefined {
  const link = state.outcome.value?.headers.find(([name]) => name === 'link')?.[1] ?? '';
  const [, target] = /<([^>]+)>;\s*rel="?next"?/.exec(link) ?? [];
  if (target === undefined) return undefined;
  return () => void send({ ...call, url: new URL(target, state.outcome.value?.url).href }, state);
}
