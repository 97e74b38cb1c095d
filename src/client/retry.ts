import type { Call } from './call.ts';
import { AnimalStoreError } from './errors.ts';

const FIRST_PAUSE_MS = 250;
/** Short compared with the time-out of a call: a service that restarts several times in a row is up only for moments. */
const MAX_PAUSE_MS = 2_000;
/** With less time than this, another attempt would only end in a time-out that hides the real error. */
const MIN_ATTEMPT_MS = 100;
/** What the service and the proxies in front of it answer while it restarts, is overloaded or limits the client. */
const TEMPORARY = [429, 502, 503, 504];

/** Whether the failure may pass without a change to the request. */
export const isTemporary = ({ code, status }: AnimalStoreError): boolean =>
  code === 'network_error' || TEMPORARY.includes(status);

/** Whether the service may have executed an attempt that failed temporarily: it has not after 429, nor if it was never connected. */
const mayHaveTakenEffect = ({ status, cause }: AnimalStoreError): boolean =>
  status !== 429 && !wasRefused(cause);

/** Whether an error of `fetch`, or one in it, is a refused connection. A host with several addresses fails with one error for each. */
function wasRefused(error: unknown): boolean {
  const { code, cause, errors } = Object(error) as { code?: unknown; cause?: unknown; errors?: unknown };
  if (code === 'ECONNREFUSED' || (Array.isArray(errors) && errors.some(wasRefused))) return true;
  return cause !== undefined && wasRefused(cause);
}

/** Exponential backoff with full jitter, so that clients that failed together do not retry together. */
export const backoffMs = (retry: number): number =>
  Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry);

/**
 * Runs `attempt` until it succeeds, fails for good, has been repeated as often as the call allows, or the time of the call is used up.
 * With `atMostOnce`, nothing is tried again that may have taken effect. When `Retry-After` asks for more time than the call has left, it
 * fails at once with the last error instead of waiting in vain.
 *
 * The pauses are those of `backoffMs`, in addition to the delay in `Retry-After`. A pause that the call has no time for is cut short, so that the last attempt is made close to the end.
 */
export async function withRetries<T>(call: Call, atMostOnce: boolean, attempt: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof AnimalStoreError) || !isTemporary(error) || retry >= call.settings.maxRetries)
        throw error;
      if (atMostOnce && mayHaveTakenEffect(error)) throw error;
      const { retryAfterMs = 0 } = error;
      const spareMs = call.remainingMs - retryAfterMs - MIN_ATTEMPT_MS;
      if (spareMs <= 0) throw error;
      const pauseMs = retryAfterMs + Math.min(backoffMs(retry), spareMs);
      call.reportRetry(error, pauseMs);
      await call.pause(pauseMs);
    }
  }
}
