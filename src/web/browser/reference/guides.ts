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
      'Send an API key as a bearer token with every request: `Authorization: Bearer <API_KEY>`. The service checks the key first. If it is missing, unknown, expired or revoked, the response is 401 `unauthorized`.',
      'A key has scopes such as `pets:read`, or `*` for everything. A write scope includes the read scope. Each operation names the scope it needs; without it, the response is 403 `insufficient_scope`, and `WWW-Authenticate` names the missing scope. `getCurrentKey` returns the scopes of your key.',
      'Ask the person who runs the service for a key. Keys are created on the Keys page of the console, with `createKey`, or with `animal-store keys create`. Never put a key in a URL.',
    ),
    headers: ['WWW-Authenticate'],
  },
  {
    id: 'paging',
    title: 'Paging',
    text: text(
      'A list returns 20 items; `limit` asks for 1 to 100. If there are more, the `Link` header has the URL of the next page with `rel="next"`, relative to the URL of the request. The last page has no such link. Use the URL as it is: it contains your filters and an opaque `cursor`.',
      'Some filters have no index, such as the `name` of animals, the `note` of orders and the `type` of events. With one of them, a request looks at a limited number of items, and a page may be short or even empty although there are more. Follow the link as long as there is one: only a page without it is the last.',
      'If you follow the links to the end, you get every item that existed at the start exactly once, even if others are added meanwhile.',
    ),
    headers: ['Link'],
  },
  {
    id: 'errors',
    title: 'Errors',
    text: text(
      'Every error has the same body: `code` for programs, `message` for people, and `status`, which repeats the HTTP status. Let your program decide by `code`: the wording of `message` may change.',
      'A 400 names all problems at once. Every response has an `X-Request-Id`. Include it when you report a problem.',
    ),
    headers: ['X-Request-Id', 'Retry-After'],
  },
  {
    id: 'idempotency',
    title: 'Idempotency',
    text: text(
      'A response can be lost after the service has done its work. Send an `Idempotency-Key` with a create, and the same key again when you retry: within 24 hours, the service does the work only once and returns the first response again, with `Idempotent-Replayed: true`. The same key with a different body gets 422 `idempotency_key_reused`.',
      'A replayed response shows the state at the time of the first request. Read the resource to get its current state.',
    ),
    headers: ['Idempotent-Replayed'],
  },
  {
    id: 'conditional-requests',
    title: 'Conditional requests',
    text: text(
      'A response with a single animal has an `ETag`. Send it as `If-Match` to change or remove the animal only if no other client has changed it since; otherwise the response is 412 `precondition_failed` and nothing changes. Send it as `If-None-Match` to read the animal only if it has changed; otherwise the response is 304 without a body.',
    ),
    headers: ['ETag', 'Accept-Patch'],
  },
  {
    id: 'rate-limits',
    title: 'Rate limits',
    text: text(
      'The operator can limit the number of requests per key. A request beyond the limit gets 429 `rate_limited`. An overloaded service responds with 503 `unavailable`. Both have a `Retry-After`: wait that long before you retry, and longer after each further failure.',
    ),
    headers: ['RateLimit-Policy', 'RateLimit'],
  },
  {
    id: 'events',
    title: 'Events',
    text: text(
      'Every change is an event. `listEvents` returns them in pages, oldest first, in the order in which they were committed. With `Accept: text/event-stream`, the response stays open and sends each event as it happens (server-sent events). `type`, `keyId` and `petId` narrow both.',
      'Store the `id` of the last event that you have processed. The stream can end at any time. Connect again with that `id` as `Last-Event-ID` or `after`, and you miss nothing and get nothing twice. If the service no longer has that `id`, the response is 410 `cursor_expired`: open a new stream without it first, and then read what you need as it is now.',
    ),
    headers: ['Last-Event-ID'],
  },
  {
    id: 'versions',
    title: 'Versions and stability',
    text: text(
      'The major version of the API is in its URL: `/v1`. What version 1.0.0 specifies does not change. Operations marked Experimental and parameters marked ° go beyond it and may still change.',
      'Unknown query parameters and body fields are ignored; `Ignored-Parameters` in the response names the parameters. With `Prefer: handling=strict`, both are rejected with 400. The responses of a deprecated operation have the date of its removal.',
      'The console shows `pending` animals and `placed` orders as Reserved.',
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
