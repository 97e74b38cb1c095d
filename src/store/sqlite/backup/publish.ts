import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../store.ts';

/** What `link` reports where the file system has no hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

interface PublishOptions {
  /** The partial file, open: closing it would release the lock of its SQLite connection. */
  readonly descriptor: number;
  readonly mode: number;
  readonly overwrite: boolean;
}

/**
 * Gives a complete file its name, durably: it is on the disk before it has the name, and the name is on the disk when this
 * returns. Without `overwrite`, an existing file is never replaced.
 */
export function publish(
  partial: string,
  path: string,
  { descriptor, mode, overwrite }: PublishOptions,
): void {
  chmodSync(partial, mode);
  fsyncSync(descriptor);
  if (overwrite) renameSync(partial, path);
  else renameToNew(partial, path);
  syncFolder(dirname(path));
}

/** `rename` would replace a file that another process has just created; `link` fails instead. */
function renameToNew(partial: string, path: string): void {
  try {
    linkSync(partial, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || (NO_LINKS.includes(code) && existsSync(path)))
      throw new StoreError(`${path} was created by another process meanwhile: nothing was changed`);
    if (!NO_LINKS.includes(code)) throw error;
    renameSync(partial, path);
    return;
  }
  rmSync(partial);
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
