import type { DatabaseSync } from 'node:sqlite';
import { batchPerTick } from '../../batch-per-tick.ts';
import { type Row, rowStatement } from './table.ts';

interface Read {
  readonly query: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** After this time the reads that are left wait for the next tick, so that many long pages delay nobody else for long. */
const MAX_MS = 5;

/** The error to reject a failed read with; `retry` runs it again. */
type ErrorOf = (error: unknown, retry: () => unknown) => Error;

/**
 * Runs the reads of one tick back to back in one transaction, except for those that would take too long. It begins after the last of them was requested, so each
 * sees every commit that was acknowledged before, and all see the same state. A read that is alone in its tick runs
 * without a transaction: a single statement is one already.
 *
 * A failing disk fails the affected reads, never the process, and leaves no transaction open.
 */
export class ReadBatch {
  readonly #db: DatabaseSync;
  readonly #errorOf: ErrorOf;
  readonly #readVersion: () => number;
  readonly #add: (read: Read) => void;
  #version: Promise<number> | undefined;

  constructor(db: DatabaseSync, errorOf: ErrorOf) {
    this.#db = db;
    this.#errorOf = errorOf;
    // A database in memory has no other connection; one in a file is never changed by this one.
    const isInMemory = db.location() === null;
    const statement = rowStatement(db, isInMemory ? 'SELECT total_changes()' : 'PRAGMA data_version');
    this.#readVersion = () => Number((statement.get() as unknown as Row)[0]);
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

  /** Returns the reads for which there was no time. */
  #run(reads: readonly Read[]): readonly Read[] {
    this.#version = undefined;
    const isLeftOpen = this.#db.isTransaction;
    const inTransaction = reads.length > 1 || isLeftOpen;
    try {
      if (inTransaction) this.#db.exec(isLeftOpen ? 'ROLLBACK; BEGIN' : 'BEGIN');
    } catch (error) {
      for (const { query, reject } of reads) reject(this.#errorOf(error, query));
      return [];
    }
    const end = performance.now() + MAX_MS;
    let done = 0;
    for (const read of reads) {
      if (done > 0 && performance.now() > end) break;
      done++;
      try {
        read.resolve(read.query());
      } catch (error) {
        read.reject(this.#errorOf(error, read.query));
      }
    }
    if (inTransaction) this.#commit();
    return reads.slice(done);
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
