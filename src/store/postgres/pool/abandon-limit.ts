const MIN_INTERVAL_MS = 4000;
const MAX_INTERVAL_MS = 60_000;

/**
 * Limits how often a connection to a silent server is replaced: `max` times in an interval, which doubles as long as no
 * call succeeds. The server may keep each of the abandoned connections open, for example while a commit waits for a
 * lost standby.
 */
export class AbandonLimit {
  readonly #max: number;
  #count = 0;
  #beganAt = Number.NEGATIVE_INFINITY;
  #intervalMs = MIN_INTERVAL_MS;

  constructor(max: number) {
    this.#max = max;
  }

  allows(): boolean {
    const now = performance.now();
    if (now - this.#beganAt >= this.#intervalMs) {
      this.#beganAt = now;
      this.#count = 0;
      this.#intervalMs = Math.min(this.#intervalMs * 2, MAX_INTERVAL_MS);
    }
    return this.#count++ < this.#max;
  }

  reset(): void {
    this.#count = 0;
    this.#intervalMs = MIN_INTERVAL_MS;
  }
}
