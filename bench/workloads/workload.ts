import { type Call, randomNumbers } from './calls.ts';

/** Few enough to be built in advance, many enough to be random. */
const CALLS = 4096;

/** The numbers of animals that workloads are measured with. */
export const FEW = 1000;
export const MANY = 1_000_000;

export interface Workload {
  readonly name: string;
  readonly about: string;
  /** How many animals there are. */
  readonly animals: number;
  readonly clients: number;
  readonly call: (random: (max: number) => number, animals: number) => Call;
  /** The share of the limit to reach, in CPU per request. */
  readonly target?: number;
  /** The same for the service on PostgreSQL. */
  readonly postgresTarget?: number;
  /** The same work sent in another way, or similar work. It is measured for the bare server and this service only. */
  readonly variantOf?: Workload;
  /** What it may cost, times the plain workload, if that is more than for other variants. */
  readonly variantLimit?: number;
  /** Whether the competitors have nothing like it, so that only the bare server and this service are measured. */
  readonly isOursOnly?: boolean;
  /** Header lines in addition to those of every request. */
  readonly headers?: readonly string[];
  /** Whether head and body are sent in separate packets. */
  readonly splitBody?: boolean;
  /** Whether each request has an `Idempotency-Key` of its own. */
  readonly isIdempotent?: boolean;
  /** Whether this service on SQLite answers from its cache of first pages, which no other contender has. */
  readonly isCached?: boolean;
}

/** The calls of a workload with this many animals: the same for every contender. */
export function callsOf(workload: Workload, animals: number): Call[] {
  const random = randomNumbers(1);
  return Array.from({ length: CALLS }, () => workload.call(random, animals));
}
