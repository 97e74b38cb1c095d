import { sqlite } from '../contenders/contenders.ts';
import { bun, express, fastify, jsonServer, nest, prism } from '../contenders/peers.ts';
import { count, quotient, table } from '../format.ts';
import { latencyRow } from '../sections/latency.ts';
import { besideWriters, createsOf, FSYNC_MS, READ_ONLY } from '../sections/slow-disk.ts';
import { firstPage, reads, workloads } from '../workloads/workloads.ts';
import { cpuOf, type Results, shareOfLimit, timesPlain } from './results.ts';

interface Target {
  readonly what: string;
  readonly bound: 'at least' | 'at most';
  readonly wanted: number;
  readonly measured: number | undefined;
}

/** How many times our CPU a competitor should need for a first page. */
const leads = [
  { peer: express, wanted: 3.5 },
  { peer: fastify, wanted: 2 },
  { peer: nest, wanted: 4 },
  { peer: jsonServer, wanted: 6 },
  { peer: prism, wanted: 15 },
  { peer: bun, wanted: 1 },
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
const SHARED_COMMITS = 20;
const WRITERS = 64;

/** All targets, or only those that were measured. */
export function targetTable(results: Results, all: boolean): string {
  const shown = targets(results).filter(({ measured }) => all || measured !== undefined);
  const rows = shown.map(({ what, bound, wanted, measured }) => {
    if (measured === undefined) return [what, `${bound} ${format(wanted)}`, '–', 'not measured'];
    const reached = bound === 'at least' ? measured >= wanted : measured <= wanted;
    return [what, `${bound} ${format(wanted)}`, format(measured), reached ? 'reached' : '**missed**'];
  });
  return table(['', 'target', 'measured', ''], rows);
}

function targets(results: Results): Target[] {
  return [shares, variants, leadTargets, latencyTargets, sizeTargets, slowDiskTargets].flatMap((group) =>
    group(results),
  );
}

function shares(results: Results): Target[] {
  return workloads.flatMap((workload) =>
    workload.target === undefined
      ? []
      : {
          what: `${workload.name}: share of the limit`,
          bound: 'at least',
          wanted: workload.target,
          measured: shareOfLimit(results, workload),
        },
  );
}

function variants(results: Results): Target[] {
  return workloads.flatMap((workload) =>
    workload.variantOf === undefined
      ? []
      : {
          what: `${workload.name}: CPU, times the plain one`,
          bound: 'at most',
          wanted: VARIANT,
          measured: timesPlain(results, workload, sqlite.name),
        },
  );
}

function leadTargets(results: Results): Target[] {
  return leads.map(({ peer, wanted }) => ({
    what: `${firstPage.name}: CPU of ${peer.name}, times ours`,
    bound: 'at least',
    wanted,
    measured: quotient(cpuOf(results, firstPage, peer.name), cpuOf(results, firstPage, sqlite.name)),
  }));
}

function latencyTargets({ latency }: Results): Target[] {
  return latencies.map(({ row, figure, wanted }) => ({
    what: `${row}: ${figure}, times the bare server's`,
    bound: 'at most',
    wanted,
    measured: quotient(latency.get(row)?.ours[figure], latency.get(row)?.bare[figure]),
  }));
}

function sizeTargets({ growth }: Results): Target[] {
  const [least, most] = [growth[0], growth.at(-1)];
  const few = count(least?.animals ?? 1000);
  const many = count(most?.animals ?? 10_000_000);
  return [
    ...reads.map(
      ({ name }): Target => ({
        what: `${name}: CPU with ${many} animals, times that with ${few}`,
        bound: 'at most',
        wanted: GROWTH,
        measured: quotient(most?.cpu.get(name), least?.cpu.get(name)),
      }),
    ),
    {
      what: `RSS with ${many} animals, MB`,
      bound: 'at most',
      wanted: MEMORY_MB,
      measured: most && most.rss / 1e6,
    },
    {
      what: `start to first response with ${few} animals, ms`,
      bound: 'at most',
      wanted: START_MS,
      measured: least?.startMs,
    },
    {
      what: `start to first response with ${many} animals, ms`,
      bound: 'at most',
      wanted: START_MS,
      measured: most?.startMs,
    },
  ];
}

function slowDiskTargets({ slowDisk: { scenarios } }: Results): Target[] {
  return [
    {
      what: `slow disk: p99 of getPet with ${WRITERS} writers, times that without`,
      bound: 'at most',
      wanted: READ_DELAY,
      measured: quotient(scenarios.get(besideWriters(WRITERS))?.p99, scenarios.get(READ_ONLY)?.p99),
    },
    {
      what: `slow disk: creates/s of ${WRITERS} clients, times what one commit per create allows`,
      bound: 'at least',
      wanted: SHARED_COMMITS,
      measured: quotient(scenarios.get(createsOf(WRITERS))?.perSecond, 1000 / FSYNC_MS),
    },
  ];
}

function format(value: number): string {
  return value < 100 ? String(Number(value.toFixed(2))) : count(value);
}
