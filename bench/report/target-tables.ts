import { count, table } from '../format.ts';
import type { Results } from './results.ts';
import { type Target, targets } from './targets.ts';

type Measured = Target & { readonly measured: number };

/** Compares all targets with what was measured, the worst first. */
export function compareWithTargets(results: Results) {
  const wanted = targets(results);
  const measured = wanted.filter((target): target is Measured => target.measured !== undefined);
  const ordered = measured.sort((a, b) => shortfall(b) - shortfall(a));
  return {
    missed: ordered.filter((target) => shortfall(target) > 1),
    reached: ordered.filter((target) => shortfall(target) <= 1),
    notMeasured: wanted.filter((target) => target.measured === undefined).map(({ what }) => what),
  };
}

export function missedTable(missed: readonly Measured[]): string {
  return targetTable(missed, 'short by a factor of', shortfall);
}

export function reachedTable(reached: readonly Measured[]): string {
  return targetTable(reached, 'better by a factor of', (target) => 1 / shortfall(target));
}

function targetTable(rows: readonly Measured[], factorHead: string, factor: (target: Measured) => number) {
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
