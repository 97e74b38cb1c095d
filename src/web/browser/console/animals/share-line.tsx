import type { JSX } from 'preact';
import { inventory } from '../data/store.ts';
import { shapeOf } from '../parts/status.tsx';
import { petStatuses, route } from '../route.ts';

/** How the animals divide into statuses: solid, dashed and dotted, as long as the share of each. The tabs have the numbers. */
export function ShareLine(): JSX.Element {
  const counts = inventory.value;
  const total = counts ? petStatuses.reduce((sum, status) => sum + counts[status], 0n) : 0n;
  const parts = counts && total > 0n ? petStatuses.filter((status) => counts[status] > 0n) : [];
  const { status: chosen } = route.value;
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
