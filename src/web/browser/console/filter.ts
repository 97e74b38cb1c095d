import { type Element, h } from '../shared/element.ts';
import { type Route, route, routeHref } from './route.ts';
import { statusLabel } from './wording.ts';

/** One link per status: each filter is an address. */
export function StatusFilter({ statuses }: { readonly statuses: readonly string[] }): Element {
  const current = route.value;
  const option = (status: string | undefined) =>
    h(
      'a',
      {
        key: status ?? 'all',
        class: 'segment',
        href: routeHref({ ...current, status } as Route),
        'aria-current': current.status === status ? 'true' : undefined,
      },
      status === undefined ? 'All' : statusLabel(status),
    );
  return h(
    'nav',
    { class: 'segments', 'aria-label': 'Filter by status' },
    [undefined, ...statuses].map(option),
  );
}
