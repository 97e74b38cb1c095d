import { encodeCursor } from './cursor.ts';
import { eventId } from './event-id.ts';

interface RequestHeader {
  readonly description: string;
  readonly schema: { readonly type: 'string'; readonly maxLength?: number };
}

/** The type of its value is that of the example. */
interface ResponseHeaderKind {
  readonly description: string;
  readonly example: string | number;
}

/**
 * Request headers beyond the specification. They have no example: Postman, Bruno and others would send it with every request, and a
 * second create with the same `Idempotency-Key` is a replay.
 */
export const requestHeaders = {
  'Idempotency-Key': {
    description:
      'Makes a change safe to repeat: for 24 hours, the same request with the same key gets the first response again and changes nothing; another request with it gets 422. Up to 255 ASCII characters, without spaces or in double quotes, such as a UUID that is new for each change.',
    schema: { type: 'string', maxLength: 257 },
  },
  'If-Match': {
    description:
      'The `ETag` of the animal as the client knows it (RFC 9110). If the animal has changed since, the response is 412 and nothing is done.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    description:
      'The `ETag` of an earlier response: reading an animal that has not changed since gets 304 without a body.',
    schema: { type: 'string' },
  },
  'Last-Event-ID': {
    description:
      'For a stream: the `id` of the last event that the client has received. The stream continues after it. It takes precedence over `after`.',
    schema: { type: 'string' },
  },
  'X-Request-Id': {
    description:
      'Identifies the request in the log of the service. Returned in the response if it has at most 128 plain characters; otherwise the service generates one.',
    schema: { type: 'string', maxLength: 128 },
  },
} as const satisfies Record<string, RequestHeader>;

/** Response headers beyond the specification. */
export const responseHeaders = {
  'X-Request-Id': {
    description:
      "Identifies the request in the log of the service: the client's own `X-Request-Id`, or a generated one.",
    example: '3d2c6c0e-8a53-4c52-b6c1-0c8d9e0f1a2b',
  },
  Link: {
    description:
      'The next page (RFC 8288), with the same parameters and a `cursor`. Resolve the reference against the URL of the request, as in a browser. Absent on the last page.',
    example: `<?limit=20&cursor=${encodeCursor('listPets', { id: 7n })}>; rel="next"`,
  },
  'Last-Event-ID': {
    description:
      'On a stream: the `id` of the event after which it begins. Absent while the store has no event.',
    example: eventId({ id: 1n, at: new Date('2026-11-15T09:00:00.000Z') }),
  },
  ETag: {
    description:
      'The version of the animal (RFC 9110), for `If-Match` and `If-None-Match`. It changes when the animal does.',
    example: '"kXb2vNq1c0mZlP7tYwRs4Q"',
  },
  Location: {
    description:
      'Where to read what was created (RFC 9110). Resolve the reference against the URL of the request, as in a browser.',
    example: 'orders/1',
  },
  'Accept-Patch': {
    description: 'For a `PATCH`, the types of body that it accepts (RFC 5789).',
    example: 'application/merge-patch+json, application/json',
  },
  'Accept-Encoding': {
    description: 'Present when the body was encoded: `identity`, because it must not be (RFC 9110).',
    example: 'identity',
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the response to an earlier request with the same `Idempotency-Key`.',
    example: 'true',
  },
  Deprecation: {
    description: 'When the operation was deprecated (RFC 9745).',
    example: '@1794614400',
  },
  Sunset: {
    description: 'When the operation will be removed (RFC 8594).',
    example: 'Thu, 05 Dec 2030 00:00:00 GMT',
  },
  DeprecationLink: {
    description:
      'The replacement of the deprecated operation and the documentation of its deprecation. Resolve the references against the URL of the request.',
    example:
      '<../pets>; rel="successor-version", <../../openapi.json>; rel="deprecation"; type="application/json"',
  },
  'RateLimit-Policy': {
    description:
      'Present when the operator limits requests per API key: the quota `q` in a window of `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
    example: '"default";q=100;w=60',
  },
  RateLimit: {
    description: 'How many requests are left (`r`), and in how many seconds the quota is full again (`t`).',
    example: '"default";r=50;t=30',
  },
  'WWW-Authenticate': {
    description:
      'The authentication scheme to use (RFC 6750), with `error="invalid_token"` if a key was sent that is not valid, or `error="insufficient_scope"` and the missing `scope`.',
    example: 'Bearer realm="animal-store"',
  },
  'Retry-After': {
    description: 'How many seconds to wait before trying again.',
    example: 1,
  },
} as const satisfies Record<string, ResponseHeaderKind>;

export type ResponseHeader = keyof typeof responseHeaders;

/** The name with which a header is sent: `Link` has two descriptions. */
export const sentName = (header: ResponseHeader): string => (header === 'DeprecationLink' ? 'Link' : header);

export const responseHeaderNames: readonly string[] = [
  ...new Set((Object.keys(responseHeaders) as ResponseHeader[]).map(sentName)),
];
