import type { Log } from '../../log.ts';
import { atMostEvery } from '../../log.ts';
import { counter, type Family } from '../../metrics/family.ts';

const REPORT_MS = 10_000;

/** Connections that were closed because there was no room for them. */
export class RefusedConnections {
  readonly #log: Log;
  #count = 0;
  #reported = 0;
  readonly #mayReport = atMostEvery(REPORT_MS);

  constructor(log: Log) {
    this.#log = log;
  }

  /** Counts one. The log says so at most every ten seconds. */
  add(): void {
    this.#count++;
    if (!this.#mayReport()) return;
    this.#log.warn(
      { refused: this.#count - this.#reported },
      'connections refused: there is no room for more',
    );
    this.#reported = this.#count;
  }

  family(): Family {
    return counter(
      'animal_store_refused_connections_total',
      'Connections that were closed because there was no room for them.',
      this.#count,
    );
  }
}
