import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/**
 * node:sqlite with the interface of better-sqlite3, for TypeORM's `driver` option. better-sqlite3 itself is a native addon,
 * compiled for the machine's Node and not for the one that npm installs here. This adapter costs no more.
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
