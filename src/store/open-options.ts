import type { WriteMonitor } from './batcher.ts';
import type { MigrateOptions } from './migrations.ts';

/** How a store is opened. Each driver uses what it can. */
export interface OpenOptions extends MigrateOptions {
  /** Whether to create an SQLite file that does not exist. */
  readonly create?: boolean;
  /** Whether it is opened for a command, which can wait longer than a request for a lock that another process holds. */
  readonly isCommand?: boolean;
  /** Receives events about the writes that this process commits. */
  readonly monitor?: WriteMonitor | undefined;
  /** Receives one line for the log when the store finds a lasting fault, such as a deleted database file. */
  readonly report?: ((message: string) => void) | undefined;
  /** How long events are kept, in milliseconds. Without it none is deleted: only the service has this setting. */
  readonly eventsKeepMs?: number;
}
