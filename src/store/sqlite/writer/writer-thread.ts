import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Outcome } from '../../batcher.ts';
import { connect, makeDurable } from '../connection.ts';
import { fromSqliteError, notWritable, type WriteProblem } from '../errors.ts';
import { type DatabaseFiles, fileProblem, filesAt } from '../file/file-identity.ts';
import { walTruncation } from '../file/wal-truncation.ts';
import { upgradeCheck } from '../schema/migrate.ts';
import { createWriter, type EncodedOutcome, encodeOutcome, type Write } from './writer.ts';

/** For how long writes may be acknowledged that a restart will not find, after the file was deleted or replaced, or was upgraded. */
const CHECK_MS = 100;

interface Writer {
  readonly files: DatabaseFiles;
  isUpgraded(): boolean;
  commit(writes: readonly Write[]): Outcome<unknown>[];
  /** For what no response has to wait for. */
  afterCommit(): void;
  close(): void;
}

const { path, files } = workerData as { path: string; files?: DatabaseFiles };
let writer: Writer | undefined;
let problem: WriteProblem | undefined;
let checkedAt = Number.NEGATIVE_INFINITY;

/** Opens the database that `files` identifies; the -wal file is there once a connection has used it. */
function open({ database }: DatabaseFiles): Writer {
  const db = connect(path, { create: false });
  try {
    return writerOn(db, database);
  } catch (error) {
    db.close();
    throw error;
  }
}

function writerOn(db: DatabaseSync, database: DatabaseFiles['database']): Writer {
  makeDurable(db, path);
  const isUpgraded = upgradeCheck(db);
  if (isUpgraded()) throw notWritable('upgraded');
  const commit = createWriter(db);
  const truncateWal = walTruncation(db, path);
  return {
    files: { database, wal: filesAt(path)?.wal },
    isUpgraded,
    commit,
    afterCommit: truncateWal,
    close: () => db.close(),
  };
}

/** What keeps this thread from writing, if anything. Looked at every `CHECK_MS`: before every commit it would slow down each of them. */
function currentProblem(): WriteProblem | undefined {
  if (problem || performance.now() - checkedAt > CHECK_MS) {
    problem = files ? fileProblem(writer?.files ?? files, filesAt(path)) : 'deleted';
    if (!problem && writer?.isUpgraded()) problem = 'upgraded';
    checkedAt = performance.now();
  }
  return problem;
}

/** The outcome of each write; or one for all of them, because the database cannot be used and nothing was written. */
function commit(writes: readonly Write[]): EncodedOutcome[] | EncodedOutcome {
  const refusal = currentProblem();
  if (refusal) return encodeOutcome({ ok: false, error: notWritable(refusal) });
  try {
    writer ??= open(files as DatabaseFiles);
  } catch (error) {
    return encodeOutcome({ ok: false, error: fromSqliteError(error) });
  }
  return writer.commit(writes).map(encodeOutcome);
}

parentPort?.on('message', (message: Write[] | 'close') => {
  if (message === 'close') {
    writer?.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(commit(message));
    writer?.afterCommit();
  }
});
