import { ApiError } from '../../../contract/errors.ts';
import { fromSqliteError, isDamage, notWritable, readFailed } from '../errors.ts';
import { canRead, type DatabaseFiles, fileProblem, filesAtLater } from './file-identity.ts';

const CHECK_MS = 500;
/** Damage shows only when the damaged page is read, so that a probe may miss it: it is remembered for this long. */
const REMEMBER_DAMAGE_MS = 60_000;

export type Report = (message: string) => void;

/**
 * What is known to be wrong with the database: its file was deleted or replaced, or its content is damaged. Each
 * condition is reported once when it begins, and a file problem once more when it ends.
 */
export class Health {
  readonly #path: string;
  readonly #report: Report;
  readonly #timer: NodeJS.Timeout | undefined;
  #fileProblem: string | undefined;
  #damage: { readonly cause: unknown; readonly seenAt: number } | undefined;

  /** Checks the files twice a second, unless the database is in memory. */
  constructor(path: string, opened: DatabaseFiles | undefined, report: Report) {
    this.#path = path;
    this.#report = report;
    if (opened) this.#timer = setInterval(() => void this.#checkFiles(opened), CHECK_MS).unref();
  }

  /** The error for a write that would be lost. */
  get writeRefusal(): ApiError | undefined {
    return this.#fileProblem === undefined ? undefined : notWritable(this.#fileProblem);
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

  async #checkFiles(opened: DatabaseFiles): Promise<void> {
    // A disk that fails to answer says nothing about the identity of the file.
    const found = await filesAtLater(this.#path).catch(() => opened);
    const problem = fileProblem(opened, found);
    if (problem === this.#fileProblem) return;
    this.#fileProblem = problem;
    this.#report(
      problem === undefined
        ? `the database ${this.#path} is back: writes are accepted again`
        : `the database ${this.#path} was ${problem} while in use: writes are refused. Put the same file back, or restart the service to use the file that is there now`,
    );
  }
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}
