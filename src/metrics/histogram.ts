import { label, type Sample } from './family.ts';

/** Counts values by upper bound. An array and two numbers: to observe a value costs a few nanoseconds. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** The number of values in each bucket alone; the last one is above every bound. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** The bounds increase. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let i = 0;
    while (i < bounds.length && value > (bounds[i] as number)) i++;
    (this.#counts[i] as number)++;
    this.#sum += value;
  }

  /** The values so far, each bucket including those below it. */
  samples(labels = ''): Sample[] {
    const prefix = labels === '' ? '' : `${labels},`;
    let count = 0;
    const buckets = [...this.#bounds, '+Inf'].map((bound, i): Sample => {
      count += this.#counts[i] as number;
      return { suffix: '_bucket', labels: prefix + label('le', bound), value: count };
    });
    return [
      ...buckets,
      { suffix: '_sum', labels, value: this.#sum },
      { suffix: '_count', labels, value: count },
    ];
  }
}
