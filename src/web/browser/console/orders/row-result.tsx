import type { JSX } from 'preact';
import type { Order } from '../../../../client/index.ts';
import { dayOf } from '../parts/calendar.ts';
import { RowState } from '../parts/row-state.tsx';
import { statusMark } from '../parts/status.tsx';
import { presentDay, shortMoment, statusSince, timeOfDay } from '../parts/time.ts';
import { shop } from '../session.ts';

/**
 * What the last action on the animal of an order has led to. Only the latest order of an animal shows it: an order that was closed before is
 * not what the person has just acted on.
 */
export function outcomeOf({ id, petId }: Order) {
  const { cache, outcomes } = shop();
  return cache.ordersOf(petId)[0]?.id === id ? outcomes.at(`animal-${petId}`) : undefined;
}

interface RowResultProps {
  readonly order: Order;
  /** The row is below the day of the sale, which it does not repeat. */
  readonly isBelowDay?: boolean;
}

/** What an action in the row has led to, or how and when the order was closed. */
export function RowResult({ order, isBelowDay = false }: RowResultProps): JSX.Element {
  if (outcomeOf(order)) return <RowState place={`animal-${order.petId}`} status={order.status} />;
  return (
    <span class="two">
      {statusMark(order.status)}
      <span class="quiet">{closedAt(order, isBelowDay)}</span>
    </span>
  );
}

/** When an order was closed. Of a return, both times. */
function closedAt(order: Order, isBelowDay: boolean): string {
  const since = statusSince(order);
  const { completedAt, status } = order;
  if (status !== 'returned' || completedAt === undefined) return shortMoment(since);
  const [sold, returned] = [new Date(completedAt), new Date(since)];
  const soldText = isBelowDay ? timeOfDay(sold) : shortMoment(completedAt);
  // A time alone is of the same day as the sale.
  const isSameDay = dayOf(sold) === dayOf(returned);
  const isToday = dayOf(returned) === presentDay();
  const returnedText = isSameDay ? timeOfDay(returned) : `${isToday ? 'today, ' : ''}${shortMoment(since)}`;
  return `sold ${soldText}, returned ${returnedText}`;
}
