import { encodeCursor } from './cursor.ts';

/** A header beyond the body: what it means, and a value it can have. */
interface Header {
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer'; readonly maxLength?: number };
  readonly example: string | number;
}

/** Headers a request may carry, beyond the specification. */
export const requestHeaders = {
  'Idempotency-Key': {
    description:
      'Makes a create safe to repeat: for 24 hours the same key and body get the first answer again and add nothing; another body gets 422. Up to 255 visible characters, bare or in double quotes.',
    schema: { type: 'string', maxLength: 257 },
    example: '"6f0c1f1e-6f0a-4f4e-9d0e-1f9b8c6f3a55"',
  },
  'X-Request-Id': {
    description:
      'Names the request in the log of the service, and comes back in the answer, when it is up to 128 plain characters.',
    schema: { type: 'string', maxLength: 128 },
    example: 'till-3-000482',
  },
  Prefer: {
    description:
      '`handling=strict` (RFC 7240): unknown query parameters and body fields are refused instead of ignored.',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
} as const satisfies Record<string, Header>;

/** Headers an answer may carry, beyond the specification. */
export const answerHeaders = {
  'X-Request-Id': {
    description: "Names the request in the service's log: the client's own `X-Request-Id`, or a new one.",
    schema: { type: 'string' },
    example: '3d2c6c0e-8a53-4c52-b6c1-0c8d9e0f1a2b',
  },
  'Preference-Applied': {
    description: 'Present when `Prefer: handling=strict` was asked for and obeyed.',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
  Link: {
    description: 'The next page (RFC 8288), with every given parameter kept. Absent on the last page.',
    schema: { type: 'string' },
    example: `</v1/pets?limit=20&cursor=${encodeCursor('listPets', 7n)}>; rel="next"`,
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string' },
    example: 'true',
  },
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745).',
    schema: { type: 'string' },
    example: '@1794614400',
  },
  Sunset: {
    description: 'When the operation is to be removed (RFC 8594).',
    schema: { type: 'string' },
    example: 'Thu, 05 Dec 2030 00:00:00 GMT',
  },
  DeprecationLink: {
    description:
      'Sent as `Link`: the successor of a deprecated operation and the documentation of its deprecation.',
    schema: { type: 'string' },
    example:
      '</v1/pets>; rel="successor-version", </openapi.json>; rel="deprecation"; type="application/json"',
  },
  'WWW-Authenticate': {
    description: 'The scheme to use; with `error="invalid_token"` when a key was sent.',
    schema: { type: 'string' },
    example: 'Bearer realm="animal-store"',
  },
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer' },
    example: 1,
  },
} as const satisfies Record<string, Header>;

export type AnswerHeader = keyof typeof answerHeaders;
