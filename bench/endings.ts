/** What has to be undone at the end, the last thing first. */
const endings: (() => unknown)[] = [];

export function atEnd(work: () => unknown): void {
  endings.push(work);
}

export async function end(): Promise<void> {
  for (let work = endings.pop(); work; work = endings.pop()) await work();
}

/** Whether a signal is ending us: what fails from then on fails because the servers are gone. */
export let interrupted = false;

/** Resolves unless we are being ended; then never, so that nothing new begins behind the back of the endings. */
export function unlessInterrupted(): Promise<void> {
  return interrupted ? new Promise(() => {}) : Promise.resolve();
}

/** A run leaves gigabytes and servers behind unless Ctrl-C, too, ends it in order. */
export function endOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted = true;
      void end().finally(() => process.exit(130));
    });
  }
}
