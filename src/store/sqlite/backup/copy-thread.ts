import { parentPort, workerData } from 'node:worker_threads';
import { StoreError } from '../../store.ts';
import { writeBackup } from './backup.ts';
import type { CopyJob, CopyMessage } from './copy-job.ts';
import { restoreBackup } from './restore.ts';

// The program of the thread that copies a database.
const job = workerData as CopyJob;
const send = (message: CopyMessage) => parentPort?.postMessage(message);
try {
  const run = job.kind === 'backup' ? writeBackup : restoreBackup;
  send({ result: run(job, () => send('verifying')) });
} catch (error) {
  send({ problem: (error as Error).message, isStoreError: error instanceof StoreError });
}
