import { type BigIntStats, openSync, readSync, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { walOf } from '../../database-files.ts';

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
  const [database, wal] = [path, walOf(path)].map((file) =>
    idOf(statSync(file, { bigint: true, throwIfNoEntry: false })),
  );
  return database && { database, wal };
}

/** As `filesAt`, without making the event loop wait for the disk. */
export async function filesAtLater(path: string): Promise<DatabaseFiles | undefined> {
  const target = await realpath(path).catch(() => path);
  const [database, wal] = await Promise.all([path, `${target}-wal`].map(statIfExists));
  return database && { database, wal };
}

export type FileProblem = 'deleted' | 'replaced' | 'separated from its -wal file';

/** Why `found` is not what was opened, or undefined when it is. Writes to other files would be lost with a restart. */
export function fileProblem(
  opened: DatabaseFiles,
  found: DatabaseFiles | undefined,
): FileProblem | undefined {
  if (!found) return 'deleted';
  if (!isSame(opened.database, found.database)) return 'replaced';
  if (opened.wal && !(found.wal && isSame(opened.wal, found.wal))) return 'separated from its -wal file';
  return undefined;
}

const opened = new Map<string, number>();

/**
 * Whether the disk can read the beginning of the file. Keeps the file open for good: closing it would release the locks
 * that SQLite holds in this process.
 */
export function canRead(path: string): boolean {
  try {
    const file = opened.get(path) ?? openSync(path, 'r');
    opened.set(path, file);
    return readSync(file, Buffer.alloc(100), 0, 100, 0) > 0;
  } catch {
    return false;
  }
}

const isSame = (a: FileId, b: FileId): boolean => a.ino === b.ino && a.dev === b.dev;

const idOf = (stats: BigIntStats | undefined): FileId | undefined =>
  stats && { dev: stats.dev, ino: stats.ino, size: stats.size };

function statIfExists(path: string): Promise<FileId | undefined> {
  return stat(path, { bigint: true }).then(idOf, (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}
