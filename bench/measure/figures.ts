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
  const usage = () => [server.pid, server.databasePid].map((pid) => pid && usageOf(pid));
  const before = usage();
  const sample = await load({ ...work, port: server.port });
  const after = usage();
  const [cpu = 0, databaseCpu = 0] = after.map((end, i) => {
    const start = before[i];
    return end && start ? ((end.cpu - start.cpu) * 1e6) / sample.latencies.length : 0;
  });
  return { cpu, databaseCpu, ...timesOf(sample), rss: after[0] ? after[0].rss : 0 };
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
