import type * as v from 'valibot';
import type { ErrorCode } from './errors.ts';
import type { Fields } from './validate.ts';

/** The path prefix of every operation of this version. */
export const BASE_PATH = '/v1';

/** The contract of one operation. Routes, validation and the OpenAPI document are derived from it. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Relative to the base address; `{name}` is a path parameter of `params`. */
  readonly path: `/${string}`;
  readonly tag: 'pets' | 'store';
  readonly summary: string;
  readonly description: string;
  readonly params?: Fields;
  readonly query: Fields;
  readonly body?: Fields;
  readonly idempotent?: true;
  readonly answer: { readonly status: number; readonly schema: v.GenericSchema; readonly paged?: true };
  /** Errors specific to this operation, in addition to `commonErrors`. */
  readonly errors: readonly ErrorCode[];
  /** The statuses that the specification names. The others are experimental; with none, so is the operation. */
  readonly specified: readonly number[];
  readonly deprecated?: Deprecation;
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
  'request_timeout',
  'uri_too_long',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

/** Errors of every operation with a body. */
export const bodyErrors = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const;
