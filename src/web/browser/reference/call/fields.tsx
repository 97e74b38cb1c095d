import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { type OpenApi, type Parameter, resolve } from '../document.ts';
import { printed } from '../exact-json.ts';
import { apiKey, type CallState } from './call-state.ts';

const typed = (event: Event) => (event.target as HTMLInputElement).value;

export function KeyField({ id }: { readonly id: string }): JSX.Element {
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

export function ParameterField({ id, document, parameter, state }: ParameterFieldProps): JSX.Element {
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
        {required ? <small>required</small> : null}
      </label>
      {resolved.enum ? (
        <span class="select">
          <select {...common} onChange={change}>
            <option value="">any</option>
            {resolved.enum.map((one) => (
              <option value={printed(one)}>{printed(one)}</option>
            ))}
          </select>
          {icon('down')}
        </span>
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

export function BodyField({ id, state }: { readonly id: string; readonly state: CallState }): JSX.Element {
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
