import { statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StoreError } from '../../store.ts';
import { cleanUpOnSignal } from '../../tools/clean-up-on-signal.ts';
import type { ContentCounts } from './content-counts.ts';
import { partialIn, removeAbandoned, removePartial } from './partial-file.ts';

/** TypeScript in a checkout, JavaScript in the npm package. */
const THREAD = join(import.meta.dirname, `copy-thread${extname(import.meta.filename)}`);
const PROGRESS_MS = 200;

/** What the thread that copies a database has to do. */
export interface CopyJob {
  readonly kind: 'backup' | 'restore';
  readonly from: string;
  readonly to: string;
  /** The file to write to until it is complete. */
  readonly partial: string;
  /** Whether to replace an existing file. Only for a backup. */
  readonly overwrite: boolean;
}

export interface CopyResult {
  readonly counts: ContentCounts;
  readonly bytes: number;
}

/** From the thread: the copy is complete and being verified; then how it ended. */
export type CopyMessage =
  | 'verifying'
  | { readonly result: CopyResult }
  | { readonly problem: string; readonly isStoreError: boolean };

/** How much of the source is copied, from 0 to 1; undefined while the copy is being verified. */
export type OnCopyProgress = (fraction: number | undefined) => void;

/**
 * Runs the job on a thread, because SQLite blocks its thread until the copy is complete. Meanwhile this one reports the progress
 * and, before a signal ends the process, removes the partial file. What kill -9 leaves is removed by the next job in the same
 * folder.
 */
export async function runCopy(
  job: Omit<CopyJob, 'partial'>,
  onProgress: OnCopyProgress,
): Promise<CopyResult> {
  const folder = dirname(job.to);
  removeAbandoned(folder);
  const partial = partialIn(folder);
  const stopListening = cleanUpOnSignal(() => removePartial(partial));
  const bytes = statSync(job.from).size;
  let timer: NodeJS.Timeout | undefined;
  try {
    timer = setInterval(() => onProgress(Math.min(1, sizeOf(partial) / bytes)), PROGRESS_MS);
    return await resultOf(new Worker(THREAD, { workerData: { ...job, partial } }), () => {
      clearInterval(timer);
      onProgress(undefined);
    });
  } finally {
    clearInterval(timer);
    stopListening();
  }
}

function resultOf(worker: Worker, onVerify: () => void): Promise<CopyResult> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: CopyMessage) => {
      if (message === 'verifying') onVerify();
      else if ('result' in message) resolve(message.result);
      else reject(message.isStoreError ? new StoreError(message.problem) : new Error(message.problem));
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that copies the database ended')));
  });
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
