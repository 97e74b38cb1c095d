import type { Config } from '../../config.ts';

/**
 * What the primary says to a worker. A `connection` comes with its socket; behind `leave` there comes none. An `outcome`
 * is that of the batch of the same number.
 */
export type ToWorker =
  | { readonly config: Config }
  | 'connection'
  | 'leave'
  | { readonly number: number; readonly outcome: unknown };

/**
 * What a worker says to the primary: that it serves, or why it cannot; that the last connection is its own now; that
 * somebody has signalled it; what it wants written.
 */
export type ToPrimary =
  | 'ready'
  | { readonly failed: Failure }
  | 'taken'
  | 'signalled'
  | { readonly number: number; readonly batch: unknown };

export interface Failure {
  readonly reason: string;
  /** Whether the call or the configuration is at fault. */
  readonly usage: boolean;
}
