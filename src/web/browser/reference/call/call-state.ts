import { type Signal, signal } from '@preact/signals';
import { apiBase } from '../../shared/service.ts';
import { type Entry, jsonOf, mediaExamples, type OpenApi, type Parameter, resolve } from '../document.ts';
import { print } from '../exact-json.ts';
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
  readonly sending: Signal<boolean>;
  readonly outcome: Signal<Outcome | undefined>;
  readonly problem: Signal<string | undefined>;
}

export function createCallState(document: OpenApi, { operation }: Entry): CallState {
  const media = jsonOf(operation.requestBody?.content);
  const [example] = media ? mediaExamples(media) : [];
  return {
    parameters: (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter)),
    values: signal({}),
    body: signal(media ? print(example?.[1] ?? {}) : undefined),
    sending: signal(false),
    outcome: signal(undefined),
    problem: signal(undefined),
  };
}

/** The call that the form describes. A list parameter takes several values, separated by commas. */
export function callOf({ method, path }: Entry, state: CallState): Call {
  const values = state.values.value;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let target = path;
  for (const { name, in: place, schema } of state.parameters) {
    const value = values[name] ?? '';
    if (place === 'path')
      target = target.replace(`{${name}}`, value === '' ? `{${name}}` : encodeURIComponent(value));
    if (value === '') continue;
    if (place === 'header') headers[name] = value;
    if (place !== 'query') continue;
    const list = schema?.type === 'array' ? value.split(',').map((one) => one.trim()) : [value];
    for (const one of list) query.append(name, one);
  }
  const body = state.body.value;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const search = `${query}`.replaceAll('+', '%20');
  return { method, url: `${apiBase.href}${target}${search && `?${search}`}`, headers, body };
}

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
