import * as v from 'valibot';
import { kib, limits } from './limits.ts';

interface ErrorKind {
  readonly status: number;
  /** When it happens, and what the caller does about it. */
  readonly meaning: string;
}

/** Every code an error answer can carry. `docs/errors.md` and the OpenAPI document are made from it. */
export const errors = {
  invalid_request: {
    status: 400,
    meaning:
      'The body is missing, is not JSON, lacks a required field or holds an invalid value. `message` names every problem with its field; mend them and send again.',
  },
  invalid_parameter: {
    status: 400,
    meaning:
      'A query parameter or request header has an invalid value, or a cursor is broken or belongs to another filter. `message` names every problem with its parameter.',
  },
  bad_request: {
    status: 400,
    meaning:
      'The request is not well-formed HTTP: a broken request line or header, a missing Host, an expectation we do not meet. Mend the client or the proxy that sent it.',
  },
  unauthorized: {
    status: 401,
    meaning:
      'The API key is missing or invalid. Send `Authorization: Bearer <API_KEY>`; make a key with `animal-store keys create`.',
  },
  pet_not_found: {
    status: 404,
    meaning: 'There is no animal with this identifier.',
  },
  order_not_found: {
    status: 404,
    meaning: 'There is no order with this identifier.',
  },
  not_found: {
    status: 404,
    meaning: 'There is no such path. All operations stand below `/v1`.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method. The `Allow` header lists the methods it has.',
  },
  request_timeout: {
    status: 408,
    meaning: `The request did not arrive in time: ${limits.headersMs / 1000} seconds for the headers, ${limits.requestMs / 1000} seconds in all. Send it again, faster.`,
  },
  pet_not_available: {
    status: 409,
    meaning: 'The animal is ordered or sold already. Choose another, or wait until its order is cancelled.',
  },
  order_closed: {
    status: 409,
    meaning: 'The order is completed or cancelled already, and stays so. Place a new one.',
  },
  operation_removed: {
    status: 410,
    meaning:
      'The operation is deprecated and the operator has switched it off. The `Link` header names its successor.',
  },
  payload_too_large: {
    status: 413,
    meaning: `The body is larger than ${kib(limits.bodyBytes)}. It was not accepted.`,
  },
  uri_too_long: {
    status: 414,
    meaning: `The request target is longer than ${kib(limits.targetBytes)}.`,
  },
  unsupported_media_type: {
    status: 415,
    meaning:
      'The body is of another type than `application/json`, or is compressed. Send plain JSON in UTF-8.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning:
      'The `Idempotency-Key` was already used for another request within 24 hours. Use a new key for a new request.',
  },
  headers_too_large: {
    status: 431,
    meaning: `The request headers are larger than ${kib(limits.headerBytes)}.`,
  },
  internal_error: {
    status: 500,
    meaning:
      'A fault of ours. It is logged whole under the `X-Request-Id` of the answer: report it with that id.',
  },
  unavailable: {
    status: 503,
    meaning:
      'The store cannot do this now (locked, full, unreachable) or the service is leaving. Try again after `Retry-After` seconds; send creates with an `Idempotency-Key`, so that a retry never adds an animal twice.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errors;

/** An answer other than success, thrown wherever it is found out. */
export class ApiError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  get status(): number {
    return errors[this.code].status;
  }
}

export const ErrorBody = v.pipe(
  v.object({
    code: v.pipe(v.string(), v.description('Machine-readable error code.')),
    message: v.pipe(v.string(), v.description('Human-readable description.')),
    status: v.pipe(v.number(), v.integer(), v.description('The HTTP status code of the response.')),
  }),
  v.title('Error'),
  v.description('The body of every answer that is not a success.'),
);

export function errorJson({ code, message, status }: ApiError): string {
  return JSON.stringify({ code, message, status });
}
