import { entryOf, errorCodes, type OpenApi, parametersOf, type Schema } from '../document.ts';
import { printed } from '../exact-json.ts';

/** A guide says once what holds for every operation. */
export interface Guide {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The request headers it is about, by their names in the document. */
  readonly sends?: readonly string[];
  /** The response headers it is about, by their names in the document. */
  readonly headers?: readonly string[];
}

/** What the guides take from the document, so that no number and no code is written twice. */
interface Facts {
  /** A status with its code, such as 401 `unauthorized`. */
  error(code: string): string;
  /** What the document says about the bearer token. */
  readonly bearer: string;
  /** Every scope, as code. */
  readonly scopes: string;
  /** How many items a page has. */
  readonly page: { readonly usual: string; readonly least: string; readonly most: string };
  readonly version: string;
}

export function factsOf(api: OpenApi): Facts {
  const codes = errorCodes(api);
  const list = entryOf(api, 'listPets');
  const limit = list && parametersOf(api, list.operation).find(({ name }) => name === 'limit');
  const { default: usual = '', minimum = '', maximum = '' }: Schema = limit?.schema ?? {};
  const scopes = api.components?.schemas?.KeyScope?.enum ?? [];
  return {
    error: (code) => `${codes.find((one) => one.code === code)?.status ?? ''} \`${code}\``,
    bearer: api.components?.securitySchemes?.apiKey?.description ?? '',
    scopes: scopes.map((scope) => `\`${printed(scope)}\``).join(', '),
    page: { usual: printed(usual), least: printed(minimum), most: printed(maximum) },
    version: api.info.version,
  };
}

/** Notes on operations that are not in the document, by operation id. */
export const OPERATION_NOTES: Readonly<Record<string, string>> = {
  createOrder: 'The console shows `pending` animals and `placed` orders as Reserved.',
};

const text = (...paragraphs: string[]): string => paragraphs.join('\n\n');

export const guidesOf = (api: OpenApi): readonly Guide[] => [
  ...basics(factsOf(api)),
  ...further(factsOf(api)),
];

const basics = ({ error, bearer, scopes, page }: Facts): readonly Guide[] => [
  {
    id: 'authentication',
    title: 'Authentication',
    text: text(
      bearer,
      `The service checks the key first. If it is missing, unknown, expired or revoked, the response is ${error('unauthorized')}. Each operation names the scope it needs; without it, the response is ${error('insufficient_scope')}. The scopes are ${scopes}.`,
      'Ask the person who runs the service for a key. Keys are created on the Keys page of the console, with `createKey`, or with `animal-store keys create`. Never put a key in a URL.',
    ),
    headers: ['WWW-Authenticate'],
  },
  {
    id: 'paging',
    title: 'Paging',
    text: text(
      `A list returns ${page.usual} items; \`limit\` asks for ${page.least} to ${page.most}. If there are more, the \`Link\` header has the URL of the next page with \`rel="next"\`, relative to the URL of the request. The last page has no such link. Use the URL as it is: it contains your filters and an opaque \`cursor\`.`,
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
      `${error('invalid_parameter')} and ${error('invalid_request')} name all problems of a request at once. Every response has an \`X-Request-Id\`. Include it when you report a problem.`,
    ),
    sends: ['X-Request-Id'],
    headers: ['X-Request-Id', 'Retry-After', 'Accept-Encoding'],
  },
  {
    id: 'idempotency',
    title: 'Idempotency',
    text: text(
      `A response can be lost after the service has done its work. Send an \`Idempotency-Key\` with every change, and the same request again when a response is lost: the service does the work only once and returns the first response again, with \`Idempotent-Replayed\`. The same key with a different request gets ${error('idempotency_key_reused')}.`,
      'A replayed response shows the state at the time of the first request. Read the resource to get its current state.',
    ),
    sends: ['Idempotency-Key'],
    headers: ['Idempotent-Replayed'],
  },
];

const further = ({ error, version }: Facts): readonly Guide[] => [
  {
    id: 'conditional-requests',
    title: 'Conditional requests',
    text: `A response with a single animal has an \`ETag\`. Send it as \`If-Match\` to change or remove the animal only if no other client has changed it since; otherwise the response is ${error('precondition_failed')} and nothing changes. Send it as \`If-None-Match\` to read the animal only if it has changed.`,
    sends: ['If-Match', 'If-None-Match'],
    headers: ['ETag', 'Accept-Patch'],
  },
  {
    id: 'events',
    title: 'Events',
    text: text(
      'Every change is an event. `listEvents` returns them in pages, oldest first, in the order in which they were committed, and says how long they are kept. With `Accept: text/event-stream`, the response stays open and sends each event as it happens (server-sent events). `type`, `keyId` and `petId` narrow both.',
      `Store the \`id\` of the last event that you have processed. The stream can end at any time. Connect again with that \`id\` as \`Last-Event-ID\` or \`after\`, and you miss nothing and get nothing twice. If the service no longer has that \`id\`, the response is ${error('cursor_expired')}: open a new stream without it first, and then read what you need as it is now.`,
    ),
    sends: ['Last-Event-ID'],
    headers: ['Last-Event-ID'],
  },
  {
    id: 'rate-limits',
    title: 'Rate limits',
    text: `The operator can limit the number of requests per key. A request beyond the limit gets ${error('rate_limited')}. An overloaded service responds with ${error('unavailable')}. Both have a \`Retry-After\`: wait that long before you retry, and longer after each further failure.`,
    headers: ['RateLimit-Policy', 'RateLimit'],
  },
  {
    id: 'versions',
    title: 'Versions and stability',
    text: text(
      `The major version of the API is in its URL: \`/v1\`. What version ${version} specifies is stable and does not change. Operations marked Experimental and parameters marked ° go beyond it and may still change.`,
      `Unknown query parameters and body fields are ignored, unless a body has no others. The responses of a deprecated operation have the date of its removal.`,
    ),
    headers: ['Deprecation', 'Sunset', 'DeprecationLink'],
  },
];
