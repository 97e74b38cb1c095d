export const SAMPLE_MS = 50;

/** Measures the event loop with one timer, which runs every 50 ms, or once per iteration when an iteration takes longer. */
export class EventLoop {
  readonly #readers: ((ms: number) => void)[] = [];

  constructor() {
    let previous = performance.now();
    setInterval(() => {
      const now = performance.now();
      const ms = now - previous;
      previous = now;
      // After a long pause a timer can fire twice in a row; that says nothing about the load.
      if (ms >= SAMPLE_MS / 2) for (const read of this.#readers) read(ms);
    }, SAMPLE_MS).unref();
  }

  /** From now on, `read` gets the time since the previous sample. */
  onSample(read: (ms: number) => void): void {
    this.#readers.push(read);
  }
}
