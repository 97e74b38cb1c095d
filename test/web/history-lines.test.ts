import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../../src/client/index.ts';
import { historyLines } from '../../src/web/browser/console/animals/panel/history-lines.ts';

const AT = '2026-11-17T14:02:00Z';
const order = (id: bigint): NonNullable<Event['order']> => ({
  id,
  petId: 1n,
  status: 'placed',
  createdAt: AT,
  updatedAt: AT,
});
const event = (id: string, type: Event['type'], at: string, orderId?: bigint, keyId = 'till'): Event => ({
  id,
  type,
  at,
  keyId,
  keyName: keyId,
  ...(orderId !== undefined && { order: order(orderId) }),
});
const shown = (events: readonly Event[]) => historyLines(events).map(({ id }) => id);

test('a sale in one step is one line', () => {
  const sale = event('sold', 'order.completed', '2026-11-17T14:02:02Z', 7n);
  const placed = event('placed', 'order.placed', AT, 7n);
  const added = event('added', 'pet.created', AT);
  assert.deepEqual(shown([sale, placed, added]), ['sold', 'added']);
});

test('a reservation that was sold later, by another person, or another order, is a line of its own', () => {
  const placed = event('placed', 'order.placed', AT, 7n);
  const later = event('sold', 'order.completed', '2026-11-17T15:02:00Z', 7n);
  const other = event('sold', 'order.completed', AT, 7n, 'office');
  const another = event('sold', 'order.completed', AT, 8n);
  for (const sale of [later, other, another]) assert.deepEqual(shown([sale, placed]), ['sold', 'placed']);
});
