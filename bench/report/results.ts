import { bare, sqlite } from '../contenders/contenders.ts';
import { quotient } from '../format.ts';
import type { Comparison } from '../sections/compare.ts';
import type { Size } from '../sections/growth.ts';
import type { Latency } from '../sections/latency.ts';
import type { SearchFigures } from '../sections/search.ts';
import type { SlowDisk } from '../sections/slow-disk.ts';
import type { StreamCosts } from '../sections/streams.ts';
import type { Workload } from '../workloads/workload.ts';

/** Everything a run measured. What was not measured is empty. */
export interface Results {
  readonly comparisons: readonly Comparison[];
  readonly latency: ReadonlyMap<string, Latency>;
  readonly growth: readonly Size[];
  readonly search: SearchFigures;
  readonly slowDisk: SlowDisk;
  readonly streams: StreamCosts | undefined;
  /** The machine, in one sentence. */
  readonly hardware: string;
  /** Name and version. */
  readonly versions: readonly (readonly [string, string])[];
  readonly problems: readonly string[];
}

/** CPU per request of a contender for a workload, in microseconds. */
export function cpuOf({ comparisons }: Results, workload: Workload, name: string): number | undefined {
  return comparisons.find((comparison) => comparison.workload === workload)?.figures.get(name)?.cpu;
}

/** CPU per request of a contender for a variant, as a multiple of the plain workload's. */
export function timesPlain(results: Results, workload: Workload, name: string): number | undefined {
  const { variantOf } = workload;
  return variantOf && quotient(cpuOf(results, workload, name), cpuOf(results, variantOf, name));
}

/** How close this service comes to the limit: 1 is the limit itself. */
export function shareOfLimit(results: Results, workload: Workload, name = sqlite.name): number | undefined {
  return quotient(cpuOf(results, workload, bare.name), cpuOf(results, workload, name));
}
