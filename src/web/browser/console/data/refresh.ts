import { effect, signal } from '@preact/signals';
import { restoreScroll, returnedTo } from '../navigation.ts';
import { listAddress, route } from '../route.ts';
import { reportTrouble, trouble } from './connection.ts';
import { isLive, startLive } from './live.ts';
import { forgetOutcomes } from './outcomes.ts';
import { keyRejected, session } from './session.ts';
import { forgetAll, loadPanel, openRoute, refreshAll } from './store.ts';

const EVERY_MS = 4000;
/** While every change is told, this is only for what cannot be told, such as a stream that a proxy holds back. */
const LIVE_MS = 30_000;
/** Changes that come together are loaded together. */
const SOON_MS = 300;
const LONGEST_MS = 30_000;
/** A browser does not wait at all when it is asked to wait longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
/** When the next refresh is due, in milliseconds since 1970. */
export const dueAt = signal(0);

/** Loads again now, and from then on every few seconds. */
export function refreshNow(): Promise<void> {
  return run(refreshAll);
}

async function run(load: () => Promise<void>): Promise<void> {
  clearTimeout(timer);
  const started = session.peek();
  if (!started || keyRejected.peek()) return;
  try {
    await load();
    if (session.peek() !== started) return;
    trouble.value = undefined;
    failures = 0;
  } catch (error) {
    if (session.peek() !== started) return;
    reportTrouble(error);
    failures++;
  }
  schedule();
}

/** Waits longer after each failure, and as long as the service asks for. A hidden tab does not ask at all. */
function schedule(): void {
  clearTimeout(timer);
  if (document.hidden || !session.peek() || keyRejected.peek()) return;
  const every = isLive.peek() ? LIVE_MS : EVERY_MS;
  const pause = Math.min(every * 2 ** failures, LONGEST_MS);
  const ms = Math.min(Math.max(pause, trouble.peek()?.retryAfterMs ?? 0), MAX_TIMER_MS);
  dueAt.value = Date.now() + ms;
  timer = setTimeout(() => void refreshNow(), ms);
}

let soon: ReturnType<typeof setTimeout> | undefined;

/** Loads again shortly; a hidden tab does so when it is looked at. */
function refreshSoon(): void {
  if (document.hidden || soon !== undefined) return;
  soon = setTimeout(() => {
    soon = undefined;
    // Trouble has pauses of its own.
    if (!document.hidden && !trouble.peek()) void refreshNow();
  }, SOON_MS);
}

/** From here on the data follows the address, the session, the network and the visibility of the tab. */
export function startRefreshing(): void {
  effect(() => {
    void listAddress.value;
    forgetOutcomes();
    if (session.value) void run(() => openRoute(returnedTo()?.rows).then(restoreScroll));
    else {
      failures = 0;
      forgetAll();
    }
  });
  effect(() => {
    if (session.value && route.value.animal !== undefined) loadPanel().catch(reportTrouble);
  });
  startLive(refreshSoon);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) clearTimeout(timer);
    else void refreshNow();
  });
  addEventListener('online', () => void refreshNow());
  addEventListener('offline', () => {
    if (session.peek()) trouble.value = { kind: 'offline', retryAfterMs: undefined, requestId: undefined };
  });
}
