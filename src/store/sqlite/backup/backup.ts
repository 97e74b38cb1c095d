import { copyDatabase } from './copy.ts';
import type { CopyJob, CopyResult } from './copy-job.ts';

/** Writes a backup of the database `from` to the file `to`. Runs on a separate thread: it takes seconds. */
export function writeBackup({ from, to, partial, overwrite }: CopyJob, onVerify: () => void): CopyResult {
  const copy = copyDatabase(from, partial, { onVerify });
  try {
    copy.publishAs(to, { overwrite });
    return { counts: copy.counts, bytes: copy.bytes };
  } finally {
    copy.close();
  }
}
