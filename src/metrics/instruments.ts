import { label, type Sample } from './family.ts';

/** The value under which everything beyond the maximum is counted. */
const REST = 'other';

/** Counts by the value of one label. Values that are expected begin at 0, so that `increase()` sees the first event. Beyond `max` different values, further ones are counted together. */
export class Counters {
  readonly #counts = new Map<string, number>();
  readonly #label: string;
  readonly #max: number;

  constructor(label: string, max: number) {
    this.#label = label;
    this.#max = max;
  }

  expect(values: readonly string[]): void {
    for (const value of values) this.#counts.set(value, this.#counts.get(value) ?? 0);
  }

  increment(value: string): void {
    const count = this.#counts.get(value);
    if (count !== undefined) this.#counts.set(value, count + 1);
    else if (this.#counts.size < this.#max || value === REST) this.#counts.set(value, 1);
    else this.increment(REST);
  }

  /** The counts so far, each with these further labels before its own. */
  samples(...more: string[]): Sample[] {
    return [...this.#counts].map(([value, count]) => ({
      labels: [...more, label(this.#label, value)].join(),
      value: count,
    }));
  }
}

/** Counts values by upper bound. An array and two numbers, because every request observes several values. */
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
