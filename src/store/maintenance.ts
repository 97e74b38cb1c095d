import type { OpenOptions } from './open-options.ts';

interface MaintenanceOptions extends Pick<OpenOptions, 'monitor' | 'report'> {
  readonly everyMs: number;
}

/**
 * Does the regular work of a store, such as deleting what has expired, until the returned function is called. A failure harms
 * no request, because the next run does the same work: each is counted, and the first of several in a row reported.
 */
export function startMaintenance(
  work: () => Promise<void>,
  { everyMs, monitor, report }: MaintenanceOptions,
): () => void {
  let isRunning = false;
  let isFailing = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      await work();
      isFailing = false;
    } catch (error) {
      monitor?.maintenanceFailed();
      if (!isFailing) report?.(`the maintenance of the database failed: ${reasonOf(error as Error)}`);
      isFailing = true;
    } finally {
      isRunning = false;
    }
  }

  const timer = setInterval(() => void run(), everyMs).unref();
  return () => clearInterval(timer);
}

const reasonOf = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message);
