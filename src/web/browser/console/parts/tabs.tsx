import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { type Route, route, routeHref } from '../route.ts';
import { shapeOf } from './status.tsx';
import { count, type Status, statusWord } from './wording.ts';

interface TabsProps {
  readonly statuses: readonly Status[];
  /** How many there are of each status and of all; undefined where nobody counts them. */
  readonly counts?: ((status: Status | undefined) => bigint | undefined) | undefined;
}

/** One link per status: each filter is an address. */
export function Tabs({ statuses, counts }: TabsProps): JSX.Element {
  const current = route.value;
  const tab = (status: Status | undefined) => (
    <a
      key={status ?? 'all'}
      class="tab"
      href={routeHref({ ...current, status, animal: undefined } as Route)}
      aria-current={current.status === status ? 'true' : undefined}
    >
      <span class={`status ${status === undefined ? '' : shapeOf(status)}`}>
        {status === undefined ? null : icon(shapeOf(status))}
        {status === undefined ? 'All' : statusWord(status)}
      </span>
      {counts ? <span class="count">{number(counts(status))}</span> : null}
    </a>
  );
  return (
    <nav class="tabs" aria-label="Status">
      {[undefined, ...statuses].map(tab)}
    </nav>
  );
}

/** A place is kept for a count that is not there yet. */
const number = (value: bigint | undefined): string => (value === undefined ? '\u2007' : count(value));
