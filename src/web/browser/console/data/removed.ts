import { signal } from '@preact/signals';
import type { Pet, PetStatus } from '../../../../client/index.ts';

/** Animals on the page that are not in the inventory any more. */
export const removed = signal<ReadonlySet<bigint>>(new Set());

/** The status of an animal as the page shows it. */
export const shownStatus = ({ id, status }: Pet): PetStatus | 'removed' =>
  removed.value.has(id) ? 'removed' : status;

export function markRemoved(ids: readonly bigint[], isRemoved: boolean): void {
  const known = removed.peek();
  if (ids.some((id) => known.has(id) !== isRemoved))
    removed.value = isRemoved ? new Set([...known, ...ids]) : known.difference(new Set(ids));
}
