import type { Pace, Run } from '../run.ts';

/** A part of a run with figures of its own kind. */
export interface Section<T> {
  readonly name: string;
  /** What stands for it where it is not measured. */
  readonly none: T;
  seconds(pace: Pace): number;
  measure(run: Run): Promise<T>;
  table(found: T): string;
}
