import type { DatabaseSync } from 'node:sqlite';
import { fromSqliteError } from './errors.ts';

/**
 * Runs the reads of one turn of the event loop together at its end, in one transaction. It begins after the last of
 * them was asked for, so each sees every commit that anyone has acknowledged to its caller, and all see the same
 * state. Side by side they cost a fraction of what each costs between the work of other requests.
 */
export class Turn {
  readonly #db: DatabaseSync;
  readonly #readVersion: () => number;
  #waiting: (() => void)[] = [];
  #version: Promise<number> | undefined;

  constructor(db: DatabaseSync) {
    this.#db = db;
    const statement = db.prepare('SELECT data_version + total_changes() AS version FROM pragma_data_version');
    this.#readVersion = () => Number(statement.get()?.version);
  }

  read<T>(query: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) process.nextTick(() => this.#run());
      this.#waiting.push(() => {
        try {
          resolve(query());
        } catch (error) {
          reject(fromSqliteError(error));
        }
      });
    });
  }

  /** A number that changes with every commit, by this connection or any other. */
  version(): Promise<number> {
    this.#version ??= this.read(this.#readVersion);
    return this.#version;
  }

  #run(): void {
    const reads = this.#waiting;
    this.#waiting = [];
    this.#version = undefined;
    this.#db.exec('BEGIN');
    for (const read of reads) read();
    // A failing disk can make SQLite end the transaction by itself.
    if (this.#db.isTransaction) this.#db.exec('COMMIT');
  }
}
