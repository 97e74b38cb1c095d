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
  // Before a link is followed, and for Back, which gives no notice, whenever scrolling comes to an end.
  addEventListener('click', remember, { capture: true });
  for (const event of ['scrollend', 'pagehide']) addEventListener(event, remember);
  addEventListener('hashchange', () => {
    const left = { ...current, ownList: listAddress.peek(), view: route.peek().view };
    isClosing = false;
    // First, because whoever follows the address asks at once whether it was returned to.
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

/** What is known of an entry that a link has led to. */
function nextVisit(left: (Visit & { readonly ownList: string }) | undefined): Visit {
  const list = listAddress.peek();
  if (route.peek().animal === undefined) return { ...FIRST, list, entriesAboveList: 0 };
  if (left?.ownList !== list || left.entriesAboveList === undefined) return FIRST;
  return { ...FIRST, list: left.list, entriesAboveList: left.entriesAboveList + 1 };
}

function remember(): void {
  // Until the rows are there, the page is not where the entry was left.
  if (!isReturning && !isBehindBrowser()) store({ ...current, rows: shownRows(), scroll: scrollY });
}

/** Of an empty list nothing stays when it fills, not even the link that was followed. */
const isFocusLost = (): boolean =>
  document.activeElement === document.body || document.activeElement?.closest('.empty') !== null;

/** A screen reader reads the title of the view that a link has led to, and the keyboard goes on from there. */
export function focusTitle(): void {
  requestAnimationFrame(() => {
    // A panel that has opened meanwhile has the focus.
    if (!document.activeElement?.closest('.panel'))
      document.getElementById('view-title')?.focus({ preventScroll: true });
  });
}

/** How many rows to load after Back, and how to go on when they are there: at the place where the list was left. */
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

/** Closes the panel: back to its list, however many animals were looked at, or to that list without going back. */
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
