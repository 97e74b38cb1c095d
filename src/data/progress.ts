export interface Progress {
  readonly rows: number;
  readonly elapsedMs: number;
  /** How much of the input is read, from 0 to 1; undefined when its size is not known, such as that of a pipe. */
  readonly fraction?: number | undefined;
}

/** One line such as `120,000 rows, 41,000 per second, 12 s left`. */
export function progressLine({ rows, elapsedMs, fraction }: Progress): string {
  const parts = [`${format(rows)} rows`];
  if (elapsedMs > 0) parts.push(`${format((rows / elapsedMs) * 1000)} per second`);
  if (fraction !== undefined && fraction > 0)
    parts.push(`${duration((elapsedMs / fraction) * (1 - fraction))} left`);
  return parts.join(', ');
}

const format = (count: number): string => Math.round(count).toLocaleString('en');

function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
