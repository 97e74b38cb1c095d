import type { Event } from '../../../../../client/index.ts';

/** A sale in one step places an order and completes it at once. */
const DIRECT_MS = 10_000;

/** Whether an order was completed at once after it was placed. */
export const isDirectSale = (placedAt: string, completedAt: string): boolean =>
  Math.abs(Date.parse(completedAt) - Date.parse(placedAt)) <= DIRECT_MS;

/** The history of an animal as it is shown: a sale in one step is one line. Events are the latest first, and so are the lines. */
export const historyLines = (events: readonly Event[]): readonly Event[] =>
  events.filter((event) => !(event.type === 'order.placed' && events.some((sale) => isSaleOf(sale, event))));

const isSaleOf = (sale: Event, placed: Event): boolean =>
  sale.type === 'order.completed' &&
  sale.order?.id === placed.order?.id &&
  sale.keyId === placed.keyId &&
  isDirectSale(placed.at, sale.at);
