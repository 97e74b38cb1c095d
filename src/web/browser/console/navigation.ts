import { isBehindBrowser, listAddress, readAddress, replaceRoute, route } from './route.ts';

/**
 * What an entry of the browser's history remembers, so that Back leads to what was left. It is stored in the entry itself: it survives a
 * reload, and it never belongs to another view.
 */
interface Visit {
  /** How many rows the list had. */
  readonly rows?: number | undefined;
  readonly scroll: number;
  /** The list that was shown without a panel last, and how many entries before this one. */
  readonly list?: string | undefined;
  readonly entriesAboveList?: number | undefined;
}

const FIRST: Visit = { scroll: 0 };

let shownRows: () => number | undefined = () => undefined;
let current: Visit = FIRST;
/** Back, Forward or a reload has led to `current`, whose rows are not there yet. */
let isReturning = false;
let isClosing = false;

const storedVisit = (): Visit | undefined => (history.state as { readonly visit?: Visit } | null)?.visit;

function store(visit: Visit): void {
  current = visit;
  history.replaceState({ visit }, '');
}

/** Follows the history from now on. `rows` tells how many rows the list has. */
export function startNavigation(rows: () => number | undefined): void {
  shownRows = rows;
  // The rows are loaded first: the browser itself would scroll too early.
  history.scrollRestoration = 'manual';
  const known = storedVisit();
  isReturning = known !== undefined;
  store(known ?? nextVisit(undefined));
  // Remembers before a link is followed and, because Back gives no notice, whenever scrolling ends.
  addEventListener('click', remember, { capture: true });
  for (const event of ['scrollend', 'pagehide']) addEventListener(event, remember);
  addEventListener('hashchange', () => {
    const left = { ...current, ownList: listAddress.peek(), view: route.peek().view };
    isClosing = false;
    // Set before the address is read, because effects of the address call `returnedTo` at once.
    isReturning = storedVisit() !== undefined;
    current = storedVisit() ?? FIRST;
    readAddress();
    if (!isReturning) store(nextVisit(left));
    if (listAddress.peek() === left.ownList) {
      isReturning = false;
      return;
    }
    if (!isReturning) scrollTo(0, 0);
    if (route.peek().view !== left.view || isFocusLost()) focusTitle();
  });
}

/** What to remember of an entry that a link has led to. */
function nextVisit(left: (Visit & { readonly ownList: string }) | undefined): Visit {
  const list = listAddress.peek();
  if (route.peek().animal === undefined) return { ...FIRST, list, entriesAboveList: 0 };
  if (left?.ownList !== list || left.entriesAboveList === undefined) return FIRST;
  return { ...FIRST, list: left.list, entriesAboveList: left.entriesAboveList + 1 };
}

function remember(): void {
  // Until the rows are there, the page is not scrolled to where it was left.
  if (!isReturning && !isBehindBrowser()) store({ ...current, rows: shownRows(), scroll: scrollY });
}

/** The placeholder of an empty list is removed when rows arrive, including the link in it that was followed. */
const isFocusLost = (): boolean =>
  document.activeElement === document.body || document.activeElement?.closest('.empty') !== null;

/** A screen reader reads the title of the view that a link has led to, and keyboard navigation continues there. */
export function focusTitle(): void {
  requestAnimationFrame(() => {
    // A panel that has opened meanwhile has the focus.
    if (!document.activeElement?.closest('.panel'))
      document.getElementById('view-title')?.focus({ preventScroll: true });
  });
}

/** How many rows to load after Back, and how to scroll to where the list was left once they are there. */
export function returnedTo(): { readonly rows: number | undefined; readonly restoreScroll: () => void } {
  if (!isReturning) return { rows: undefined, restoreScroll: () => {} };
  const visit = current;
  return {
    rows: visit.rows,
    restoreScroll: () =>
      requestAnimationFrame(() => {
        // Meanwhile the person may have gone elsewhere.
        if (current !== visit) return;
        isReturning = false;
        scrollTo(0, visit.scroll);
      }),
  };
}

/** Closes the panel: goes back to its list, past all animals that were opened, or shows that list without going back. */
export function closePanel(): void {
  const { list, entriesAboveList } = current;
  if (isClosing) return;
  // A search that was typed beside the panel is only in this entry.
  if (list !== listAddress.peek() || !entriesAboveList) {
    replaceRoute({ ...route.peek(), animal: undefined });
    store({ ...current, list: listAddress.peek(), entriesAboveList: 0 });
    return;
  }
  isClosing = true;
  history.go(-entriesAboveList);
}
