import * as v from 'valibot';
import { kib, limits } from './limits.ts';
import type { Scope } from './scope.ts';

interface ErrorKind {
  readonly status: number;
  /** When it happens, and what the client can do about it. */
  readonly meaning: string;
}

/** Every code of an error response. `docs/errors.md` and the OpenAPI document are generated from this table. */
export const errors = {
  invalid_request: {
    status: 400,
    meaning:
      'The body is missing, is not JSON, lacks a required field or has an invalid value. `message` lists every problem with its field. Fix them and try again.',
  },
  invalid_parameter: {
    status: 400,
    meaning:
      'A query parameter or request header has an invalid value, a parameter is misspelled (`Status`, `id[]`), or a cursor is malformed or belongs to another filter. `message` lists every problem with its parameter. Fix them and try again.',
  },
  bad_request: {
    status: 400,
    meaning:
      'The request is not well-formed HTTP, such as a malformed request line or header or a missing `Host`. The status is 417 for an expectation other than `100-continue`, 501 for an unknown method or transfer coding, and 505 for another version than HTTP/1.0 and 1.1. Fix the client or the proxy that sent it.',
  },
  unauthorized: {
    status: 401,
    meaning:
      'The API key is missing or invalid. Send `Authorization: Bearer <API_KEY>`; create a key with `animal-store keys create`.',
  },
  insufficient_scope: {
    status: 403,
    meaning:
      'The API key is valid but does not have the required scope. `message` and `WWW-Authenticate` name the scope. Use a key that has it; `animal-store keys create --scopes` or `POST /keys` creates one.',
  },
  pet_not_found: {
    status: 404,
    meaning: 'There is no animal with this identifier.',
  },
  order_not_found: {
    status: 404,
    meaning: 'There is no order with this identifier.',
  },
  category_not_found: {
    status: 404,
    meaning: 'The category with this identifier has no name. Animals can still belong to it.',
  },
  key_not_found: {
    status: 404,
    meaning:
      'There is no stored API key with this identifier. A key from `API_KEYS` belongs to the configuration of the service: remove it there.',
  },
  not_found: {
    status: 404,
    meaning: 'There is no such path. All operations are below `/v1`, and no path ends in a slash.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not support this method. The `Allow` header lists the methods it supports.',
  },
  request_timeout: {
    status: 408,
    meaning: `The request did not arrive in time: ${limits.headersMs / 1000} seconds for the headers, ${limits.requestMs / 1000} seconds for the whole request. Try again.`,
  },
  pet_not_available: {
    status: 409,
    meaning:
      'The animal is ordered, sold or removed. Choose another one, or wait until its order is cancelled.',
  },
  order_closed: {
    status: 409,
    meaning:
      'The order cannot change from its status to this one, has it already, or no longer has the status `from`. The message says what is possible.',
  },
  order_not_completed: {
    status: 409,
    meaning: 'Only a completed order can be returned. Cancel one that is still placed.',
  },
  pet_not_sold: {
    status: 409,
    meaning:
      'The sale cannot be returned or corrected, because its animal has been changed, sold again or removed since.',
  },
  category_exists: {
    status: 409,
    meaning: 'Another category has the same name, ignoring case. Use that one, or choose another name.',
  },
  category_in_use: {
    status: 409,
    meaning:
      'Animals belong to the category, so its name cannot be removed. Move them to another category first.',
  },
  pet_has_open_order: {
    status: 409,
    meaning:
      'The animal has an open order, so it cannot be removed, and its status follows that order. Complete or cancel the order first.',
  },
  pet_sold_by_order: {
    status: 409,
    meaning:
      'An order has sold the animal, so its status follows that order. `message` names the order. Return it first.',
  },
  pet_not_removed: {
    status: 409,
    meaning: 'The animal is in the inventory, so there is nothing to restore.',
  },
  key_not_active: {
    status: 409,
    meaning:
      'The API key is revoked, expired or already replaced, so it cannot be changed or rotated. Use the key that replaces it, or create a new one.',
  },
  operation_removed: {
    status: 410,
    meaning:
      'The operation is deprecated and the operator has switched it off. The `Link` header names its replacement.',
  },
  cursor_expired: {
    status: 410,
    meaning:
      'The event with the id in `after` is no longer kept, or was lost when the store was restored from a backup. Start again without `after`, then read what you need as it is now.',
  },
  precondition_failed: {
    status: 412,
    meaning:
      'The animal has changed since its `ETag` was read, so nothing was done. Read the animal again, and decide whether the change is still wanted.',
  },
  payload_too_large: {
    status: 413,
    meaning: `The body is larger than ${kib(limits.bodyBytes)}. Send less.`,
  },
  uri_too_long: {
    status: 414,
    meaning: `The request target is longer than ${kib(limits.targetBytes)}.`,
  },
  unsupported_media_type: {
    status: 415,
    meaning:
      'The body is not `application/json`, or is compressed. Send plain JSON in UTF-8. `PATCH` also accepts `application/merge-patch+json`.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning:
      'The `Idempotency-Key` was already used for another request within 24 hours. Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    meaning:
      'The API key has made more requests than the operator allows. Try again after `Retry-After` seconds.',
  },
  headers_too_large: {
    status: 431,
    meaning: `There are more than ${limits.headerCount} request headers, or they are larger than ${kib(limits.headerBytes)} in all.`,
  },
  internal_error: {
    status: 500,
    meaning:
      'Something went wrong in the service. The details are in its log under the `X-Request-Id` of the response: report the problem with that id.',
  },
  unavailable: {
    status: 503,
    meaning:
      'The database cannot do this at the moment (locked, full or unreachable), or the service is overloaded or shutting down. Try again after `Retry-After` seconds. Send an `Idempotency-Key` with every change, so that a repeated request never does it twice.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errors;

/** What is known about an error besides its message. Plain data. */
export interface ErrorDetails {
  /** The status, where HTTP has a more exact one than that of the code. */
  readonly status?: 417 | 501 | 505;
  /** The scopes that the API key lacks. */
  readonly missingScopes?: readonly Scope[];
  /** Why the API key is refused: for the log, never for the client. */
  readonly refusal?: KeyRefusal;
}

export const keyRefusals = ['missing', 'malformed', 'mistyped', 'unknown', 'revoked', 'expired'] as const;

/** Why an API key is refused, and its id if it is known. */
export interface KeyRefusal {
  readonly refused: (typeof keyRefusals)[number];
  readonly keyId?: string;
}

/** An error response, thrown wherever the problem is found. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, { cause, ...details }: ErrorOptions & ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }

  /** For the metrics: tells causes apart that have the same code. */
  get reason(): string {
    return this.code;
  }

  get status(): number {
    return this.details.status ?? errors[this.code].status;
  }
}

export const ErrorBody = v.pipe(
  v.object({
    code: v.pipe(v.string(), v.description('Machine-readable error code.')),
    message: v.pipe(v.string(), v.description('Human-readable description.')),
    status: v.pipe(v.number(), v.integer(), v.description('The HTTP status code of the response.')),
  }),
  v.title('Error'),
  v.description('The body of every error response.'),
);

export function errorJson({ code, message, status }: ApiError): string {
  return JSON.stringify({ code, message, status });
}

/** An error that was not meant for the client is an internal error. Its response reveals no details. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('internal_error', 'Something went wrong on our side.', { cause: error });
}
