import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/**
 * node:sqlite in the shape of better-sqlite3, for the `driver` option of TypeORM. The real one is a native addon, built for
 * the machine's Node and not for the one that npm brings here; this costs no more.
 */
export class NodeSqlite {
  readonly #db: DatabaseSync;

  constructor(file: string) {
    this.#db = new DatabaseSync(file);
  }

  pragma(text: string): unknown {
    return this.#db.prepare(`PRAGMA ${text}`).all();
  }

  prepare(sql: string) {
    const statement = this.#db.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (...values: SQLInputValue[]) => statement.all(...values),
      run: (...values: SQLInputValue[]) => statement.run(...values),
    };
  }

  close(): void {
    this.#db.close();
  }
}
