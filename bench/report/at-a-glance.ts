import { bare, contendersFor, onPostgres, sqlite } from '../contenders/contenders.ts';
import { bun } from '../contenders/peers.ts';
import { count, table } from '../format.ts';
import type { Comparison } from '../sections/compare.ts';

/** Contenders that are not competitors on Node. */
const OTHERS = [bare, sqlite, onPostgres, bun];

/** Where this service leads and by how much: one row for each workload that the competitors are measured in, or would be if they had keys. */
export function atAGlance(comparisons: readonly Comparison[]): string {
  const head = [
    'CPU µs per request',
    'Animal Store',
    'best on Node',
    'its CPU',
    'times ours',
    'Bun',
    'times ours',
    'share of the limit',
  ];
  const competed = comparisons.filter(
    ({ workload }) => workload.isIdempotent || contendersFor(workload).includes(bun),
  );
  return table(head, competed.flatMap(row));
}

function row({ workload, figures }: Comparison): [string[]] | [] {
  const ours = figures.get(sqlite.name)?.cpu;
  if (ours === undefined) return [];
  const limit = figures.get(bare.name)?.cpu;
  const best = bestOnNode(figures);
  const other = figures.get(bun.name)?.cpu;
  return [
    [
      workload.name,
      count(ours) + (workload.isCached ? ' (cache)' : ''),
      best?.name ?? '–',
      best ? count(best.cpu) : '–',
      lead(ours, best?.cpu),
      other === undefined ? '–' : count(other),
      lead(ours, other),
      limit === undefined ? '–' : (limit / ours).toFixed(2),
    ],
  ];
}

function bestOnNode(figures: Comparison['figures']): { name: string; cpu: number } | undefined {
  return [...figures]
    .filter(([name]) => OTHERS.every((one) => one.name !== name))
    .map(([name, { cpu }]) => ({ name, cpu }))
    .sort((a, b) => a.cpu - b.cpu)[0];
}

/** How many times our CPU another contender needs; bold where that is less than ours. */
function lead(ours: number, theirs: number | undefined): string {
  if (theirs === undefined) return '–';
  const times = (theirs / ours).toFixed(2);
  return theirs < ours ? `**${times}**` : times;
}
