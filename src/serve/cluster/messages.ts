import type { Config } from '../../config.ts';
import type { Family } from '../../metrics/family.ts';

/**
 * From the primary to a worker. The configuration comes first. `connection` has its socket attached; none is sent after
 * `stop`. `ping` asks for a `pong`. An `outcome` belongs to the batch with the same id. `collect` asks for the worker's metrics; a `text` has those of all
 * processes, and belongs to the `scrape` with the same number.
 */
export type ToWorker =
  | { readonly config: Config }
  | 'connection'
  | 'stop'
  | 'ping'
  | 'collect'
  | { readonly scrape: number; readonly text: string }
  | { readonly id: number; readonly outcome: unknown };

/**
 * From a worker to the primary: it accepts connections, or it cannot start; it has received the last connection; it has
 * received a signal; its event loop runs; a batch to commit; its metrics; a request for the metrics of all processes.
 */
export type ToPrimary =
  | 'ready'
  | { readonly failed: StartFailure }
  | 'received'
  | 'signalled'
  | 'pong'
  | { readonly metrics: readonly Family[] }
  | { readonly scrape: number }
  | { readonly id: number; readonly batch: unknown };

interface StartFailure {
  readonly reason: string;
  /** Whether the command line or the configuration is wrong, or the database cannot be used now. */
  readonly kind: 'usage' | 'unavailable' | 'unexpected';
}
