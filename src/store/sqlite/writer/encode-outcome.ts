import { ApiError, type ErrorCode } from '../../../contract/errors.ts';
import type { Outcome } from '../../batcher.ts';

/**
 * An outcome that can be cloned between threads and processes. Cloning reduces an error to its message, stack and cause;
 * the fields that callers depend on are sent next to it.
 */
export type EncodedOutcome = Outcome<unknown> & { readonly code?: ErrorCode; readonly errcode?: number };

export function encodeOutcome(outcome: Outcome<unknown>): EncodedOutcome {
  if (outcome.ok) return outcome;
  const { error } = outcome;
  if (error instanceof ApiError) return { ...outcome, code: error.code };
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? outcome : { ...outcome, errcode };
}

export function decodeOutcome(encoded: EncodedOutcome): Outcome<unknown> {
  if (encoded.ok) return encoded;
  const { error, code, errcode } = encoded;
  if (code) return { ok: false, error: new ApiError(code, error.message, { cause: error.cause }) };
  return { ok: false, error: Object.assign(error, errcode !== undefined && { errcode }) };
}
