import { encodeCursor } from './cursor.ts';

/** What a header means, and an example of its value. */
interface Header {
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer'; readonly maxLength?: number };
  readonly example: string | number;
}

/** Request headers beyond the specification. */
export const requestHeaders = {
  'Idempotency-Key': {
    description:
      'Makes a create safe to retry: for 24 hours, a request with the same key and body gets the first response again and creates nothing; one with another body gets 422. Up to 255 visible characters, bare or in double quotes.',
    schema: { type: 'string', maxLength: 257 },
    example: '"6f0c1f1e-6f0a-4f4e-9d0e-1f9b8c6f3a55"',
  },
  'X-Request-Id': {
    description:
      'Identifies the request in the log of the service. Returned in the response if it has at most 128 plain characters; otherwise the service generates one.',
    schema: { type: 'string', maxLength: 128 },
    example: 'till-3-000482',
  },
  Prefer: {
    description:
      '`handling=strict` (RFC 7240): unknown query parameters and body fields are rejected instead of ignored.',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
} as const satisfies Record<string, Header>;

/** Response headers beyond the specification. */
export const responseHeaders = {
  'X-Request-Id': {
    description:
      "Identifies the request in the log of the service: the client's own `X-Request-Id`, or a generated one.",
    schema: { type: 'string' },
    example: '3d2c6c0e-8a53-4c52-b6c1-0c8d9e0f1a2b',
  },
  'Preference-Applied': {
    description: 'Present when the request asked for `Prefer: handling=strict`.',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
  Link: {
    description:
      'The next page (RFC 8288), with the same parameters and a `cursor`. Resolve the reference against the URL of the request, as in a browser. Absent on the last page.',
    schema: { type: 'string' },
    example: `<?limit=20&cursor=${encodeCursor('listPets', 7n)}>; rel="next"`,
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string' },
    example: 'true',
  },
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745).',
    schema: { type: 'string' },
    example: '@1794614400',
  },
  Sunset: {
    description: 'When the operation will be removed (RFC 8594).',
    schema: { type: 'string' },
    example: 'Thu, 05 Dec 2030 00:00:00 GMT',
  },
  DeprecationLink: {
    description:
      'The replacement of the deprecated operation and the documentation of its deprecation. Resolve the references against the URL of the request.',
    schema: { type: 'string' },
    example:
      '<../pets>; rel="successor-version", <../../openapi.json>; rel="deprecation"; type="application/json"',
  },
  'RateLimit-Policy': {
    description:
      'Present when the operator limits requests per API key: the quota `q` in a window of `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"default";q=100;w=60',
  },
  RateLimit: {
    description: 'How many requests are left (`r`), and in how many seconds the quota is full again (`t`).',
    schema: { type: 'string' },
    example: '"default";r=50;t=30',
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme to use, with `error="invalid_token"` if a key was sent.',
    schema: { type: 'string' },
    example: 'Bearer realm="animal-store"',
  },
  'Retry-After': {
    description: 'How many seconds to wait before trying again.',
    schema: { type: 'integer' },
    example: 1,
  },
} as const satisfies Record<string, Header>;

export type ResponseHeader = keyof typeof responseHeaders;
