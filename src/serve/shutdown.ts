import { printFirstKey } from './banner.ts';
import type { ProcessLog } from './log-output.ts';

/**
 * Hard deadline for shutdown. What happens before it fits: at most 0.25 s until the listener is closed, 2 s until every
 * connection is with a worker, 7 s until every request is answered.
 */
const DEADLINE_MS = 9500;
/** npm passes a terminal's Ctrl-C on to its child, which has already received it. So soon, it is the same signal. */
const REPEAT_MS = process.env.npm_lifecycle_event === undefined ? 0 : 1000;

/**
 * Calls `stop` on the first SIGTERM or SIGINT, or SIGHUP, which a terminal sends when it is closed. On the second one, calls
 * `abandon` and exits at once. To be called before anything else: the first process of a container ignores signals that it
 * does not listen to.
 */
export function onSignal(stop: () => void, abandon = (): void => {}): void {
  let receivedAt: number | undefined;
  const listener = () => {
    if (receivedAt === undefined) {
      receivedAt = performance.now();
      stop();
    } else if (performance.now() - receivedAt > REPEAT_MS) {
      abandon();
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, listener);
}

/** For a signal during the start: nothing is being served that could be finished. */
export function cancelStart(firstKey: string | undefined): void {
  printFirstKey(firstKey);
  process.exit(0);
}

/** Exits with 0 when the work is done. When it fails or misses the deadline, calls `abandon` and exits with 1. */
export function exitAfter(
  work: () => Promise<void>,
  { log, output }: ProcessLog,
  abandon = (): void => {},
): void {
  const fail = (reason: unknown) => {
    log.error({ err: reason }, 'shutdown failed');
    abandon();
    process.exit(1);
  };
  log.info({}, 'shutting down');
  setTimeout(fail, DEADLINE_MS, new Error(`not finished after ${DEADLINE_MS} ms`)).unref();
  void work()
    .then(() => output.flush())
    .then(() => process.exit(0), fail);
}
