import { listAddress, readAddress, replaceRoute, route } from './route.ts';

/** What is remembered of an entry of the browser's history, so that Back leads to what was left. */
interface Visit {
  rows: number | undefined;
  scroll: number;
  /** Whether the entry before it is one of ours. */
  readonly hasPrevious: boolean;
}

const visits = new Map<number, Visit>();
let current: Visit | undefined;
let isReturn = false;

/** The number of an entry is all that is stored in the history; what belongs to it is in memory. */
const entryNumber = (): number => Number((history.state as { entry?: number } | null)?.entry ?? 0);

/** The visit that Back or Forward has led to; undefined after following a link. */
export const returnedTo = (): Visit | undefined => (isReturn ? current : undefined);

/** Follows the history from now on. `shownRows` tells how many rows the list has. */
export function startNavigation(shownRows: () => number | undefined): void {
  // The rows are loaded first: the browser itself would scroll too early.
  history.scrollRestoration = 'manual';
  arrive();
  addEventListener('hashchange', () => {
    if (current) Object.assign(current, { rows: shownRows(), scroll: scrollY });
    const { view } = route.peek();
    const list = listAddress.peek();
    arrive();
    readAddress();
    if (listAddress.peek() === list) return;
    if (!isReturn) scrollTo(0, 0);
    if (route.peek().view !== view || isFocusLost()) focusTitle();
  });
}

/** Of an empty list nothing stays when it fills, not even the link that was followed. */
const isFocusLost = (): boolean =>
  document.activeElement === document.body || document.activeElement?.closest('.empty') !== null;

function arrive(): void {
  const known = visits.get(entryNumber());
  isReturn = known !== undefined;
  const next = known ?? { rows: undefined, scroll: 0, hasPrevious: current !== undefined };
  if (!known) {
    const entry = visits.size + 1;
    history.replaceState({ entry }, '');
    visits.set(entry, next);
  }
  current = next;
}

/** A screen reader reads the title of the view that a link has led to, and the keyboard goes on from there. */
export function focusTitle(): void {
  requestAnimationFrame(() => document.getElementById('view-title')?.focus({ preventScroll: true }));
}

/** To be called when the rows of the list are there. */
export function restoreScroll(): void {
  const scroll = returnedTo()?.scroll;
  isReturn = false;
  if (scroll) requestAnimationFrame(() => scrollTo(0, scroll));
}

/** Closes the panel: back to where it was opened from, or to its list when a link has led straight to it. */
export function closePanel(): void {
  if (current?.hasPrevious) history.back();
  else replaceRoute({ ...route.peek(), animal: undefined });
}
