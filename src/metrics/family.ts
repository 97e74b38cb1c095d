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

/** A family with a single value without labels, or with these. */
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
