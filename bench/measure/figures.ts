import type { RunningServer } from '../contenders/processes.ts';
import { type Load, load, type Sample } from './load.ts';
import { usageOf } from './usage.ts';

/** What the clients of a server measured. */
export interface Times {
  readonly perSecond: number;
  /** Latency in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** What is reported of a contender and a workload. */
export interface Figures extends Times {
  /** CPU time of the server, user and system, in microseconds per request. */
  readonly cpu: number;
  /** The same of its database server; 0 without one. */
  readonly databaseCpu: number;
  /** Memory of the server right after the workload, in bytes. */
  readonly rss: number;
}

export async function measure(server: RunningServer, work: Omit<Load, 'port'>): Promise<Figures> {
  const send = () => load({ ...work, port: server.port });
  const {
    result: sample,
    cpu,
    databaseCpu,
  } = await cpuPerRequest(server, send, (sent) => sent.latencies.length);
  return { cpu, databaseCpu, ...timesOf(sample), rss: usageOf(server.pid).rss };
}

/** What the requests that `work` sends cost the server and its database server, in microseconds of CPU time each. */
export async function cpuPerRequest<T>(
  { pid, databasePid }: RunningServer,
  work: () => Promise<T>,
  requestsIn: (result: T) => number,
): Promise<{ readonly result: T; readonly cpu: number; readonly databaseCpu: number }> {
  const usage = () => [pid, databasePid].map((process) => (process ? usageOf(process).cpu : 0));
  const before = usage();
  const result = await work();
  const [cpu = 0, databaseCpu = 0] = usage().map(
    (end, i) => ((end - (before[i] as number)) * 1e6) / requestsIn(result),
  );
  return { result, cpu, databaseCpu };
}

export function timesOf({ seconds, latencies }: Sample): Times {
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] as number;
  return { perSecond: latencies.length / seconds, p50: at(0.5), p99: at(0.99) };
}

/** The median of each figure over several rounds. */
export function medians<T extends object>(rounds: readonly T[]): T {
  const names = Object.keys(rounds[0] ?? {}) as (keyof T)[];
  const entries = names.map((name) => [name, median(rounds.map((round) => Number(round[name])))]);
  return Object.fromEntries(entries) as T;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
