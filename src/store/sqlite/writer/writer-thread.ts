import { parentPort, workerData } from 'node:worker_threads';
import type { Outcome } from '../../batcher.ts';
import { connect, makeDurable } from '../connection.ts';
import { notWritable } from '../errors.ts';
import { type DatabaseFiles, type FileProblem, fileProblem, filesAt } from '../file/file-identity.ts';
import { WalOwner } from '../file/wal-owner.ts';
import { encodeOutcome } from './encode-outcome.ts';
import { createWriter, type Write } from './writer.ts';

/** For how long writes may be acknowledged that a restart will not find, after the file was deleted or replaced. */
const CHECK_MS = 100;

interface Writer {
  readonly files: DatabaseFiles;
  commit(writes: readonly Write[]): Outcome<unknown>[];
  /** For what no response has to wait for. */
  afterCommit(): void;
  close(): void;
}

const { path, files } = workerData as { path: string; files?: DatabaseFiles };
let writer: Writer | undefined;
let problem: FileProblem | undefined;
let checkedAt = Number.NEGATIVE_INFINITY;

/** Opens the database that `files` identifies; the -wal file is there once a connection has used it. */
function open({ database }: DatabaseFiles): Writer {
  const db = connect(path, { create: false });
  makeDurable(db, path);
  const commit = createWriter(db);
  const walOwner = new WalOwner(db, path);
  // Before the store is open: another program may write to the file right then, without waiting for a lock.
  walOwner.update();
  return {
    files: { database, wal: filesAt(path)?.wal },
    commit,
    afterCommit: () => walOwner.update(),
    close() {
      walOwner.close();
      db.close();
    },
  };
}

/** Whether the path still names the database. Checking before every commit would cost a few percent of it. */
function currentProblem(): FileProblem | undefined {
  if (problem || performance.now() - checkedAt > CHECK_MS) {
    problem = files ? fileProblem(writer?.files ?? files, filesAt(path)) : 'deleted';
    checkedAt = performance.now();
  }
  return problem;
}

function commit(writes: readonly Write[]): Outcome<unknown>[] {
  const refusal = currentProblem();
  if (refusal) return writes.map(() => ({ ok: false, error: notWritable(refusal) }));
  writer ??= open(files as DatabaseFiles);
  return writer.commit(writes);
}

parentPort?.on('message', (message: Write[] | 'close') => {
  if (message === 'close') {
    writer?.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(commit(message).map(encodeOutcome));
    writer?.afterCommit();
  }
});
