import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Order } from '../../src/client/index.ts';
import { statusSince } from '../../src/web/browser/console/parts/time.ts';

const createdAt = '2026-11-16T09:00:00.000Z';
const completedAt = '2026-11-16T17:00:00.000Z';
/** The note was changed the day after. */
const updatedAt = '2026-11-17T08:00:00.000Z';
const ORDER = { id: 1n, petId: 1n, note: 'paid', createdAt, updatedAt } as const;

it('A note that changes later does not change when an order was placed or completed', () => {
  const cases: [Order, string][] = [
    [{ ...ORDER, status: 'placed' }, createdAt],
    [{ ...ORDER, status: 'completed', completedAt }, completedAt],
    [{ ...ORDER, status: 'returned', completedAt }, updatedAt],
    [{ ...ORDER, status: 'cancelled' }, updatedAt],
  ];
  for (const [order, since] of cases) assert.equal(statusSince(order), since, order.status);
});
