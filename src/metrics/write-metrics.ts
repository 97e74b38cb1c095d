import { type Family, single } from './family.ts';
import { Histogram } from './instruments.ts';

const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const BATCH_SIZES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000];

/** How writes reach the disk. The store reports to it. */
export class WriteMetrics {
  readonly #durations = new Histogram(COMMIT_SECONDS);
  readonly #sizes = new Histogram(BATCH_SIZES);
  #pending = (): number => 0;
  #maintenanceFailures = 0;

  /** From now on, `pending` tells how many writes wait or are being committed. */
  watch(pending: () => number): void {
    this.#pending = pending;
  }

  committed(writes: number, ms: number): void {
    this.#durations.observe(ms / 1000);
    this.#sizes.observe(writes);
  }

  maintenanceFailed(): void {
    this.#maintenanceFailures++;
  }

  get pending(): number {
    return this.#pending();
  }

  families(): Family[] {
    return [
      {
        name: 'animal_store_commit_duration_seconds',
        help: 'Time to commit a batch of writes, until it is on disk.',
        type: 'histogram',
        samples: this.#durations.samples(),
      },
      {
        name: 'animal_store_commit_batch_size',
        help: 'Writes that shared a commit.',
        type: 'histogram',
        samples: this.#sizes.samples(),
      },
      single(
        {
          name: 'animal_store_pending_writes',
          help: 'Writes that wait or are being committed.',
          type: 'gauge',
        },
        this.pending,
      ),
      single(
        {
          name: 'animal_store_maintenance_failures_total',
          help: 'Runs of the regular maintenance of the database that failed.',
          type: 'counter',
        },
        this.#maintenanceFailures,
      ),
    ];
  }
}
