import { limit, sqlite } from '../contenders/contenders.ts';
import type { Comparison } from '../sections/compare.ts';
import type { Size } from '../sections/growth.ts';
import type { SlowDisk } from '../sections/slow-disk.ts';
import type { WorkersFigures } from '../sections/workers.ts';
import type { Work } from '../work/works.ts';

/** All that a run found. What was not measured is empty. */
export interface Results {
  readonly comparisons: readonly Comparison[];
  readonly growth: readonly Size[];
  readonly slowDisk: SlowDisk;
  readonly workers: WorkersFigures;
  /** Name and value. */
  readonly machine: readonly (readonly [string, string])[];
  readonly problems: readonly string[];
  readonly minutes: string;
}

/** CPU per request of a contender at a work, in microseconds. */
export function cpuOf({ comparisons }: Results, work: Work, name: string): number | undefined {
  return comparisons.find((comparison) => comparison.work === work)?.figures.get(name)?.cpu;
}

/** How near this service comes to the limit: 1 is the limit itself. */
export function shareOfLimit(results: Results, work: Work): number | undefined {
  return quotient(cpuOf(results, work, limit.name), cpuOf(results, work, sqlite.name));
}

export function quotient(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one / other;
}
