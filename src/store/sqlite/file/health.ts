import { ApiError } from '../../../contract/errors.ts';
import { LARGE_WAL_BYTES, walOf } from '../../database-files.ts';
import { UPGRADED } from '../../migrations.ts';
import { fromSqliteError, isDamage, notWritable, readFailed, type WriteProblem } from '../errors.ts';
import { canRead, type DatabaseFiles, fileProblem, filesAtLater } from './file-identity.ts';

const CHECK_MS = 500;
/** Damage shows only when the damaged page is read, so that a probe may miss it: it is remembered for this long. */
const REMEMBER_DAMAGE_MS = 60_000;

export type Report = (message: string) => void;

/** The files of a database that was opened, and whether a newer version of the program has upgraded it since. */
interface OpenedDatabase {
  readonly files: DatabaseFiles | undefined;
  isUpgraded(): boolean;
}

/**
 * What is known to be wrong with the database: its file was deleted or replaced, it was upgraded, its content is damaged, or its
 * write-ahead log is large. Each condition is reported once when it begins, and all but damage once more when it ends.
 */
export class Health {
  readonly #path: string;
  readonly #report: Report;
  readonly #timer: NodeJS.Timeout | undefined;
  #problem: WriteProblem | undefined;
  /** The size of the write-ahead log when the files were last checked. */
  walBytes = 0;
  #damage: { readonly cause: unknown; readonly seenAt: number } | undefined;

  /**
   * Checks the files twice a second, unless the database is in memory, so that a loss is reported although nothing is written.
   * The writer thread does not depend on it: it checks them before it commits, also for other processes.
   */
  constructor(path: string, opened: OpenedDatabase | undefined, report: Report) {
    this.#path = path;
    this.#report = report;
    if (opened) this.#timer = setInterval(() => void this.#check(opened), CHECK_MS).unref();
  }

  /** The error for a write that would be lost. */
  get writeRefusal(): ApiError | undefined {
    return this.#problem === undefined ? undefined : notWritable(this.#problem);
  }

  /** Throws while anything is known to be wrong. */
  assertHealthy(): void {
    if (this.writeRefusal) throw this.writeRefusal;
    if (!this.#damage || performance.now() - this.#damage.seenAt > REMEMBER_DAMAGE_MS) return;
    throw new ApiError('unavailable', 'The database is damaged.', { cause: this.#damage.cause });
  }

  /**
   * The error to respond with when a read or write has failed. Damage is remembered, unless it turns out to be a disk
   * that failed to read: then `retry` succeeds, or no part of the file can be read.
   */
  errorOf(error: unknown, retry?: () => unknown): Error {
    if (isDamage(error)) {
      if ((retry && succeeds(retry)) || !canRead(this.#path)) return readFailed(error);
      this.#noteDamage(error);
    }
    return fromSqliteError(error);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #noteDamage(error: unknown): void {
    const now = performance.now();
    if (!this.#damage || now - this.#damage.seenAt > REMEMBER_DAMAGE_MS) {
      this.#report(
        `the database ${this.#path} is damaged (${(error as Error).message}): stop the service and restore a backup`,
      );
    }
    this.#damage = { cause: error, seenAt: now };
  }

  #noteWal(bytes: number): void {
    const [was, is] = [this.walBytes, bytes].map((size) => size > LARGE_WAL_BYTES);
    this.walBytes = bytes;
    if (was === is) return;
    const wal = `the write-ahead log ${walOf(this.#path)}`;
    this.#report(
      is
        ? `${wal} has ${Math.round(bytes / 1e6)} MB: it grows while a program reads the database for a long time, such as a database shell with an open transaction, or imports; end it`
        : `${wal} is small again`,
    );
  }

  async #check({ files, isUpgraded }: OpenedDatabase): Promise<void> {
    // A disk that fails to answer says nothing about the identity of the file.
    const found = await filesAtLater(this.#path).catch(() => files);
    this.#noteWal(Number(found?.wal?.size ?? 0n));
    const problem = (files && fileProblem(files, found)) ?? (isUpgraded() ? 'upgraded' : undefined);
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#report(`the database ${this.#path} ${reportOf(problem)}`);
  }
}

function reportOf(problem: WriteProblem | undefined): string {
  if (problem === undefined) return 'is back: writes are accepted again';
  if (problem === 'upgraded') return UPGRADED;
  return `was ${problem} while in use: writes are refused. Put the same file back, or restart the service to use the file that is there now`;
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}
