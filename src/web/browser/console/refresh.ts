import { effect, signal } from '@preact/signals';
import { reportTrouble, trouble } from './connection.ts';
import { forgetAll, openRoute, refreshAll } from './data.ts';
import { route } from './route.ts';
import { keyRejected, session } from './session.ts';

const EVERY_MS = 4000;
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
    trouble.value = undefined;
    failures = 0;
  } catch (error) {
    if (session.peek() === started) reportTrouble(error);
    failures++;
  }
  if (session.peek() === started) schedule();
}

/** Waits longer after each failure, and as long as the service asks for. A hidden tab does not ask at all. */
function schedule(): void {
  clearTimeout(timer);
  if (document.hidden || !session.peek() || keyRejected.peek()) return;
  const pause = Math.min(EVERY_MS * 2 ** failures, LONGEST_MS);
  const ms = Math.min(Math.max(pause, trouble.peek()?.retryAfterMs ?? 0), MAX_TIMER_MS);
  dueAt.value = Date.now() + ms;
  timer = setTimeout(() => void refreshNow(), ms);
}

/** From here on the data follows the address, the session, the network and the visibility of the tab. */
export function startRefreshing(): void {
  effect(() => {
    void route.value;
    if (session.value) void run(openRoute);
    else forgetAll();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) clearTimeout(timer);
    else void refreshNow();
  });
  addEventListener('online', () => void refreshNow());
  addEventListener('offline', () => {
    trouble.value = { kind: 'offline', retryAfterMs: undefined, requestId: undefined };
  });
}
