import type { JSX } from 'preact';
import { route } from '../address.ts';
import { shapeOf } from '../parts/status.tsx';
import { petStatuses } from '../route.ts';
import { shop } from '../session.ts';

/**
 * How the animals of the chosen category divide into statuses: solid, dashed and dotted, as long as the share of each. The tabs have the
 * numbers.
 */
export function ShareLine(): JSX.Element {
  const counts = shop().counts.shown.value;
  const total = counts ? petStatuses.reduce((sum, status) => sum + counts[status], 0n) : 0n;
  const parts = counts && total > 0n ? petStatuses.filter((status) => counts[status] > 0n) : [];
  const chosen = route.value.view === 'animals' ? route.value.status : undefined;
  return (
    <div class="share" aria-hidden="true">
      {parts.map((status) => (
        <i
          key={status}
          class={`${shapeOf(status)} ${chosen !== undefined && chosen !== status ? 'other' : ''}`}
          style={{ flexGrow: Number(((counts?.[status] ?? 0n) * 10_000n) / total) }}
        />
      ))}
    </div>
  );
}
