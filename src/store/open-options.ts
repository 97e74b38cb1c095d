import type { WriteMonitor } from './batcher.ts';
import type { MigrateOptions } from './migrations.ts';

/** How a store is opened. Each driver uses what it can. */
export interface OpenOptions extends MigrateOptions {
  /** Whether to create an SQLite file that does not exist. */
  readonly create?: boolean;
  /** Commits through the shared writer of another process. */
  readonly remoteCommit?: RemoteCommit;
  /** Receives events about the writes that this process commits. */
  readonly monitor?: WriteMonitor;
  /** Receives one line for the log when the store finds a lasting fault, such as a deleted database file. */
  readonly report?: (message: string) => void;
  /** How long events are kept, in milliseconds; 90 days unless given. */
  readonly eventsKeepMs?: number;
}

/**
 * The one writer of a store that several processes share. Only the driver knows what a batch and its outcome contain;
 * both survive structured cloning, so that they can be sent between processes.
 */
export interface SharedWriter {
  /** Never rejects: a failed write has an outcome that says so. */
  commit(batch: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Sends a batch to the shared writer in another process and resolves with its outcome. Rejects when that process ends
 * before it has answered. Throws when too much is on its way already, and returns undefined when it had already
 * ended: then nothing was sent.
 */
export type RemoteCommit = (batch: unknown) => Promise<unknown> | undefined;
