import { apiBase } from '../../shared/service.ts';
import { buildCall, type Call } from '../call/call.ts';
import {
  bodyExample,
  entryOf,
  headerExample,
  jsonOf,
  mediaExamples,
  type OpenApi,
  parametersOf,
  type Response,
  resolve,
} from '../document.ts';
import { parse, print } from '../exact-json.ts';
import { factsOf } from './guides.ts';

/** A command to try what a guide is about, and what comes back. */
export interface GuideExample {
  readonly call: Call;
  /** Options of curl: `-i` shows the headers of the answer, `-N` shows a stream as it comes. */
  readonly flags: readonly string[];
  readonly status: string;
  /** The headers of the answer that matter here. */
  readonly above: string;
  readonly text: string;
}

/** The examples by guide, made of those in the document. */
export function guideExamples(api: OpenApi): Readonly<Record<string, GuideExample | undefined>> {
  const value = (name: string) => headerExample(api, name);
  const above = (...names: string[]) => names.map((name) => `${name}: ${value(name)}`).join('\n');
  return {
    authentication: example(api, 'getCurrentKey'),
    paging: example(api, 'listPets', { values: { limit: factsOf(api).page.usual }, above: above('Link') }),
    errors: example(api, 'getOrder', { error: 'order_not_found', above: above('X-Request-Id') }),
    idempotency: example(api, 'createPet', {
      values: { 'Idempotency-Key': value('X-Request-Id') },
      above: above('Idempotent-Replayed'),
    }),
    'conditional-requests': example(api, 'updatePet', {
      values: { 'If-Match': value('ETag') },
      error: 'precondition_failed',
    }),
    events: asStream(example(api, 'listEvents')),
    'rate-limits': example(api, 'listPets', {
      error: 'rate_limited',
      above: above('RateLimit', 'Retry-After'),
    }),
    versions: example(api, 'getPet', { above: above('Deprecation', 'Sunset') }),
  };
}

interface Details {
  /** By the name of the parameter. */
  readonly values?: Readonly<Record<string, string>>;
  /** The code of the error that is the answer. Without it, the answer is a success. */
  readonly error?: string;
  readonly above?: string;
}

function example(api: OpenApi, id: string, details: Details = {}): GuideExample | undefined {
  const { values = {}, error = '', above = '' } = details;
  const entry = entryOf(api, id);
  if (!entry) return undefined;
  const { operation } = entry;
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    const media = jsonOf(resolve<Response>(api, response).content);
    const found = media && mediaExamples(media).find(([name]) => name === error);
    if (!found) continue;
    const parameters = parametersOf(api, operation);
    const filled = { base: apiBase.href, parameters, values, body: bodyExample(operation) };
    const flags = above === '' ? [] : ['-i'];
    return { call: buildCall(entry, filled), flags, status, above, text: print(found[1]) };
  }
  return undefined;
}

/** The same call as a stream, and its events as a stream sends them. */
function asStream(list: GuideExample | undefined): GuideExample | undefined {
  if (!list) return undefined;
  const events = parse(list.text) as readonly { id: string; type: string }[];
  return {
    ...list,
    call: { ...list.call, headers: { ...list.call.headers, Accept: 'text/event-stream' } },
    flags: ['-N'],
    text: events
      .map((event) => `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}`)
      .join('\n\n'),
  };
}
