import { parentPort, workerData } from 'node:worker_threads';
import { StoreError } from '../../store.ts';
import { copyDatabase } from './copy.ts';
import { restoreBackup } from './restore.ts';
import type { CopyJob, CopyMessage, CopyResult } from './run-copy.ts';

// The program of the thread that copies a database.
const job = workerData as CopyJob;
const send = (message: CopyMessage) => parentPort?.postMessage(message);
try {
  const run = job.kind === 'backup' ? writeBackup : restoreBackup;
  send({ result: run(job, () => send('verifying')) });
} catch (error) {
  send({ problem: (error as Error).message, isStoreError: error instanceof StoreError });
}

/** Writes a backup of the database `from` to the file `to`. */
function writeBackup({ from, to, partial, overwrite }: CopyJob, onVerify: () => void): CopyResult {
  const copy = copyDatabase(from, partial, { onVerify });
  try {
    copy.publishAs(to, { overwrite });
    return { counts: copy.counts, bytes: copy.bytes };
  } finally {
    copy.close();
  }
}
