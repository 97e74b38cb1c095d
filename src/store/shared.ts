/**
 * The one writer of a store that several processes share. What is in a batch and in its outcome only the driver knows;
 * both survive being cloned on their way between processes.
 */
export interface SharedWriter {
  /** Never rejects: what fails has an outcome that says so. */
  commit(batch: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Brings a batch to the shared writer in another process and its outcome back. Rejects when that process ends meanwhile;
 * undefined when it has ended before.
 */
export type Carry = (batch: unknown) => Promise<unknown> | undefined;
