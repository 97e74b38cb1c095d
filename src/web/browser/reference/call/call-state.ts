import { type Signal, signal } from '@preact/signals';
import { bodyExample, type Entry, type OpenApi, type Parameter, parametersOf } from '../document.ts';
import { buildCall } from './build-call.ts';
import type { Call } from './snippets.ts';

/** The API key of every call on this page: in memory, for this tab only. */
export const apiKey = signal('');

/** The answer to a call, exactly as it came. */
export interface Outcome {
  /** Where it came from. */
  readonly url: string;
  readonly status: string;
  readonly ok: boolean;
  readonly ms: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

/** What is filled in for one operation, and what came back. It stays while the reader looks elsewhere. */
export interface CallState {
  readonly parameters: readonly Parameter[];
  readonly values: Signal<Readonly<Record<string, string>>>;
  /** Undefined for an operation without a body. */
  readonly body: Signal<string | undefined>;
  /** Whether the form is shown. */
  readonly isOpen: Signal<boolean>;
  readonly sending: Signal<boolean>;
  readonly outcome: Signal<Outcome | undefined>;
  readonly problem: Signal<string | undefined>;
}

export function createCallState(document: OpenApi, { operation }: Entry): CallState {
  return {
    parameters: parametersOf(document, operation),
    values: signal({}),
    body: signal(bodyExample(operation)),
    isOpen: signal(false),
    sending: signal(false),
    outcome: signal(undefined),
    problem: signal(undefined),
  };
}

/** The call that the form describes. */
export const callOf = (entry: Entry, { parameters, values, body }: CallState): Call =>
  buildCall(entry, { parameters, values: values.value, body: body.value });

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
      ok: response.ok,
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
