import { parentPort, workerData } from 'node:worker_threads';
import { ApiError } from '../../contract/errors.ts';
import type { Outcome } from '../batcher.ts';
import { connect, makeDurable } from './connection.ts';
import type { Settled } from './threaded-writer.ts';
import { createWriter, type Write } from './writer.ts';

const { path } = workerData as { path: string };
const db = connect(path);
makeDurable(db, path);
const commit = createWriter(db);

parentPort?.on('message', (writes: Write[] | 'close') => {
  if (writes === 'close') {
    db.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(commit(writes).map(settled));
  }
});

/** An error loses its class on the way between threads, so its code travels beside it. */
function settled(outcome: Outcome<unknown>): Settled {
  if (outcome.ok) return outcome;
  const { error } = outcome;
  return { ...outcome, ...(error instanceof ApiError && { code: error.code }) };
}
