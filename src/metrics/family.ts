/** One value of a metric. `labels` is the text between the braces, for example `status="sold"`; empty without labels. */
export interface Sample {
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels: string;
  readonly value: number;
}

/** A metric with all its values at one moment. Plain data, so that it can be sent between processes. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How the values of several processes become one; their sum, unless given. Only for gauges. */
  readonly combine?: 'max' | 'min';
  readonly samples: readonly Sample[];
}

/** A family with a single value without labels. */
export const single = (family: Omit<Family, 'samples'>, value: number): Family => ({
  ...family,
  samples: [{ labels: '', value }],
});

/** One label. The value must not contain a quote, a backslash or a line break: ours never do. */
export const label = (name: string, value: string | number): string => `${name}="${value}"`;

/** The families of several processes as those of one service. */
export function merge(snapshots: readonly (readonly Family[])[]): Family[] {
  const byName = Map.groupBy(snapshots.flat(), ({ name }) => name).values();
  return [...byName].map((same) => {
    const [first] = same as [Family, ...Family[]];
    const samples = new Map<string, Sample>();
    for (const sample of same.flatMap((family) => family.samples)) {
      const id = `${sample.suffix ?? ''}{${sample.labels}}`;
      const known = samples.get(id);
      const value = known ? combine(first.combine, known.value, sample.value) : sample.value;
      samples.set(id, { ...sample, value });
    }
    return { ...first, samples: [...samples.values()] };
  });
}

function combine(how: Family['combine'], a: number, b: number): number {
  return how === undefined ? a + b : Math[how](a, b);
}

/** What is left of a process that has ended: its counters, without which the sums would decrease. */
export const onlyCounters = (families: readonly Family[]): Family[] =>
  families.filter(({ type }) => type !== 'gauge');

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
