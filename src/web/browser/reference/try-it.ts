import { useSignal } from '@preact/signals';
import { type Element, h } from '../shared/element.ts';
import { apiKey, type CallState, callOf, type Outcome, send } from './call-state.ts';
import { CopyButton } from './copy-button.ts';
import { type Entry, type OpenApi, type Parameter, resolve } from './document.ts';
import { indent, printed } from './exact-json.ts';
import { curlSnippet, fetchSnippet } from './snippets.ts';

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
  const submit = (event: Event) => {
    event.preventDefault();
    if (missing.length > 0)
      state.problem.value = `Fill in ${missing.map(({ name }) => name).join(', ')} first.`;
    else void send(call, state);
  };
  return h(
    'div',
    { class: 'try' },
    h(Snippets, { curl: curlSnippet(call), javascript: fetchSnippet(call), id }),
    h(
      'form',
      { class: 'card try-form', onSubmit: submit, noValidate: true, 'aria-label': `Try ${id}` },
      h('h3', null, 'Try it'),
      h(KeyField, { id }),
      state.parameters.map((parameter) =>
        h(ParameterField, { key: parameter.name, id, document, parameter, state }),
      ),
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
        state.outcome.value ? h(Answer, { outcome: state.outcome.value, id }) : null,
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

function Snippets({
  curl,
  javascript,
  id,
}: {
  readonly curl: string;
  readonly javascript: string;
  readonly id: string;
}): Element {
  const chosen = useSignal<'curl' | 'fetch'>('curl');
  const text = chosen.value === 'curl' ? curl : javascript;
  const option = (name: 'curl' | 'fetch') =>
    h(
      'button',
      {
        type: 'button',
        class: 'segment',
        'aria-pressed': chosen.value === name,
        onClick: () => (chosen.value = name),
      },
      name,
    );
  return h(
    'div',
    { class: 'card snippet' },
    h(
      'div',
      { class: 'snippet-head' },
      h(
        'div',
        { class: 'segments', role: 'group', 'aria-label': 'Language' },
        option('curl'),
        option('fetch'),
      ),
      h(CopyButton, { text, label: `${chosen.value} snippet of ${id}` }),
    ),
    h('pre', { class: 'code', tabIndex: 0, 'aria-label': `${id} as ${chosen.value}` }, text),
  );
}

function Answer({ outcome, id }: { readonly outcome: Outcome; readonly id: string }): Element {
  const indented = useSignal(false);
  const { status, ok, ms, headers, text } = outcome;
  return h(
    'div',
    { class: 'answer' },
    h(
      'p',
      { class: 'answer-line' },
      h('strong', { class: ok ? 'answer-ok' : 'answer-error' }, status),
      h('span', null, `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`),
      h('span', null, `${new TextEncoder().encode(text).length.toLocaleString('en')} bytes`),
    ),
    h(
      'details',
      null,
      h('summary', null, `${headers.length} headers`),
      h(
        'pre',
        { class: 'code', tabIndex: 0, 'aria-label': 'Headers of the answer' },
        headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
      ),
    ),
    h(
      'div',
      { class: 'snippet-head' },
      h(
        'button',
        {
          type: 'button',
          class: 'button small',
          'aria-pressed': indented.value,
          onClick: () => (indented.value = !indented.value),
        },
        indented.value ? 'As received' : 'Indent',
      ),
      h(CopyButton, { text, label: `answer of ${id}` }),
    ),
    h(
      'pre',
      { class: 'code wrap', tabIndex: 0, 'aria-label': 'Body of the answer' },
      indented.value ? indent(text) : text,
    ),
  );
}
