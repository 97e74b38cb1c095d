import type { Contender } from '../contenders/contender.ts';
import { bare } from '../contenders/contenders.ts';
import { count, megabytes, table } from '../format.ts';
import type { Figures } from '../measure/figures.ts';

/** A figure, and its share of the limit, if it has one: 1 equals the limit, less is worse, for every unit. */
interface Column {
  readonly head: string;
  readonly text: (figures: Figures) => string;
  readonly share?: (own: Figures, limit: Figures) => number;
}

const columns: readonly Column[] = [
  { head: 'CPU µs', text: ({ cpu }) => cpu.toFixed(0), share: (own, limit) => limit.cpu / own.cpu },
  { head: 'database µs', text: ({ databaseCpu }) => (databaseCpu === 0 ? '' : databaseCpu.toFixed(0)) },
  {
    head: 'requests/s',
    text: ({ perSecond }) => count(perSecond),
    share: (own, limit) => own.perSecond / limit.perSecond,
  },
  { head: 'p50 ms', text: ({ p50 }) => p50.toFixed(2), share: (own, limit) => limit.p50 / own.p50 },
  { head: 'p99 ms', text: ({ p99 }) => p99.toFixed(2), share: (own, limit) => limit.p99 / own.p99 },
  { head: 'RSS MB', text: ({ rss }) => megabytes(rss), share: (own, limit) => limit.rss / own.rss },
];

/** One row per contender, with dashes for a contender without figures. */
export function comparisonTable(
  contenders: readonly Contender[],
  figures: ReadonlyMap<string, Figures>,
): string {
  const limit = figures.get(bare.name);
  const rows = contenders.map(({ name }) => {
    const own = figures.get(name);
    if (!own) return [name, ...columns.map(() => '–')];
    return [
      name,
      ...columns.map(({ text, share }) =>
        share ? `${text(own)} (${limit ? share(own, limit).toFixed(2) : '–'})` : text(own),
      ),
    ];
  });
  return table(['', ...columns.map(({ head }) => head)], rows);
}
