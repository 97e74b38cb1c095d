import type { Sample } from './family.ts';

/** Counts by labels. Beyond `max` different labels, further ones are counted together under `rest`. */
export class Counters {
  readonly #values = new Map<string, number>();
  readonly #max: number;
  readonly #rest: string;

  constructor(max: number, rest: string) {
    this.#max = max;
    this.#rest = rest;
  }

  increment(labels: string): void {
    const value = this.#values.get(labels);
    if (value !== undefined) this.#values.set(labels, value + 1);
    else if (this.#values.size < this.#max || labels === this.#rest) this.#values.set(labels, 1);
    else this.increment(this.#rest);
  }

  samples(): Sample[] {
    return [...this.#values].map(([labels, value]) => ({ labels, value }));
  }
}
