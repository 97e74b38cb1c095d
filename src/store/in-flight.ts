/** Counts what was accepted and has not ended, up to a bound, so that closing can wait for it. */
export class InFlight {
  readonly #max: number;
  #count = 0;
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= this.#max;
  }

  get isClosed(): boolean {
    return this.#drained !== undefined;
  }

  start(): void {
    this.#count++;
  }

  end(count = 1): void {
    this.#count -= count;
    if (this.#count === 0) this.#drained?.resolve();
  }

  /** Resolves when everything that was accepted has ended. */
  close(): Promise<void> {
    this.#drained ??= Promise.withResolvers();
    if (this.#count === 0) this.#drained.resolve();
    return this.#drained.promise;
  }
}
