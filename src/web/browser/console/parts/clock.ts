import { signal } from '@preact/signals';

const MINUTE_MS = 60_000;
/**
 * The longest time between two readings of the device's clock. Timers do not run while a device sleeps, so this is how long the page may
 * show an old time after the device wakes.
 */
const LONGEST_WAIT_MS = 5_000;

/** The present time. It changes once a minute, on the minute, and therefore at midnight. A test may set it. */
export const now = signal(new Date());

export interface ClockOptions {
  /** The document of the page. Browsers delay the timers of a hidden page, so the clock is read when the page is shown again. */
  readonly document?: EventTarget;
}

/** Keeps `now` at the time of the device, even if the device sleeps or its clock is set. Returns a function that stops it. */
export function startClock({ document }: ClockOptions = {}): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = (): void => {
    clearTimeout(timer);
    const present = Date.now();
    if (minuteOf(present) !== minuteOf(now.peek().getTime())) now.value = new Date(present);
    timer = setTimeout(tick, Math.min(MINUTE_MS - (present % MINUTE_MS), LONGEST_WAIT_MS));
  };
  tick();
  document?.addEventListener('visibilitychange', tick);
  return () => {
    clearTimeout(timer);
    document?.removeEventListener('visibilitychange', tick);
  };
}

const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS);
