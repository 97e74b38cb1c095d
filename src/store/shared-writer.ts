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
