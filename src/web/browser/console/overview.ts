import type { Inventory, PetStatus } from '../../../client/index.ts';
import { type Element, h } from '../shared/element.ts';
import { icon } from '../shared/icons.ts';
import { inventory } from './data.ts';
import { petStatuses, routeHref } from './route.ts';
import { count, statusLabel } from './wording.ts';

/** How many animals there are by status: numbers, and a bar whose parts differ in pattern as well as in colour. */
export function Overview(): Element {
  const counts = inventory.value;
  const total = counts ? petStatuses.reduce((sum, status) => sum + counts[status], 0n) : undefined;
  return h(
    'section',
    { class: 'card overview', 'aria-labelledby': 'overview-title' },
    h(
      'div',
      { class: 'overview-head' },
      h('h2', { id: 'overview-title' }, 'Inventory'),
      h(
        'p',
        { class: 'overview-total' },
        total === undefined ? '' : `${count(total)} ${total === 1n ? 'animal' : 'animals'}`,
      ),
    ),
    h(Chart, { counts, total: total ?? 0n }),
    h(
      'ul',
      { class: 'stats' },
      petStatuses.map((status) =>
        h(Stat, { key: status, status, value: counts?.[status], total: total ?? 0n }),
      ),
    ),
  );
}

interface StatProps {
  readonly status: PetStatus;
  readonly value: bigint | undefined;
  readonly total: bigint;
}

function Stat({ status, value, total }: StatProps): Element {
  return h(
    'li',
    { class: `stat ${status}` },
    h(
      'a',
      { href: routeHref({ view: 'animals', status, name: '' }) },
      h('span', { class: 'stat-label' }, h('span', { class: `swatch ${status}` }), statusLabel(status)),
      h(
        'span',
        { class: 'stat-value' },
        value === undefined ? h('span', { class: 'skeleton' }, '000') : count(value),
      ),
      h('span', { class: 'stat-share' }, value === undefined ? ' ' : share(value, total)),
    ),
  );
}

const share = (value: bigint, total: bigint): string => {
  if (total === 0n || value === 0n) return '0%';
  const percent = Number((value * 1000n) / total) / 10;
  if (percent < 1) return 'under 1%';
  return percent > 99 && value < total ? 'over 99%' : `${Math.round(percent)}%`;
};

function Chart({
  counts,
  total,
}: {
  readonly counts: Inventory | undefined;
  readonly total: bigint;
}): Element {
  const parts = counts ? petStatuses.filter((status) => counts[status] > 0n) : [];
  const label = parts.map((status) => `${statusLabel(status)} ${count(counts?.[status] ?? 0n)}`).join(', ');
  return h(
    'div',
    { class: 'chart', role: 'img', 'aria-label': label ? `Share by status: ${label}` : 'No animals yet' },
    parts.map((status) =>
      h('span', {
        key: status,
        class: `chart-part ${status}`,
        style: { flexGrow: Number(((counts?.[status] ?? 0n) * 10_000n) / total) },
      }),
    ),
  );
}

/** A status in words, with its own shape. */
export const statusMark = (status: string): Element => {
  const shape = status === 'placed' ? 'pending' : status === 'completed' ? 'sold' : status;
  return h(
    'span',
    { class: `status ${shape}` },
    icon(shape as 'available' | 'pending' | 'sold' | 'cancelled'),
    statusLabel(status),
  );
};
