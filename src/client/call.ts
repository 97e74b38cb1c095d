import { AnimalStoreError, invalidArgument } from './errors.ts';
import type { EndedAttempt, Hooks } from './types.ts';

/** A timer of more milliseconds fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** What bounds a call: its time, how often each of its requests is sent again, and the signal of the caller; and what watches it. */
export interface CallSettings {
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly signal?: AbortSignal | undefined;
  readonly hooks?: Hooks | undefined;
}

/** Calls a function of the caller. What it throws is an unhandled rejection, and changes nothing here. */
export async function notify<T extends unknown[]>(watch: ((...args: T) => void) | undefined, ...args: T) {
  await watch?.(...args);
}

/** One call of a method: what identifies it, and what bounds all of its attempts and the pauses between them. */
export class Call {
  readonly requestId = randomId();
  readonly #controller = new AbortController();
  readonly #onAbort = () => this.abort('aborted', 'The call was aborted.', this.settings.signal?.reason);
  readonly #expiresAt: number;
  readonly settings: CallSettings;
  /** The attempt that ended last. */
  latest: EndedAttempt | undefined;

  /** The call must be closed when it has ended. */
  constructor(settings: CallSettings) {
    const { signal, timeoutMs } = settings;
    this.settings = settings;
    this.#expiresAt = performance.now() + timeoutMs;
    signal?.addEventListener('abort', this.#onAbort);
    if (signal?.aborted) this.#onAbort();
  }

  /** Aborted when the call must end; its reason is the error to reject with. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  close(): void {
    this.settings.signal?.removeEventListener('abort', this.#onAbort);
  }

  abort(code: 'timeout' | 'aborted', message: string, cause?: unknown): void {
    this.#controller.abort(new AnimalStoreError(message, { code, requestId: this.requestId, cause }));
  }

  /** How much of its time-out is left. */
  get remainingMs(): number {
    return this.#expiresAt - performance.now();
  }

  /** Aborts the call if `work` takes longer. */
  async within<T>(ms: number, message: string, work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.abort('timeout', message, this.latest?.error), ms);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Tells that another attempt follows the latest one, which has failed, after a pause. */
  reportRetry(error: AnimalStoreError | undefined, pauseMs: number): void {
    if (this.latest) void notify(this.settings.hooks?.onRetry, { ...this.latest, error }, pauseMs);
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
export async function runCall<T>(settings: CallSettings, work: (call: Call) => Promise<T>): Promise<T> {
  const { timeoutMs } = settings;
  const call = new Call(settings);
  try {
    call.signal.throwIfAborted();
    return await call.within(timeoutMs, `The call took longer than ${timeoutMs} ms.`, work(call));
  } finally {
    call.close();
  }
}

export function checkLimits({ timeoutMs, maxRetries }: CallSettings): void {
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS)) {
    throw invalidArgument(`timeoutMs must be a number from 1 to ${MAX_TIMER_MS}.`);
  }
  if (!(maxRetries >= 0)) throw invalidArgument('maxRetries must be a number from 0.');
}

/** 128 random bits in hexadecimal. Unlike `crypto.randomUUID`, also available to pages served over plain HTTP. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
