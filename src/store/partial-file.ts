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
import { basename, dirname, join } from 'node:path';
import { StoreError } from './store.ts';

/** What `link` reports where the file system has no hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Where the file `path` is written until it is complete. The name is always the same, so that the next run replaces what a killed one has left. */
export const partialOf = (path: string): string => join(dirname(path), `.${basename(path)}.partial`);

/** Removes the partial file, and the journal that it has while SQLite writes it. */
export function removePartial(path: string): void {
  for (const suffix of ['', '-journal']) rmSync(`${partialOf(path)}${suffix}`, { force: true });
}

/** Creates an empty file, and returns its descriptor. Without another `mode` no other account can read it, because it will contain digests of API keys. */
export function createPartial(path: string, mode = 0o600): number {
  removePartial(path);
  return openSync(partialOf(path), 'wx', mode);
}

/** Closes the partial file, and removes it unless it has got its name, or another process has begun to write one. */
export function closePartial(path: string, descriptor: number): void {
  if (isOwn(path, descriptor)) removePartial(path);
  closeSync(descriptor);
}

const isOwn = (path: string, descriptor: number): boolean =>
  statSync(partialOf(path), { throwIfNoEntry: false })?.ino === fstatSync(descriptor).ino;

interface PublishOptions {
  /** The descriptor of the partial file that `createPartial` returned. */
  readonly descriptor: number;
  /** Its access rights, unless they are those that it has. */
  readonly mode?: number;
  readonly overwrite: boolean;
}

/**
 * Gives a complete partial file its name, durably: it is on the disk before it has the name, and the name is on the disk when
 * this returns. Without `overwrite`, an existing file is never replaced.
 */
export function publish(path: string, { descriptor, mode, overwrite }: PublishOptions): void {
  const partial = partialOf(path);
  if (!isOwn(path, descriptor))
    throw new StoreError(`another process has begun to write ${path}: nothing was changed`);
  if (mode !== undefined) chmodSync(partial, mode);
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
