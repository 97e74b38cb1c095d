import { counter, type Family, gauge, histogram } from './family.ts';
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
      histogram(
        'animal_store_commit_duration_seconds',
        'Time to commit a batch of writes, until it is on disk.',
        this.#durations.samples(),
      ),
      histogram('animal_store_commit_batch_size', 'Writes that shared a commit.', this.#sizes.samples()),
      gauge('animal_store_pending_writes', 'Writes that wait or are being committed.', this.pending),
      counter(
        'animal_store_maintenance_failures_total',
        'Runs of the regular maintenance of the database that failed.',
        this.#maintenanceFailures,
      ),
    ];
  }
}
