import { dayOf, dayTitle } from './time.ts';

export interface Day<T> {
  readonly key: string;
  readonly title: string;
  readonly more: string;
  readonly items: readonly T[];
  /** Whether all items of the day are loaded, so that they can be counted. */
  readonly isWhole: boolean;
}

/** Items, newest first, by the day on which they happened. */
export function groupByDay<T>(
  items: readonly T[],
  timeOf: (item: T) => string,
  isComplete: boolean,
): Day<T>[] {
  const groups = [...Map.groupBy(items, (item) => dayOf(new Date(timeOf(item))))];
  return groups.map(([key, ofDay], index) => ({
    key,
    ...dayTitle(ofDay[0] === undefined ? new Date() : new Date(timeOf(ofDay[0]))),
    items: ofDay,
    isWhole: isComplete || index < groups.length - 1,
  }));
}
