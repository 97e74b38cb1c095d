import type { Call } from './call.ts';
import { AnimalStoreError } from './errors.ts';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8_000;

/** Only failures that pass by themselves, and that leave no doubt that repeating the request is safe. */
const isTemporary = ({ code, status }: AnimalStoreError): boolean =>
  code === 'network_error' || status === 429 || status === 503;

/**
 * Exponential backoff with full jitter, so that clients that failed together do not retry together. The delay in
 * `Retry-After` is added.
 */
const pauseBefore = (retry: number, { retryAfterMs = 0 }: AnimalStoreError): number =>
  retryAfterMs + Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry);

/**
 * Runs `attempt` until it succeeds, fails for good, or has been repeated `maxRetries` times. When the next attempt would come too
 * late for the call, it fails at once with the last error instead of waiting in vain.
 */
export async function withRetries<T>(call: Call, maxRetries: number, attempt: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof AnimalStoreError) || !isTemporary(error) || retry >= maxRetries) throw error;
      const pauseMs = pauseBefore(retry, error);
      if (!call.hasTimeFor(pauseMs)) throw error;
      call.failures.push(error);
      await call.pause(pauseMs);
    }
  }
}
