import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { partialOf, removePartial } from '../../database-files.ts';
import { StoreError } from '../../store.ts';

/** What `link` reports where the file system has no hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Creates an empty file, and returns its descriptor. No other account can read it: it will contain digests of API keys. */
export function createPartial(path: string): number {
  removePartial(path);
  return openSync(partialOf(path), 'wx', 0o600);
}

interface PublishOptions {
  /** The descriptor of the partial file that `createPartial` returned. */
  readonly descriptor: number;
  readonly mode: number;
  readonly overwrite: boolean;
}

/**
 * Gives a complete partial file its name, durably: it is on the disk before it has the name, and the name is on the disk when
 * this returns. Without `overwrite`, an existing file is never replaced.
 */
export function publish(path: string, { descriptor, mode, overwrite }: PublishOptions): void {
  const partial = partialOf(path);
  if (statSync(partial, { throwIfNoEntry: false })?.ino !== fstatSync(descriptor).ino)
    throw new StoreError(`another process has begun to write ${path}: nothing was changed`);
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
