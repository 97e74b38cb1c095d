/** What a run has to undo when it ends, most recent first. */
const cleanups: (() => unknown)[] = [];

export function onCleanup(work: () => unknown): void {
  cleanups.push(work);
}

export async function cleanUp(): Promise<void> {
  for (let work = cleanups.pop(); work; work = cleanups.pop()) await work();
}

/** True once a signal has started the clean-up. Failures after that are expected, because the servers are gone. */
export let interrupted = false;

/** Resolves unless the run is being interrupted; then never, so that nothing new starts during the clean-up. */
export function unlessInterrupted(): Promise<void> {
  return interrupted ? new Promise(() => {}) : Promise.resolve();
}

/** Cleans up on Ctrl-C, too: a run creates gigabytes of databases and several servers. */
export function cleanUpOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted = true;
      void cleanUp().finally(() => process.exit(130));
    });
  }
}
