import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Outcome } from '../../batcher.ts';
import { LARGE_WAL_BYTES } from '../../database-files.ts';
import { connect, makeDurable } from '../connection.ts';
import { fromSqliteError, notWritable } from '../errors.ts';
import { type DatabaseFiles, fileProblem, filesAt } from '../file/file-identity.ts';
import { type Health, healthChanges } from '../file/health.ts';
import { upgradeCheck } from '../schema/migrate.ts';
import type { HealthMessage, ThreadData } from './threaded-writer.ts';
import { createWriter, type EncodedOutcome, encodeOutcome, type Write } from './writer.ts';

/** How often the files are looked at although nothing is written. */
const LOOK_MS = 500;
/** For how long writes may be acknowledged that a restart will not find, after the file was deleted or replaced, or was upgraded. */
const COMMIT_LOOK_MS = 100;

interface Writer {
  readonly files: DatabaseFiles;
  isUpgraded(): boolean;
  commit(writes: readonly Write[]): Outcome<unknown>[];
  truncateWal(): void;
  close(): void;
}

const { path, files, busyMs } = workerData as ThreadData;
let writer: Writer | undefined;
let health: Health = { problem: undefined, walBytes: 0 };
let lookedAt = Number.NEGATIVE_INFINITY;

/** The -wal file is there once a connection has used it. */
function open(): Writer {
  const db = connect(path, { create: false, busyMs });
  try {
    return writerOn(db, files as DatabaseFiles);
  } catch (error) {
    db.close();
    throw error;
  }
}

function writerOn(db: DatabaseSync, { database }: DatabaseFiles): Writer {
  makeDurable(db, path);
  const isUpgraded = upgradeCheck(db);
  if (isUpgraded()) throw notWritable('upgraded');
  return {
    files: { database, wal: filesAt(path)?.wal },
    isUpgraded,
    commit: createWriter(db),
    truncateWal() {
      try {
        // Waits for no reader.
        db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
      } catch {
        // What is in the log is durable. The next look tries again.
      }
      db.exec(`PRAGMA busy_timeout = ${busyMs}`);
    },
    close: () => db.close(),
  };
}

/** Tells the main thread what has changed since the last look. */
function look(): void {
  const before = health;
  health = currentHealth();
  lookedAt = performance.now();
  const message: HealthMessage = {
    walBytes: health.walBytes,
    changes: healthChanges(path, before, health),
  };
  if (message.changes.length > 0 || before.walBytes !== health.walBytes) parentPort?.postMessage(message);
}

function currentHealth(): Health {
  try {
    const found = filesAt(path);
    const problem = fileProblem(writer?.files ?? files, found);
    return {
      problem: problem ?? (writer?.isUpgraded() ? 'upgraded' : undefined),
      walBytes: Number(found?.wal?.size ?? 0),
    };
  } catch {
    // A disk that fails to answer says nothing about the identity of the file.
    return health;
  }
}

/** The outcome of each write; or one for all of them, because the database cannot be used and nothing was written. */
function commit(writes: readonly Write[]): EncodedOutcome[] | EncodedOutcome {
  // Not before every commit, which would slow down each of them.
  if (health.problem || performance.now() - lookedAt > COMMIT_LOOK_MS) look();
  if (health.problem) return encodeOutcome({ ok: false, error: notWritable(health.problem) });
  try {
    writer ??= open();
  } catch (error) {
    return encodeOutcome({ ok: false, error: fromSqliteError(error) });
  }
  return writer.commit(writes).map(encodeOutcome);
}

setInterval(() => {
  look();
  // SQLite does it only when it starts the log over, which an idle service never lets it do.
  if (!health.problem && health.walBytes > LARGE_WAL_BYTES) writer?.truncateWal();
}, LOOK_MS).unref();

parentPort?.on('message', (message: Write[] | 'close') => {
  if (message === 'close') {
    writer?.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(commit(message));
  }
});
