import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { LARGE_WAL_BYTES, walOf } from '../../database-files.ts';

const CHECK_MS = 1000;

/**
 * To be called after each commit: truncates a `-wal` file that is large although no connection needs it any more. SQLite does that
 * by itself when it starts the file over, which an idle service never lets it do. Waits for no reader.
 */
export function walTruncation(db: DatabaseSync, path: string): () => void {
  const wal = walOf(path);
  let checkedAt = 0;
  return () => {
    if (performance.now() - checkedAt < CHECK_MS) return;
    checkedAt = performance.now();
    if ((statSync(wal, { throwIfNoEntry: false })?.size ?? 0) <= LARGE_WAL_BYTES) return;
    const { timeout } = db.prepare('PRAGMA busy_timeout').get() as { timeout: number };
    db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    db.exec(`PRAGMA busy_timeout = ${timeout}`);
  };
}
