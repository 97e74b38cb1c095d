import { ApiError, type KeyRefusal } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { networkOf } from '../received-request.ts';
import type { HttpRequest } from './request.ts';

/** How many requests are allowed in how many seconds. */
export interface RateLimit {
  readonly quota: number;
  readonly seconds: number;
}

const FURTHER_ONES = '';
const FAILED_AUTHENTICATION: RateLimit = { quota: limits.failedKeys, seconds: 60 };

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

/** The limit for wrong API keys from one address. It slows down guessing and keeps a client with a wrong key from filling the log with 401. */
export interface FailedAuthentications {
  /** To be called for each of them, with what is wrong with the key. */
  count(request: HttpRequest, refusal: KeyRefusal): void;
  /** Refuses a request if another wrong key would be one too many, without counting it. */
  check(request: HttpRequest, refusal: KeyRefusal): void;
}

export function limitFailedAuthentication(): FailedAuthentications {
  const windows = new Windows(FAILED_AUTHENTICATION);
  const limiter =
    (requests: 0 | 1): FailedAuthentications['count'] =>
    ({ address, answerHeaders }, refusal) => {
      const { remaining, resetSeconds } = windows.count(networkOf(address), requests);
      if (remaining >= 1 - requests) return;
      answerHeaders.push('retry-after', `${resetSeconds}`);
      const message = `Too many requests with an invalid API key came from your address. Fix the key, or try again in ${resetSeconds} seconds.`;
      throw new ApiError('rate_limited', message, { refusal });
    };
  return { count: limiter(1), check: limiter(0) };
}

interface Window {
  used: number;
  readonly endsAt: number;
}

/** Counts by name, each in a window of its own that begins with its first request. */
class Windows {
  readonly #limit: RateLimit;
  /** Ordered by the time at which they end. */
  readonly #counts = new Map<string, Window>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Counts requests, one by default, and returns how many are left; a negative number if there was one too many. */
  count(name: string, requests = 1): { remaining: number; resetSeconds: number } {
    const { quota, seconds } = this.#limit;
    const now = performance.now();
    let window = this.#counts.get(name);
    if (!window || window.endsAt <= now) {
      this.#removeEnded(now);
      const isFull = this.#counts.size >= limits.countedNames && name !== FURTHER_ONES;
      if (isFull) return this.count(FURTHER_ONES, requests);
      window = { used: 0, endsAt: now + seconds * 1000 };
      this.#counts.set(name, window);
    }
    window.used += requests;
    return {
      remaining: quota - window.used,
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)),
    };
  }

  #removeEnded(now: number): void {
    for (const [name, { endsAt }] of this.#counts) {
      if (endsAt > now) return;
      this.#counts.delete(name);
    }
  }
}
