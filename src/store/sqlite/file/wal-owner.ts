import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { walOf } from '../../database-files.ts';
import { writeStatement } from '../connection.ts';
import { NAME_LENGTH } from './wal-check.ts';

/** Position and length of the salts in the header of a WAL file: they change each time it is restarted. */
const SALTS = { at: 16, length: 8 };

/**
 * SQLite applies a `-wal` file to whatever database file it finds next to it, although it belongs to one state of one
 * file. So that `wal-check.ts` can tell them apart, the table `wal_owner` names both by random text:
 *
 * SQLite restarts the WAL only when the database file contains all of it. The first thing we write to it then is a new
 * name, `current`, together with the one before it, `previous`, which is the `current` of the database file at that
 * time. The WAL therefore belongs to a file whose `current` is one of the two.
 *
 * To be used with the connection that writes.
 */
export class WalOwner {
  readonly #file: number;
  readonly #writeName: () => void;
  #named: Buffer | undefined;

  constructor(db: DatabaseSync, path: string) {
    this.#file = openSync(walOf(path), 'r');
    const statement = writeStatement(
      db,
      `UPDATE wal_owner SET previous = current, current = ?,
        schema_cookie = (SELECT schema_version FROM pragma_schema_version)`,
    );
    this.#writeName = () => statement.run(randomBytes(NAME_LENGTH / 2).toString('hex'));
  }

  /** To be called after each commit. A name that cannot be written now is written after the next one. */
  update(): void {
    try {
      if (this.#named?.equals(this.#salts())) return;
      this.#writeName();
      this.#named = this.#salts();
    } catch {
      this.#named = undefined;
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #salts(): Buffer {
    const salts = Buffer.alloc(SALTS.length);
    readSync(this.#file, salts, 0, SALTS.length, SALTS.at);
    return salts;
  }
}
