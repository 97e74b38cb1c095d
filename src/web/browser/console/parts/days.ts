import { dayOf } from './calendar.ts';
import { dayTitle } from './time.ts';

export interface DayGroup<T> {
  readonly key: string;
  readonly title: string;
  readonly more: string;
  readonly items: readonly T[];
  /** Whether all items of the day are loaded, so that they can be counted. */
  readonly isWhole: boolean;
}

/** Items by the day on which they happened, in the order in which they are given; of each day, its first item decides its place. */
export function groupByDay<T>(
  items: readonly T[],
  timeOf: (item: T) => string,
  isComplete: boolean,
  present?: Date,
): DayGroup<T>[] {
  const groups = [...Map.groupBy(items, (item) => dayOf(new Date(timeOf(item))))];
  return groups.map(([day, ofDay], index) => ({
    key: day,
    ...dayTitle(day, present),
    items: ofDay,
    isWhole: isComplete || index < groups.length - 1,
  }));
}
