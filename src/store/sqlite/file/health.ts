import { LARGE_WAL_BYTES, walOf } from '../../database-files.ts';
import { UPGRADED } from '../../migrations.ts';
import type { WriteProblem } from '../errors.ts';

/** What the writer thread sees when it looks at the files of its database. */
export interface Health {
  /** Why nothing may be written, if anything. */
  readonly problem: WriteProblem | undefined;
  /** The size of the write-ahead log. */
  readonly walBytes: number;
}

/** What has changed, for the log: a line when a condition begins, and one when it ends. */
export function healthChanges(path: string, before: Health, now: Health): string[] {
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
  return `was ${problem} while in use: writes are refused. Put the same file back, or restart the service to use the file that is there now`;
}

const largeWalReport = (bytes: number): string =>
  `has ${Math.round(bytes / 1e6)} MB: it grows while a program reads the database for a long time, such as a database shell with an open transaction, or imports; end it`;
