import { parentPort, workerData } from 'node:worker_threads';
import { LARGE_WAL_BYTES, walOf } from '../../database-files.ts';
import { UPGRADED } from '../../migrations.ts';
import { connect, makeDurable } from '../connection.ts';
import { notWritable, type WriteProblem } from '../errors.ts';
import { type DatabaseFiles, fileProblem, filesAt } from '../file-identity.ts';
import { upgradeCheck } from '../schema/migrate.ts';
import type { ThreadData, WriterMessage } from './threaded-writer.ts';
import { createWriter, type EncodedOutcome, encodeOutcome } from './writer.ts';

/** How often the files are looked at although nothing is written. */
const LOOK_MS = 500;
/** For how long writes may still be acknowledged, and lost with a restart, after the file was deleted, replaced or upgraded. */
const COMMIT_LOOK_MS = 100;

/** What a look at the files of the database shows. */
interface Health {
  /** Why nothing may be written, if anything. */
  readonly problem: WriteProblem | undefined;
  /** The size of the write-ahead log. */
  readonly walBytes: number;
}

const { path, files, busyMs } = workerData as ThreadData;
let writer: ReturnType<typeof open> | undefined;
let health: Health = { problem: undefined, walBytes: 0 };
let lookedAt = Number.NEGATIVE_INFINITY;

function open() {
  const db = connect(path, { create: false, busyMs });
  try {
    makeDurable(db, path);
    const isUpgraded = upgradeCheck(db);
    if (isUpgraded()) throw notWritable('upgraded');
    // From here on, only the beginning of a transaction waits for a lock.
    db.exec('PRAGMA busy_timeout = 0');
    return {
      // The -wal file is there once a connection has used it.
      files: { ...(files as DatabaseFiles), wal: filesAt(path)?.wal },
      isUpgraded,
      commit: createWriter(db, busyMs),
      truncateWal() {
        try {
          db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        } catch {
          // What is in the log is durable. The next look tries again.
        }
      },
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Sends the main thread what has changed since the last look, in lines for the log. */
function look(): void {
  const before = health;
  health = currentHealth();
  lookedAt = performance.now();
  for (const line of healthChanges(before, health)) parentPort?.postMessage(line);
}

/** A line when a condition begins, and one when it ends. */
function healthChanges(before: Health, now: Health): string[] {
  const changes: string[] = [];
  if (now.problem !== before.problem) changes.push(`the database ${path} ${problemReport(now.problem)}`);
  const [wasLarge, isLarge] = [before, now].map(({ walBytes }) => walBytes > LARGE_WAL_BYTES);
  if (wasLarge !== isLarge)
    changes.push(
      `the write-ahead log ${walOf(path)} ${isLarge ? largeWalReport(now.walBytes) : 'is small again'}`,
    );
  return changes;
}

function problemReport(problem: WriteProblem | undefined): string {
  if (problem === undefined) return 'is back: writes are accepted again';
  if (problem === 'upgraded') return UPGRADED;
  return `was ${problem} while in use: writes are refused. Put the same file back. To use another one in its place, stop the service and first move ${walOf(path)} to another folder: its changes belong to the old file, and would damage the new one`;
}

const largeWalReport = (bytes: number): string =>
  `has ${Math.round(bytes / 1e6)} MB: it grows while a program reads the database for a long time, such as a database shell with an open transaction, or imports; end it`;

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

/** The outcome of each write; or one for all of them, because the database cannot be used and nothing was written. To open it waits for no lock. */
function handle(message: Exclude<WriterMessage, 'close'>): EncodedOutcome[] | EncodedOutcome {
  // Not before every commit, which would slow down each of them.
  if (health.problem || performance.now() - lookedAt > COMMIT_LOOK_MS) look();
  if (health.problem) return encodeOutcome({ ok: false, error: notWritable(health.problem) });
  try {
    writer ??= open();
  } catch (error) {
    return encodeOutcome({ ok: false, error: error as Error });
  }
  return message === 'open' ? [] : writer.commit(message).map(encodeOutcome);
}

setInterval(() => {
  look();
  // SQLite truncates the log only when it starts it over, which needs a write: an idle service makes none.
  if (!health.problem && health.walBytes > LARGE_WAL_BYTES) writer?.truncateWal();
}, LOOK_MS).unref();

parentPort?.on('message', (message: WriterMessage) => {
  if (message === 'close') {
    writer?.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(handle(message));
  }
});
