/** One value of a metric. `labels` is the text between the braces, for example `status="sold"`; empty without labels. */
export interface Sample {
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels: string;
  readonly value: number;
}

/** A metric with all its values at one moment. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** A family with a single value without labels, or with these samples. */
const familyOf =
  (type: Family['type']) =>
  (name: string, help: string, values: number | readonly Sample[]): Family => ({
    name,
    help,
    type,
    samples: typeof values === 'number' ? [{ labels: '', value: values }] : values,
  });

export const counter = familyOf('counter');
export const gauge = familyOf('gauge');
export const histogram = familyOf('histogram');

/** One label. The value must not contain a quote, a backslash or a line break: ours never do. */
export const label = (name: string, value: string | number): string => `${name}="${value}"`;

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The text format of Prometheus, version 0.0.4. */
export function render(families: readonly Family[]): string {
  const lines: string[] = [];
  for (const { name, help, type, samples } of families) {
    if (samples.length === 0) continue;
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const { suffix = '', labels, value } of samples)
      lines.push(`${name}${suffix}${labels === '' ? '' : `{${labels}}`} ${value}`);
  }
  return `${lines.join('\n')}\n`;
}

/** More values than any deployment needs, such as keys that still call a deprecated operation. */
const MAX_VALUES = 1000;
/** The value under which further ones are counted together. */
const REST = 'other';

/** Counts by the value of one label. Values that are expected begin at 0, so that `increase()` sees the first event. */
export class Counters {
  readonly #counts = new Map<string, number>();
  readonly #label: string;

  constructor(label: string) {
    this.#label = label;
  }

  expect(values: readonly string[]): void {
    for (const value of values) this.#counts.set(value, this.#counts.get(value) ?? 0);
  }

  increment(value: string): void {
    const count = this.#counts.get(value);
    if (count !== undefined) this.#counts.set(value, count + 1);
    else if (this.#counts.size < MAX_VALUES || value === REST) this.#counts.set(value, 1);
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

  /** `bounds` are in ascending order. */
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
