import { onPostgres, sqlite } from '../contenders/contenders.ts';
import { bun, express, fastify, jsonServer } from '../contenders/peers.ts';
import { count, quotient } from '../format.ts';
import { latencyRow } from '../sections/latency.ts';
import { createsOf, FSYNC_MS, READ_ONLY, withWriters } from '../sections/slow-disk.ts';
import { firstPage, reads } from '../workloads/read-workloads.ts';
import { workloads } from '../workloads/workloads.ts';
import { createByMany } from '../workloads/write-workloads.ts';
import { cpuOf, type Results, shareOfLimit, timesPlain } from './results.ts';

export interface Target {
  readonly what: string;
  readonly bound: 'at least' | 'at most';
  readonly wanted: number;
  readonly measured: number | undefined;
}

/** How many times our CPU a competitor should need. */
const leads = [
  { workload: firstPage, peer: express, wanted: 3.5 },
  { workload: firstPage, peer: fastify, wanted: 2 },
  { workload: firstPage, peer: jsonServer, wanted: 6 },
  { workload: firstPage, peer: bun, wanted: 1 },
  { workload: createByMany, peer: bun, wanted: 1 },
];

/** Latency as a multiple of the bare server's. */
const latencies = [
  { row: latencyRow('getPet', 1), figure: 'p50', wanted: 1.8 },
  { row: latencyRow('first page', 1), figure: 'p50', wanted: 1.6 },
  ...['getPet', 'first page'].flatMap((workload) =>
    [8, 32].map((clients) => ({ row: latencyRow(workload, clients), figure: 'p99', wanted: 1.5 }) as const),
  ),
] as const;

const VARIANT = 1.1;
const GROWTH = 1.2;
const MEMORY_MB = 200;
const START_MS = 350;
const READ_DELAY = 2;
const SHARED_COMMITS = 18;
const WRITERS = 64;

/** All targets, with what was measured of them. */
export function targets(results: Results): Target[] {
  return [shares, variants, leadTargets, latencyTargets, sizeTargets, slowDiskTargets].flatMap((group) =>
    group(results),
  );
}

function shares(results: Results): Target[] {
  return workloads.flatMap((workload) => {
    const { name, target, postgresTarget } = workload;
    const onSqlite =
      target && atLeast(target, `${name}: share of the limit`, shareOfLimit(results, workload));
    const share = shareOfLimit(results, workload, onPostgres.name);
    const shared =
      postgresTarget && atLeast(postgresTarget, `${name}, PostgreSQL: share of the limit`, share);
    return [onSqlite, shared].filter((one) => typeof one === 'object');
  });
}

function variants(results: Results): Target[] {
  return workloads
    .filter(({ variantOf }) => variantOf)
    .map((workload) => {
      const measured = timesPlain(results, workload, sqlite.name);
      return atMost(
        workload.variantLimit ?? VARIANT,
        `${workload.name}: CPU, times the plain workload`,
        measured,
      );
    });
}

function leadTargets(results: Results): Target[] {
  return leads.map(({ workload, peer: { name }, wanted }) => {
    const measured = quotient(cpuOf(results, workload, name), cpuOf(results, workload, sqlite.name));
    return atLeast(wanted, `${workload.name}: CPU of ${name}, times ours`, measured);
  });
}

function latencyTargets({ latency }: Results): Target[] {
  return latencies.map(({ row, figure, wanted }) => {
    const measured = latency.get(row);
    const times = quotient(measured?.ours[figure], measured?.bare[figure]);
    return atMost(wanted, `${row}: ${figure}, times that of the bare server`, times);
  });
}

function sizeTargets({ growth }: Results): Target[] {
  const [least, most] = [growth[0], growth.at(-1)];
  const few = `${count(least?.animals ?? 1000)} animals`;
  const many = `${count(most?.animals ?? 10_000_000)} animals`;
  return [
    ...reads.map(({ name }) => {
      const measured = quotient(most?.cpu.get(name), least?.cpu.get(name));
      return atMost(GROWTH, `${name}: CPU with ${many}, times that with ${few}`, measured);
    }),
    atMost(MEMORY_MB, `RSS with ${many}, MB`, most && most.rss / 1e6),
    atMost(START_MS, `start to first answer with ${few}, ms`, least?.startMs),
    atMost(START_MS, `start to first answer with ${many}, ms`, most?.startMs),
  ];
}

function slowDiskTargets({ slowDisk: { scenarios } }: Results): Target[] {
  const delay = quotient(scenarios.get(withWriters(WRITERS))?.p99, scenarios.get(READ_ONLY)?.p99);
  const shared = quotient(scenarios.get(createsOf(WRITERS))?.perSecond, 1000 / FSYNC_MS);
  return [
    atMost(READ_DELAY, `slow disk: p99 of getPet with ${WRITERS} writers, times that without`, delay),
    atLeast(
      SHARED_COMMITS,
      `slow disk: creates/s of ${WRITERS} clients, times what one commit per create allows`,
      shared,
    ),
  ];
}

function atLeast(wanted: number, what: string, measured: number | undefined): Target {
  return { what, bound: 'at least', wanted, measured };
}

function atMost(wanted: number, what: string, measured: number | undefined): Target {
  return { what, bound: 'at most', wanted, measured };
}
