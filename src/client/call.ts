import { AnimalStoreError, invalidArgument } from './errors.ts';
import type { CallOptions } from './types.ts';

/** A timer of more milliseconds fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** One call of a method: what identifies it, and what bounds all of its attempts and the pauses between them. */
export class Call {
  readonly requestId = randomId();
  readonly #controller = new AbortController();
  readonly #expiresAt: number;
  /** Why each attempt before this one failed. */
  readonly failures: AnimalStoreError[] = [];

  constructor(timeoutMs: number) {
    this.#expiresAt = performance.now() + timeoutMs;
  }

  /** Aborted when the call must end; its reason is the error to reject with. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(code: 'timeout' | 'aborted', message: string, cause: unknown): void {
    this.#controller.abort(new AnimalStoreError(message, { code, requestId: this.requestId, cause }));
  }

  /** How much of its time-out is left. */
  get remainingMs(): number {
    return this.#expiresAt - performance.now();
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', end);
        if (this.signal.aborted) reject(this.signal.reason);
        else resolve();
      };
      const timer = setTimeout(end, Math.min(ms, MAX_TIMER_MS));
      this.signal.addEventListener('abort', end);
    });
  }
}

/** Runs `work` as one call that ends when its time is over or the caller's signal is aborted. */
export async function runCall<T>(
  { signal, timeoutMs }: CallOptions & { readonly timeoutMs: number },
  work: (call: Call) => Promise<T>,
): Promise<T> {
  checkTimeout(timeoutMs);
  const call = new Call(timeoutMs);
  // Not AbortSignal.any: Node 20.0 and older browsers lack it.
  const onAbort = () => call.abort('aborted', 'The call was aborted.', signal?.reason);
  const onTimeout = () =>
    call.abort('timeout', `The call took longer than ${timeoutMs} ms.`, call.failures.at(-1));
  const timer = setTimeout(onTimeout, timeoutMs);
  signal?.addEventListener('abort', onAbort);
  try {
    if (signal?.aborted) onAbort();
    call.signal.throwIfAborted();
    return await work(call);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

export function checkTimeout(timeoutMs: number): void {
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS)) {
    throw invalidArgument(`timeoutMs must be a number from 1 to ${MAX_TIMER_MS}.`);
  }
}

/** 128 random bits in hexadecimal. Unlike `crypto.randomUUID`, also available to pages served over plain HTTP. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
