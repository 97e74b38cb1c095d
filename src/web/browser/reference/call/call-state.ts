import { type Signal, signal } from '@preact/signals';
import { apiBase } from '../../shared/service.ts';
import { bodyExample, type Entry, type OpenApi, type Parameter, parametersOf } from '../document.ts';
import { buildCall, type Call } from './call.ts';

/** The API key of every call on this page: in memory, for this tab only. */
export const apiKey = signal('');

/** The answer to a call, exactly as it came. */
export interface Outcome {
  readonly url: string;
  readonly status: string;
  readonly ms: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

/** What is filled in for one operation, and what came back. It stays while the reader looks elsewhere. */
export interface CallState {
  readonly parameters: readonly Parameter[];
  /** By the name of the parameter. Nothing that could change an animal is filled in: a person does that. */
  readonly values: Signal<Readonly<Record<string, string>>>;
  readonly body: Signal<string>;
  /** An example of the body; undefined for an operation without a body. */
  readonly bodyExample: string | undefined;
  readonly isOpen: Signal<boolean>;
  readonly sending: Signal<boolean>;
  readonly outcome: Signal<Outcome | undefined>;
  readonly problem: Signal<string | undefined>;
}

/** A page that is short enough to read. */
const FEW = '2';

export function createCallState(document: OpenApi, { method, operation }: Entry): CallState {
  const parameters = parametersOf(document, operation);
  const isList = method === 'GET' && parameters.some(({ name }) => name === 'limit');
  return {
    parameters,
    values: signal(isList ? { limit: FEW } : {}),
    body: signal(''),
    bodyExample: bodyExample(operation),
    isOpen: signal(false),
    sending: signal(false),
    outcome: signal(undefined),
    problem: signal(undefined),
  };
}

/** The call that the form describes, with examples for what is required and not filled in. */
export const callOf = (entry: Entry, { parameters, values, body, bodyExample }: CallState): Call =>
  buildCall(entry, {
    base: apiBase.href,
    parameters,
    values: values.value,
    body: body.value || bodyExample,
  });

/** What has to be filled in before the call can be sent. */
export const missingOf = ({ parameters, values, body, bodyExample }: CallState): string[] => [
  ...parameters.flatMap(({ name, required }) => (required && !values.value[name] ? [name] : [])),
  ...(bodyExample !== undefined && body.value.trim() === '' ? ['the body'] : []),
];

export async function send(call: Call, state: CallState): Promise<void> {
  if (state.sending.peek()) return;
  state.sending.value = true;
  state.problem.value = undefined;
  const start = performance.now();
  try {
    const authorization = apiKey.peek() === '' ? {} : { Authorization: `Bearer ${apiKey.peek()}` };
    const response = await fetch(call.url, {
      method: call.method,
      headers: { ...authorization, ...call.headers },
      ...(call.body !== undefined && { body: call.body }),
      cache: 'no-store',
    });
    const text = await response.text();
    state.outcome.value = {
      url: call.url,
      status: `${response.status} ${response.statusText}`.trim(),
      ms: performance.now() - start,
      headers: [...response.headers],
      text,
    };
  } catch {
    state.outcome.value = undefined;
    state.problem.value = navigator.onLine
      ? 'The service did not answer. Check your connection, the API key and the headers, and send it again.'
      : 'You are offline. Send it again when you are back.';
  } finally {
    state.sending.value = false;
  }
}
