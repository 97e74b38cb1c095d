import { statSync } from 'node:fs';
import { walOf } from '../database-files.ts';

interface FileId {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
}

/** The files of an open database, by device and inode, because a path may later name another file. */
export interface DatabaseFiles {
  readonly database: FileId;
  /** Missing while no connection of this process has opened it: only an open connection keeps others from removing it. */
  readonly wal?: FileId | undefined;
}

/** Uses `stat` only: to open and close the file would release the locks that SQLite holds in this process. */
export function filesAt(path: string): DatabaseFiles | undefined {
  const [database, wal] = [path, walOf(path)].map(idOf);
  return database && { database, wal };
}

export type FileProblem = 'deleted' | 'replaced' | 'separated from its -wal file';

/** Why `found` is not what was opened: then writes to the opened files would be lost with a restart. Undefined if it is. */
export function fileProblem(
  opened: DatabaseFiles | undefined,
  found: DatabaseFiles | undefined,
): FileProblem | undefined {
  if (!opened || !found) return 'deleted';
  if (!isSame(opened.database, found.database)) return 'replaced';
  if (opened.wal && !(found.wal && isSame(opened.wal, found.wal))) return 'separated from its -wal file';
  return undefined;
}

const isSame = (a: FileId, b: FileId): boolean => a.ino === b.ino && a.dev === b.dev;

function idOf(path: string): FileId | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && { dev: stats.dev, ino: stats.ino, size: stats.size };
}
