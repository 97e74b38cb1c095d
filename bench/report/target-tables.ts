import { count, table } from '../format.ts';
import type { Results } from './results.ts';
import { type Target, targets } from './targets.ts';

type Measured = Target & { readonly measured: number };

type Factor = (target: Measured) => number;

interface Group {
  readonly title: string;
  /** How to read the table. */
  readonly about: string;
  readonly factorHead: string;
}

const MISSED: Group = {
  title: 'Missed',
  about: 'The factor says how many times better the measured value has to become. The worst comes first.',
  factorHead: 'short by a factor of',
};

const REACHED: Group = {
  title: 'Reached',
  about:
    'The factor says how many times better than the target the measured value is. The closest call comes first.',
  factorHead: 'better by a factor of',
};

/** The targets in two tables, the worst first in each. What was not measured is named only where `all` of them should be. */
export function targetTables(results: Results, all: boolean): string {
  const wanted = targets(results);
  const measured = wanted.filter((target): target is Measured => target.measured !== undefined);
  const ordered = measured.sort((a, b) => shortfall(b) - shortfall(a));
  const missed = ordered.filter((target) => shortfall(target) > 1);
  const reached = ordered.filter((target) => shortfall(target) <= 1);
  const unknown = all ? wanted.filter((target) => target.measured === undefined) : [];
  return [
    ...group(MISSED, missed, shortfall),
    ...group(REACHED, reached, (target) => 1 / shortfall(target)),
    ...(unknown.length === 0 ? [] : ['### Not measured', unknown.map(({ what }) => `- ${what}`).join('\n')]),
  ].join('\n\n');
}

/** Nothing, or the heading, its explanation and the table. */
function group({ title, about, factorHead }: Group, rows: readonly Measured[], factor: Factor): string[] {
  if (rows.length === 0) return [];
  return [`### ${title}`, about, targetTable(rows, factorHead, factor)];
}

function targetTable(rows: readonly Measured[], factorHead: string, factor: Factor): string {
  const cells = rows.map((target) => [
    target.what,
    `${target.bound} ${format(target.wanted)}`,
    format(target.measured),
    factor(target).toFixed(2),
  ]);
  return table(['', 'target', 'measured', factorHead], cells);
}

/** How many times better the measured value would have to be to equal the target; 1 or less if it is reached. */
function shortfall({ bound, wanted, measured }: Measured): number {
  return bound === 'at least' ? wanted / measured : measured / wanted;
}

function format(value: number): string {
  return value < 100 ? String(Number(value.toFixed(2))) : count(value);
}
