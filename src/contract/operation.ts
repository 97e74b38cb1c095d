import type * as v from 'valibot';
import type { ErrorCode } from './errors.ts';
import type { RequiredScope } from './scope.ts';
import type { Fields } from './validate.ts';

/** The version of the API. */
export const VERSION = '1.0.0';
/** The path prefix of every operation of this version. */
export const BASE_PATH = '/v1';

/** The contract of one operation. Routes, validation and the OpenAPI document are derived from it. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base address; `{name}` is a path parameter of `params`, at most one. */
  readonly path: `/${string}`;
  readonly tag: 'pets' | 'categories' | 'store' | 'events' | 'keys';
  /** What a key needs to call it. */
  readonly scope: RequiredScope;
  readonly summary: string;
  readonly description: string;
  readonly params?: Fields;
  readonly query?: Fields;
  readonly body?: Fields;
  /** Whether its response has a secret. A secret is stored nowhere and cannot be sent again, so an `Idempotency-Key` is refused. */
  readonly secret?: true;
  /** Whether it heeds `If-Match` and `If-None-Match`. */
  readonly conditional?: true;
  readonly answer: SuccessfulAnswer;
  /** Errors specific to this operation, in addition to `commonErrors`. */
  readonly errors?: readonly ErrorCode[];
  /** Whether the specification has it. The others are experimental. */
  readonly specified?: true;
  readonly deprecated?: Deprecation;
}

/** An operation as it is defined: under its id, among those of its tag. */
export type OperationDefinition = Omit<Operation, 'id' | 'tag'>;

/** Whether an `Idempotency-Key` makes it safe to repeat: every change but those of API keys, whose secrets are stored nowhere. */
export const takesIdempotencyKey = ({ method, tag }: Pick<Operation, 'method' | 'tag'>): boolean =>
  method !== 'GET' && tag !== 'keys';

interface SuccessfulAnswer {
  readonly status: number;
  /** None for an answer without a body. */
  readonly schema?: v.GenericSchema;
  readonly paged?: true;
  /** Whether a client can also follow it, as `text/event-stream`. */
  readonly followed?: true;
  /** Whether it has an `ETag`. */
  readonly tagged?: true;
  /** Whether it has the `Location` of what was created. */
  readonly located?: true;
  /** Whether it may also be 201, with a `Location`, if the call has created something. */
  readonly mayCreate?: true;
}

export interface Deprecation {
  readonly since: `${number}-${number}-${number}`;
  readonly sunset: `${number}-${number}-${number}`;
  /** The path that replaces it. */
  readonly successor: `/${string}`;
}

/** Errors of every operation. */
export const commonErrors: readonly ErrorCode[] = [
  'invalid_parameter',
  'bad_request',
  'unauthorized',
  'insufficient_scope',
  'request_timeout',
  'uri_too_long',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

/** Errors of every operation with a body. */
export const bodyErrors = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const;
