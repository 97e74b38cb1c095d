import { entriesOf, jsonOf, mediaExamples, type OpenApi, type Response, resolve } from './document.ts';

/** An error that the service can answer with. */
export interface ErrorCode {
  readonly code: string;
  readonly status: string;
  readonly meaning: string;
}

/** What holds for every operation is told once, here, and not in each of them. */
export interface Guide {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The headers it is about, by the names in the document. */
  readonly headers?: readonly string[];
}

const text = (...paragraphs: string[]): string => paragraphs.join('\n\n');

export const guides: readonly Guide[] = [
  {
    id: 'authentication',
    title: 'Authentication',
    text: text(
      'Every request carries an API key as a bearer token: `Authorization: Bearer <API_KEY>`. A missing, unknown, expired or revoked key is answered with 401 `unauthorized` before anything else is looked at.',
      'A key has scopes, such as `pets:read`, or `*` for everything; a scope for writing includes reading. Each operation says which one it needs. Without it the answer is 403 `insufficient_scope`, and `WWW-Authenticate` names the scope. `getCurrentKey` says what your key has.',
      'Get a key from the person who runs the service: the console has a page for keys, and `animal-store keys create` makes one. Never put a key into an address.',
    ),
    headers: ['WWW-Authenticate'],
  },
  {
    id: 'paging',
    title: 'Paging',
    text: text(
      'A list returns 20 items, or as many as `limit` says, from 1 to 100. If there are more, the `Link` header has the address of the next page with `rel="next"`; the last page has none. Follow it as it is: it contains your filters and a `cursor`, which is opaque.',
      'Following the links to the end returns everything that existed at the start exactly once, even while others write.',
    ),
    headers: ['Link'],
  },
  {
    id: 'errors',
    title: 'Errors',
    text: text(
      'Every error has the same body: `code` for programs, `message` for people, and `status`, which repeats the HTTP status. Decide by `code`; the wording of `message` may change.',
      'A 400 names every problem at once. Every answer has an `X-Request-Id`: name it when you report a problem.',
    ),
    headers: ['X-Request-Id', 'Retry-After'],
  },
  {
    id: 'idempotency',
    title: 'Idempotency',
    text: text(
      'A response can be lost after the service has done its work. Send an `Idempotency-Key` with a create, and the same key again when you retry: within 24 hours the service does the work once and returns the first answer again, with `Idempotent-Replayed: true`. The same key with another body is 422 `idempotency_key_reused`.',
      'A repeated answer tells what happened then. Read the resource to learn how it is now.',
    ),
    headers: ['Idempotent-Replayed'],
  },
  {
    id: 'conditional-requests',
    title: 'Conditional requests',
    text: text(
      'An answer with one animal has an `ETag`. Send it as `If-Match` to change or remove the animal only if no one has changed it since; otherwise the answer is 412 `precondition_failed` and nothing happens. Send it as `If-None-Match` to read the animal only if it has changed; otherwise the answer is 304 without a body.',
    ),
    headers: ['ETag', 'Accept-Patch'],
  },
  {
    id: 'rate-limits',
    title: 'Rate limits',
    text: text(
      'The operator may limit the requests of a key. The answer to a request beyond the limit is 429 `rate_limited` with `Retry-After`. An overloaded service answers 503 `unavailable`, also with `Retry-After`. Wait that long, and longer after each further failure.',
    ),
    headers: ['RateLimit-Policy', 'RateLimit'],
  },
  {
    id: 'events',
    title: 'Events',
    text: text(
      'Every change is an event, in the order of the commits. `listEvents` returns them in pages, oldest first. With `Accept: text/event-stream` the answer goes on as they happen, as server-sent events.',
      'Store the `id` of the last event that you have processed. When the stream ends, and it can at any time, connect again with that `id` as `Last-Event-ID` or `after`: nothing is missed and nothing is repeated. An `id` that is no longer kept is answered with 410 `cursor_expired`: read what you need as it is now, and follow from there.',
    ),
    headers: ['Last-Event-ID'],
  },
  {
    id: 'versions',
    title: 'Versions and stability',
    text: text(
      'The version of the interface is in its address: `/v1`. What is part of version 1.0.0 does not change. An operation marked Experimental, and a parameter marked with °, goes beyond it and may still change.',
      'Unknown query parameters and body fields are ignored; the answer names such parameters in `Ignored-Parameters`. With `Prefer: handling=strict` they are rejected. A deprecated operation has the date of its removal in its answers.',
      'The console of the shop shows animals that are `pending`, and orders that are `placed`, as Reserved.',
    ),
    headers: ['Ignored-Parameters', 'Preference-Applied', 'Deprecation', 'Sunset', 'DeprecationLink'],
  },
];

/** Every error that an operation documents, with the operations that have it. */
export function errorCodes(api: OpenApi): (ErrorCode & { readonly operations: readonly string[] })[] {
  const found = new Map<string, ErrorCode & { operations: string[] }>();
  for (const { operation } of entriesOf(api))
    for (const one of errorsOf(api, operation.responses ?? {})) {
      const known = found.get(one.code) ?? { ...one, operations: [] };
      known.operations.push(operation.operationId);
      found.set(one.code, known);
    }
  return [...found.values()].toSorted((a, b) => a.status.localeCompare(b.status));
}

/** The errors among the responses of one operation. */
export function errorsOf(
  api: OpenApi,
  responses: NonNullable<ReturnType<typeof entriesOf>[number]['operation']['responses']>,
): ErrorCode[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const media = jsonOf(resolve<Response>(api, response).content);
    if (!/^[45]/.test(status) || !media) return [];
    return mediaExamples(media).map(([code, value]) => ({
      code,
      status,
      meaning: String((value as { message?: unknown }).message ?? ''),
    }));
  });
}

/** The errors that every operation has: they are listed in the guide alone. */
export function commonCodes(api: OpenApi): ReadonlySet<string> {
  const all = entriesOf(api).length;
  return new Set(
    errorCodes(api).flatMap(({ code, operations }) => (operations.length === all ? [code] : [])),
  );
}
