import { parentPort, workerData } from 'node:worker_threads';
import type { Outcome } from '../batcher.ts';
import { connect, makeDurable } from './connection.ts';
import { encodeOutcome } from './encode-outcome.ts';
import { notWritable } from './errors.ts';
import { type DatabaseFiles, fileProblem, filesAt } from './file-identity.ts';
import { createWriter, type Write } from './writer.ts';

interface Writer {
  readonly files: DatabaseFiles;
  commit(writes: readonly Write[]): Outcome<unknown>[];
  close(): void;
}

const { path, files } = workerData as { path: string; files?: DatabaseFiles };
let writer: Writer | undefined;

/** Opens the database that `files` identifies; the -wal file is there once a connection has used it. */
function open({ database }: DatabaseFiles): Writer {
  const db = connect(path, { create: false });
  makeDurable(db, path);
  const commit = createWriter(db);
  return { files: { database, wal: filesAt(path)?.wal }, commit, close: () => db.close() };
}

/** Checked before every commit, so that no acknowledged write is in a file that a restart would not find. */
function commit(writes: readonly Write[]): Outcome<unknown>[] {
  const problem = files ? fileProblem(writer?.files ?? files, filesAt(path)) : 'deleted';
  if (!files || problem) return writes.map(() => ({ ok: false, error: notWritable(problem ?? 'deleted') }));
  writer ??= open(files);
  return writer.commit(writes);
}

parentPort?.on('message', (message: Write[] | 'close') => {
  if (message === 'close') {
    writer?.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(commit(message).map(encodeOutcome));
  }
});
