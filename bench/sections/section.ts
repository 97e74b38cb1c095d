import type { Run, Schedule } from '../run.ts';

/** A part of a run with its own kind of result. */
export interface Section<T> {
  readonly name: string;
  /** The result where it is not measured. */
  readonly empty: T;
  /** An estimate for the progress display. */
  seconds(schedule: Schedule): number;
  measure(run: Run): Promise<T>;
  table(result: T): string;
}
