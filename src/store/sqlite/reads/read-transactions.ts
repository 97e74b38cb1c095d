import type { DatabaseSync } from 'node:sqlite';
import { batchPerTick } from '../../../batch-per-tick.ts';
import { type Row, rowStatement } from '../table.ts';

interface Read {
  readonly query: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A batch that takes longer continues in the next tick, so that long pages do not delay other requests. */
const MAX_MS = 5;

/**
 * Runs the reads of one tick back to back in one transaction. It begins after the last of them was requested, so each
 * sees every commit that was acknowledged before, and all see the same state. A read that is alone in its tick runs
 * without a transaction: a single statement is one already. A batch that takes long continues in the next ticks, in the same
 * transaction; reads that are requested meanwhile wait for their own.
 *
 * A failing disk fails the affected reads, never the process, and leaves no transaction open.
 */
export class ReadTransactions {
  readonly #db: DatabaseSync;
  readonly #errorOf: (error: unknown) => Error;
  readonly #readVersion: () => number;
  readonly #maxMs: number;
  readonly #add: (read: Read) => void;
  /** How many of the reads that wait belong to the batch that has begun. */
  #left = 0;
  #version: Promise<number> | undefined;

  /** A read that fails is rejected with `errorOf` its error. */
  constructor(db: DatabaseSync, errorOf: (error: unknown) => Error) {
    this.#db = db;
    this.#errorOf = errorOf;
    // A database in memory has no other connection; one in a file is never changed by this one.
    const isInMemory = db.location() === null;
    const statement = rowStatement(db, isInMemory ? 'SELECT total_changes()' : 'PRAGMA data_version');
    this.#readVersion = () => Number((statement.get() as unknown as Row)[0]);
    // This connection writes to a database in memory, too, and cannot do that while a batch is open.
    this.#maxMs = isInMemory ? Number.POSITIVE_INFINITY : MAX_MS;
    this.#add = batchPerTick((reads, postpone) => postpone(this.#run(reads)));
  }

  /** `query` runs a single statement. */
  read<T>(query: () => T): Promise<T> {
    const result = new Promise<unknown>((resolve, reject) => this.#add({ query, resolve, reject }));
    return result as Promise<T>;
  }

  /** A number that changes with every commit, by any connection. */
  version(): Promise<number> {
    this.#version ??= this.read(this.#readVersion);
    return this.#version;
  }

  /** Returns the reads for which there was no time, and those that do not belong to the batch. */
  #run(reads: readonly Read[]): readonly Read[] {
    const batch = this.#left > 0 ? reads.slice(0, this.#left) : reads;
    const done = this.#left > 0 || this.#begin(batch) ? this.#runSome(batch) : batch.length;
    this.#left = batch.length - done;
    if (this.#left === 0) this.#commit();
    return reads.slice(done);
  }

  /** Returns false after it has rejected the reads, because the database cannot be read. */
  #begin(batch: readonly Read[]): boolean {
    this.#version = undefined;
    const isLeftOpen = this.#db.isTransaction;
    try {
      if (isLeftOpen) this.#db.exec('ROLLBACK; BEGIN');
      else if (batch.length > 1) this.#db.exec('BEGIN');
      return true;
    } catch (error) {
      for (const { reject } of batch) reject(this.#errorOf(error));
      return false;
    }
  }

  /** Returns how many there was time for: at least one. */
  #runSome(batch: readonly Read[]): number {
    const end = performance.now() + this.#maxMs;
    let done = 0;
    for (const read of batch) {
      if (done > 0 && performance.now() > end) break;
      done++;
      try {
        read.resolve(read.query());
      } catch (error) {
        read.reject(this.#errorOf(error));
      }
    }
    return done;
  }

  /**
   * When a read has failed, SQLite may have rolled back, or COMMIT repeats the error and ends the transaction. What the
   * other reads returned is valid either way, because nothing was changed.
   */
  #commit(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec('COMMIT');
    } catch {
      // The read that failed has its error already.
    }
  }
}
