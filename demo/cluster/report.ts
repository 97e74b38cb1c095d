import { count, table } from '../../bench/format.ts';
import type { Phase } from './record.ts';

/** One column per phase, one row per figure. */
export function report(phases: readonly Phase[]): string {
  const reasons = [...new Set(phases.flatMap(({ failures }) => [...failures.keys()]))].sort();
  const row = (title: string, figure: (phase: Phase) => string) => [title, ...phases.map(figure)];
  return table(
    ['', ...phases.map(({ name }) => name)],
    [
      row('creates acknowledged', ({ creates }) => count(creates)),
      row('orders acknowledged', ({ orders }) => count(orders)),
      row('reads answered', ({ reads }) => count(reads)),
      ...reasons.map((reason) =>
        row(`attempts failed: ${reason}`, ({ failures }) => count(failures.get(reason) ?? 0)),
      ),
      row('last failed attempt after', ({ lastFailureMs }) => seconds(lastFailureMs)),
      row('longest time without a write', ({ longestWithoutWriteMs }) => seconds(longestWithoutWriteMs)),
      row('longest time without a read', ({ longestWithoutReadMs }) => seconds(longestWithoutReadMs)),
      row('acknowledged and lost', ({ lost }) => count(lost)),
      row('doubled', ({ doubled }) => count(doubled)),
      row('stale reads', ({ staleReads }) => count(staleReads)),
    ],
  );
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
