import type { Config } from '../../config.ts';

/**
 * From the primary to a worker. The configuration comes first. `connection` comes with its socket; none comes after
 * `stop`. An `outcome` belongs to the batch with the same id.
 */
export type ToWorker =
  | { readonly config: Config }
  | 'connection'
  | 'stop'
  | { readonly id: number; readonly outcome: unknown };

/**
 * From a worker to the primary: it accepts connections, or it cannot start; it has received the last connection; it has
 * received a signal; a batch to commit.
 */
export type ToPrimary =
  | 'ready'
  | { readonly failed: StartFailure }
  | 'received'
  | 'signalled'
  | { readonly id: number; readonly batch: unknown };

export interface StartFailure {
  readonly reason: string;
  /** Whether the command line or the configuration is wrong. */
  readonly usage: boolean;
}
