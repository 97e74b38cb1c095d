import { contenders, limit } from '../contenders/contenders.ts';
import type { Figures } from '../measure/figures.ts';
import type { Comparison } from '../sections/compare.ts';

type Cells = readonly string[];

/** A table of Markdown that can be read as it is: the first column to the left, all others to the right. */
export function table(head: Cells, rows: readonly Cells[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: Cells) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`));
  return [line(head), `|${rule.join('|')}|`, ...rows.map(line)].join('\n');
}

/** A figure, and what share of the limit it is: 1 is as good as the limit, less is worse, whatever the unit. */
interface Column {
  readonly head: string;
  readonly text: (figures: Figures) => string;
  readonly share: (own: Figures, limit: Figures) => number;
}

const columns: readonly Column[] = [
  { head: 'CPU µs', text: ({ cpu }) => cpu.toFixed(0), share: (own, limit) => limit.cpu / own.cpu },
  {
    head: 'requests/s',
    text: ({ perSecond }) => count(perSecond),
    share: (own, limit) => own.perSecond / limit.perSecond,
  },
  { head: 'p50 ms', text: ({ p50 }) => p50.toFixed(2), share: (own, limit) => limit.p50 / own.p50 },
  { head: 'p99 ms', text: ({ p99 }) => p99.toFixed(2), share: (own, limit) => limit.p99 / own.p99 },
  { head: 'RSS MB', text: ({ rss }) => megabytes(rss), share: (own, limit) => limit.rss / own.rss },
];

export function workTable({ figures }: Comparison): string {
  const best = figures.get(limit.name);
  const rows = contenders.map(({ name }) => {
    const own = figures.get(name);
    if (!own) return [name, ...columns.map(() => '–')];
    return [
      name,
      ...columns.map(({ text, share }) => `${text(own)} (${best ? share(own, best).toFixed(2) : '–'})`),
    ];
  });
  return table(['', ...columns.map(({ head }) => head)], rows);
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
