import { sqlite } from '../contenders/contenders.ts';
import { express, jsonServer, nest, prism } from '../contenders/peers.ts';
import { beside, CALM, creating, FSYNC_MS } from '../sections/slow-disk.ts';
import { firstPage, reads, works } from '../work/works.ts';
import { cpuOf, quotient, type Results, shareOfLimit } from './results.ts';
import { count, table } from './tables.ts';

interface Goal {
  readonly what: string;
  readonly bound: 'at least' | 'at most';
  readonly wanted: number;
  readonly got: number | undefined;
}

/** How many times our CPU a peer's should be, for a first page. */
const ahead = [
  { peer: express, wanted: 3.5 },
  { peer: nest, wanted: 4 },
  { peer: jsonServer, wanted: 6 },
  { peer: prism, wanted: 15 },
];

const GROWTH = 1.2;
const MEMORY_MB = 200;
const START_MS = 1000;
const READ_DELAY = 2;
const SHARED_COMMITS = 20;
const WRITERS_BESIDE = 64;

/** All of them, or those that were measured. */
export function targetTable(results: Results, all: boolean): string {
  const wanted = targets(results).filter(({ got }) => all || got !== undefined);
  const rows = wanted.map(({ what, bound, wanted, got }) => {
    if (got === undefined) return [what, `${bound} ${tell(wanted)}`, '–', 'not measured'];
    const reached = bound === 'at least' ? got >= wanted : got <= wanted;
    return [what, `${bound} ${tell(wanted)}`, tell(got), reached ? 'reached' : '**missed**'];
  });
  return table(['', 'wanted', 'measured', ''], rows);
}

function targets(results: Results): Goal[] {
  return [...shares(results), ...lead(results), ...scale(results), ...patience(results)];
}

function shares(results: Results): Goal[] {
  return works.flatMap((work) =>
    work.target === undefined
      ? []
      : {
          what: `${work.name}: share of the limit`,
          bound: 'at least',
          wanted: work.target,
          got: shareOfLimit(results, work),
        },
  );
}

function lead(results: Results): Goal[] {
  return ahead.map(({ peer, wanted }) => ({
    what: `${firstPage.name}: CPU of ${peer.name}, times ours`,
    bound: 'at least',
    wanted,
    got: quotient(cpuOf(results, firstPage, peer.name), cpuOf(results, firstPage, sqlite.name)),
  }));
}

function scale({ growth }: Results): Goal[] {
  const [least, most] = [growth[0], growth.at(-1)];
  const animals = count(most?.animals ?? 10_000_000);
  return [
    ...reads.map(
      ({ name }): Goal => ({
        what: `${name}: CPU with ${animals} animals, times that with 1,000`,
        bound: 'at most',
        wanted: GROWTH,
        got: quotient(most?.cpu.get(name), least?.cpu.get(name)),
      }),
    ),
    {
      what: `RSS with ${animals} animals, MB`,
      bound: 'at most',
      wanted: MEMORY_MB,
      got: most && most.rss / 1e6,
    },
    {
      what: `start to first answer with ${animals} animals, ms`,
      bound: 'at most',
      wanted: START_MS,
      got: most?.startMs,
    },
  ];
}

function patience({ slowDisk }: Results): Goal[] {
  const { scenes } = slowDisk;
  const busy = scenes.get(beside(WRITERS_BESIDE))?.p99;
  return [
    {
      what: `slow disk: p99 of getPet beside ${WRITERS_BESIDE} writing, times that without`,
      bound: 'at most',
      wanted: READ_DELAY,
      got: quotient(busy, scenes.get(CALM)?.p99),
    },
    {
      what: 'slow disk: creates/s of 64 clients, times what a commit each allows',
      bound: 'at least',
      wanted: SHARED_COMMITS,
      got: quotient(scenes.get(creating(64))?.perSecond, 1000 / FSYNC_MS),
    },
  ];
}

function tell(value: number): string {
  return value < 100 ? String(Number(value.toFixed(2))) : count(value);
}
