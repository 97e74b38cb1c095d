import { isatty } from 'node:tty';
import type { Log } from '../log.ts';
import { printFirstKey } from './banner.ts';
import type { ProcessLog } from './log-output.ts';

/** Hard deadline for shutdown. It leaves room for closing the listener (at most 0.25 s) and answering every request (7 s). */
const DEADLINE_MS = 9500;
/** npm, timeout(1) and others signal the process and its group, so that one signal arrives twice. */
const REPEAT_MS = 1000;

/** A terminal sends SIGHUP when it is closed. Elsewhere, it means something else: `nohup`, or a program that rotates logs. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGQUIT', ...([0, 1, 2].some(isatty) ? ['SIGHUP'] : [])];
const ignoredSignals = ['SIGHUP', 'SIGUSR1', 'SIGUSR2'].filter((signal) => !stopSignals.includes(signal));

/**
 * Calls `stop` on the first signal that asks the service to end. Exits at once on another one that comes more than a second later.
 * To be called before anything else: the first process of a container ignores signals that it does not listen to.
 */
export function onSignal(stop: () => void): void {
  let receivedAt: number | undefined;
  const listener = () => {
    if (receivedAt === undefined) {
      receivedAt = performance.now();
      stop();
    } else if (performance.now() - receivedAt > REPEAT_MS) {
      process.exit(1);
    }
  };
  for (const signal of stopSignals) process.on(signal, listener);
}

/** Without a listener, these would end the process at once, or with SIGUSR1 open Node's inspector. */
export function ignoreOtherSignals(log: Log): void {
  for (const signal of ignoredSignals)
    process.on(signal, () => log.warn({ signal }, 'this signal has no meaning for the service'));
}

/** For a signal during the start: nothing is being served that could be finished. A key that is being created is shown. */
export function cancelStart(firstKey: Promise<string | undefined>): void {
  void printFirstKey(firstKey).then(() => process.exit(0));
}

/** Exits with 0 when the work is done, and with 1 when it fails or misses the deadline. */
export function exitAfter(work: () => Promise<void>, { log, output }: ProcessLog): void {
  const fail = (reason: unknown) => {
    log.error({ err: reason }, 'shutdown failed');
    process.exit(1);
  };
  log.info({}, 'shutting down');
  setTimeout(fail, DEADLINE_MS, new Error(`not finished after ${DEADLINE_MS} ms`)).unref();
  void work()
    .then(() => output.flush())
    .then(() => process.exit(0), fail);
}
