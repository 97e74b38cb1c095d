import type { ErrorCode } from './models.ts';

/** Codes of the failures that the client itself detects. Their `status` is 0, except for `unexpected_response`. */
export type ClientErrorCode =
  /** No complete response arrived, and the retries did not help. */
  | 'network_error'
  /** The call took longer than its `timeoutMs`. */
  | 'timeout'
  /** The call's `signal` was aborted; `cause` is the signal's reason. */
  | 'aborted'
  /** An argument cannot be sent, or a query or the options contain an unknown key; no request was made. */
  | 'invalid_argument'
  /** The runtime would round identifiers; there is no client. */
  | 'unsupported_runtime'
  /** The response did not come from an Animal Store service, or was damaged on its way. */
  | 'unexpected_response';

/** A code of the service, a code of the client, or a code that a newer service has added. */
export type AnimalStoreErrorCode = ErrorCode | ClientErrorCode | (string & Record<never, never>);

type Details = Pick<AnimalStoreError, 'code'> &
  Partial<Pick<AnimalStoreError, 'status' | 'requestId' | 'retryAfterMs' | 'cause'>>;

/**
 * The one error of this client: every call that fails rejects with it.
 *
 * After `network_error`, `timeout`, `aborted`, `unexpected_response` or a status from 500, a change may or may not have taken effect.
 * Repeat it with the same `idempotencyKey` to find out: it is never made twice.
 */
export class AnimalStoreError extends Error {
  override readonly name = 'AnimalStoreError';
  /** What went wrong, for programs: `pet_not_available`, `rate_limited`, `timeout`, … */
  readonly code: AnimalStoreErrorCode;
  /** The HTTP status of the response; 0 when there was none. */
  readonly status: number;
  /** Identifies the request in the log of the service. Undefined when no request was made. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait before the next attempt (`Retry-After`); undefined when it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { code, status = 0, requestId, retryAfterMs, cause }: Details) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

export const invalidArgument = (message: string): AnimalStoreError =>
  new AnimalStoreError(message, { code: 'invalid_argument' });

/** If they were ignored, a misspelt filter would return every animal, and a `signal` in the wrong place would abort nothing. */
export function rejectUnknown(argument: 'query' | 'options', [key]: readonly string[]): void {
  if (key !== undefined) throw invalidArgument(`${argument} must not contain ${JSON.stringify(key)}.`);
}
