/** A call that took longer has probably waited for a lock. */
const QUICK_MS = 250;

interface KeyCalls {
  running: number;
  /** Whether the last call with this key was quick, so that the next ones can be expected to be. */
  isQuick: boolean;
}

/**
 * Limits how many calls with the same key run at once, so that those that wait for the same lock never occupy all
 * connections: one call until it is known that it need not wait, then all but one of the connections.
 */
export class LockLimit {
  readonly #max: number;
  readonly #keys = new Map<string, KeyCalls>();

  constructor(connections: number) {
    this.#max = Math.max(1, connections - 1);
  }

  allows(key: string): boolean {
    const calls = this.#keys.get(key);
    return !calls || calls.running < (calls.isQuick ? this.#max : 1);
  }

  /** Counts a call. Returns what to call when it has ended. */
  start(key: string): () => void {
    const startedAt = performance.now();
    const calls = this.#keys.get(key) ?? { running: 0, isQuick: false };
    this.#keys.set(key, calls);
    calls.running++;
    return () => {
      calls.running--;
      calls.isQuick = performance.now() - startedAt < QUICK_MS;
    };
  }

  /** To be called when the next calls have been started. */
  forgetIfIdle(key: string): void {
    if (this.#keys.get(key)?.running === 0) this.#keys.delete(key);
  }
}
