import type { FastifyBaseLogger } from 'fastify';

/** In the end, stuck or not. */
const LEAVE_MS = 9500;
/** npm hands a terminal's Ctrl-C on to us, who had it already: so soon, it is the same signal. */
const ECHO_MS = process.env.npm_lifecycle_event === undefined ? 0 : 1000;

/** Calls `leave` on the first signal. On a second one the process ends at once, behind `atOnce`. */
export function onSignal(leave: () => void, atOnce = (): void => {}): void {
  let since: number | undefined;
  const listener = () => {
    if (since === undefined) {
      since = performance.now();
      leave();
    } else if (performance.now() - since > ECHO_MS) {
      atOnce();
      process.exit(1);
    }
  };
  process.on('SIGTERM', listener);
  process.on('SIGINT', listener);
}

/** Ends the process: with 0 when the work is done, else, when it fails or takes too long, with 1, behind `abandon`. */
export function endAfter(work: () => Promise<void>, log: FastifyBaseLogger, abandon = (): void => {}): void {
  const fail = (reason: unknown) => {
    log.error(reason);
    abandon();
    process.exit(1);
  };
  log.info('leaving');
  setTimeout(fail, LEAVE_MS, new Error('did not leave in time')).unref();
  void work().then(() => process.exit(0), fail);
}
