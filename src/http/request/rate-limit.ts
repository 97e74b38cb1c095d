import { ApiError } from '../../contract/errors.ts';
import type { HttpRequest } from './request.ts';

/** How many requests are allowed in how many seconds. */
export interface RateLimit {
  readonly quota: number;
  readonly seconds: number;
}

/**
 * The limit for each API key; undefined without one. Counts a request, adds the headers that say what is left, and refuses it with 429 when
 * nothing is. Requests without a key, such as health checks, are not counted.
 */
export function limitByKey(limit: RateLimit | undefined): ((request: HttpRequest) => void) | undefined {
  if (!limit) return undefined;
  const { quota, seconds } = limit;
  const windows = new Windows(limit);
  const policy = `"default";q=${quota};w=${seconds}`;
  return ({ key, answerHeaders }) => {
    if (key === undefined) return;
    const { remaining, resetSeconds } = windows.count(key.id);
    const left = `"default";r=${Math.max(0, remaining)};t=${resetSeconds}`;
    answerHeaders.push('ratelimit-policy', policy, 'ratelimit', left);
    if (remaining < 0) {
      answerHeaders.push('retry-after', `${resetSeconds}`);
      const message = `This API key may make ${quota} requests in ${seconds} seconds. Try again in ${resetSeconds} seconds.`;
      throw new ApiError('rate_limited', message);
    }
  };
}

interface Window {
  used: number;
  readonly endsAt: number;
}

/** Counts by key, each in a window of its own that begins with its first request. */
class Windows {
  readonly #limit: RateLimit;
  /** Ordered by the time at which they end. */
  readonly #counts = new Map<string, Window>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Counts a request and returns how many are left; a negative number if it was one too many. */
  count(keyId: string): { remaining: number; resetSeconds: number } {
    const { quota, seconds } = this.#limit;
    const now = performance.now();
    let window = this.#counts.get(keyId);
    if (!window || window.endsAt <= now) {
      this.#removeEnded(now);
      window = { used: 0, endsAt: now + seconds * 1000 };
      this.#counts.set(keyId, window);
    }
    window.used++;
    return {
      remaining: quota - window.used,
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)),
    };
  }

  #removeEnded(now: number): void {
    for (const [keyId, { endsAt }] of this.#counts) {
      if (endsAt > now) return;
      this.#counts.delete(keyId);
    }
  }
}
