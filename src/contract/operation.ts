import type * as v from 'valibot';
import type { ErrorCode } from './errors.ts';
import type { Fields } from './validate.ts';

/** Where the operations of this version stand. */
export const BASE_PATH = '/v1';

/** What the interface promises of one operation. Routes, validation and the OpenAPI document follow from it. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Relative to the base address; `{name}` stands for a path parameter of `params`. */
  readonly path: `/${string}`;
  readonly tag: 'pets' | 'store';
  readonly summary: string;
  readonly description: string;
  readonly params?: Fields;
  readonly query: Fields;
  readonly body?: Fields;
  readonly idempotent?: true;
  readonly answer: { readonly status: number; readonly schema: v.GenericSchema; readonly paged?: true };
  /** Errors of this operation alone, beside `commonErrors`. */
  readonly errors: readonly ErrorCode[];
  /** The statuses that the specification itself names, the rest being experimental; none: all of it is. */
  readonly specified: readonly number[];
  readonly deprecated?: Deprecation;
}

export interface Deprecation {
  readonly since: `${number}-${number}-${number}`;
  readonly sunset: `${number}-${number}-${number}`;
  /** The path that takes its place. */
  readonly successor: `/${string}`;
}

/** What any operation can answer. */
export const commonErrors: readonly ErrorCode[] = [
  'invalid_parameter',
  'bad_request',
  'unauthorized',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

/** What any operation with a body can answer. */
export const bodyErrors = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const;
