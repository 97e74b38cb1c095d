import type { DatabaseSync } from 'node:sqlite';
import { batchPerTick } from '../../batch-per-tick.ts';
import { fromSqliteError } from './errors.ts';

interface Read {
  run(): void;
  fail(error: unknown): void;
}

/**
 * Runs the reads of one tick back to back in one transaction. It begins after the last of them was requested, so each
 * sees every commit that was acknowledged before, and all see the same state. A read that is alone in its tick runs
 * without a transaction: a single statement is one already.
 *
 * A failing disk fails the reads that meet it, never the process, and leaves no transaction open.
 */
export class ReadBatch {
  readonly #db: DatabaseSync;
  readonly #onError: (error: unknown) => void;
  readonly #readVersion: () => number;
  readonly #add: (read: Read) => void;
  #version: Promise<number> | undefined;

  constructor(db: DatabaseSync, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
    const statement = db.prepare('SELECT data_version + total_changes() AS version FROM pragma_data_version');
    this.#readVersion = () => Number(statement.get()?.version);
    this.#add = batchPerTick((reads) => this.#run(reads));
  }

  /** `query` runs a single statement. */
  read<T>(query: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        this.#onError(error);
        reject(fromSqliteError(error));
      };
      const run = () => {
        try {
          resolve(query());
        } catch (error) {
          fail(error);
        }
      };
      this.#add({ run, fail });
    });
  }

  /** A number that changes with every commit, by this connection or any other. */
  version(): Promise<number> {
    this.#version ??= this.read(this.#readVersion);
    return this.#version;
  }

  #run(reads: readonly Read[]): void {
    this.#version = undefined;
    const isLeftOpen = this.#db.isTransaction;
    if (reads.length === 1 && !isLeftOpen) {
      reads[0]?.run();
      return;
    }
    try {
      this.#db.exec(isLeftOpen ? 'ROLLBACK; BEGIN' : 'BEGIN');
    } catch (error) {
      for (const { fail } of reads) fail(error);
      return;
    }
    for (const { run } of reads) run();
    this.#end();
  }

  /** Ends the transaction, unless SQLite has already rolled it back because a read failed. */
  #end(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec('COMMIT');
    } catch (error) {
      // SQLite repeats the error of a failed read here and ends the transaction. It changed nothing, so what the other
      // reads returned is valid.
      this.#onError(error);
    }
  }
}
