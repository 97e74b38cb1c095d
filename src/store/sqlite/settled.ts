import { ApiError, type ErrorCode } from '../../contract/errors.ts';
import type { Outcome } from '../batcher.ts';

/** An outcome on its way between threads or processes, where an error loses its class: its code travels beside it. */
export type Settled = Outcome<unknown> & { code?: ErrorCode };

export function settled(outcome: Outcome<unknown>): Settled {
  if (outcome.ok) return outcome;
  const { error } = outcome;
  return { ...outcome, ...(error instanceof ApiError && { code: error.code }) };
}

export function revive(outcome: Settled): Outcome<unknown> {
  if (outcome.ok || !outcome.code) return outcome;
  const { message, cause } = outcome.error;
  return { ok: false, error: new ApiError(outcome.code, message, { cause }) };
}
