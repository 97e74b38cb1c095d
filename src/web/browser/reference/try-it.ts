import { type Element, h } from '../shared/element.ts';
import { AnswerView } from './answer-view.ts';
import { apiKey, type CallState, callOf, send } from './call-state.ts';
import { type Entry, type OpenApi, type Parameter, resolve } from './document.ts';
import { printed } from './exact-json.ts';
import { curlSnippet, fetchSnippet } from './snippets.ts';
import { SnippetsView } from './snippets-view.ts';

interface TryItProps {
  readonly document: OpenApi;
  readonly entry: Entry;
  readonly state: CallState;
}

const typed = (event: Event) => (event.target as HTMLInputElement).value;

/** Sends the call from this page, and shows it as code. */
export function TryIt({ document, entry, state }: TryItProps): Element {
  const call = callOf(entry, state);
  const id = entry.operation.operationId;
  const missing = state.parameters.filter(({ name, required }) => required && !state.values.value[name]);
  const inputs = state.parameters;
  const headers = inputs.filter((parameter) => parameter.in === 'header');
  const field = (parameter: Parameter) =>
    h(ParameterField, { key: parameter.name, id, document, parameter, state });
  const submit = (event: Event) => {
    event.preventDefault();
    if (missing.length > 0)
      state.problem.value = `Fill in ${missing.map(({ name }) => name).join(', ')} first.`;
    else void send(call, state);
  };
  return h(
    'div',
    { class: 'try' },
    h(SnippetsView, { curl: curlSnippet(call), javascript: fetchSnippet(call), id }),
    h(
      'form',
      { class: 'card try-form', onSubmit: submit, noValidate: true, 'aria-label': `Try ${id}` },
      h('h3', null, 'Try it'),
      h(KeyField, { id }),
      inputs.filter((parameter) => parameter.in !== 'header').map(field),
      headers.length > 0
        ? h('details', null, h('summary', null, `Request headers (${headers.length})`), headers.map(field))
        : null,
      state.body.value === undefined ? null : h(BodyField, { id, state }),
      h('p', { class: 'problem', role: 'alert' }, state.problem.value),
      h(
        'button',
        { type: 'submit', class: 'button primary', 'aria-disabled': state.sending.value },
        state.sending.value ? 'Sending…' : `Send ${entry.method}`,
      ),
      h(
        'div',
        { role: 'status' },
        state.outcome.value ? h(AnswerView, { outcome: state.outcome.value, id }) : null,
      ),
    ),
  );
}

function KeyField({ id }: { readonly id: string }): Element {
  return h(
    'div',
    { class: 'field' },
    h('label', { for: `${id}-key` }, 'API key'),
    h('input', {
      id: `${id}-key`,
      class: 'input mono',
      type: 'password',
      autocomplete: 'off',
      value: apiKey.value,
      onInput: (event: Event) => (apiKey.value = typed(event).trim()),
    }),
  );
}

interface ParameterFieldProps {
  readonly id: string;
  readonly document: OpenApi;
  readonly parameter: Parameter;
  readonly state: CallState;
}

function ParameterField({ id, document, parameter, state }: ParameterFieldProps): Element {
  const { name, schema = {}, example, required } = parameter;
  const resolved = resolve(document, schema);
  const change = (event: Event) => (state.values.value = { ...state.values.peek(), [name]: typed(event) });
  const value = state.values.value[name] ?? '';
  const common = { id: `${id}-${name}`, class: 'input mono', value };
  const hint = resolved.default ?? example ?? (resolved.type === 'array' ? '7, 9' : '');
  return h(
    'div',
    { class: 'field' },
    h('label', { for: common.id }, h('code', null, name), required ? ' (required)' : ''),
    resolved.enum
      ? h(
          'select',
          { ...common, onChange: change },
          h('option', { value: '' }, 'any'),
          resolved.enum.map((one) => h('option', { value: printed(one) }, printed(one))),
        )
      : h('input', {
          ...common,
          autocomplete: 'off',
          spellcheck: false,
          placeholder: printed(hint),
          onInput: change,
        }),
  );
}

function BodyField({ id, state }: { readonly id: string; readonly state: CallState }): Element {
  return h(
    'div',
    { class: 'field' },
    h('label', { for: `${id}-body` }, 'Body'),
    h('textarea', {
      id: `${id}-body`,
      class: 'input mono',
      rows: 5,
      spellcheck: false,
      value: state.body.value ?? '',
      onInput: (event: Event) => (state.body.value = typed(event)),
    }),
  );
}
