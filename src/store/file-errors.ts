import { accessSync, constants, readFileSync, type Stats, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { targetOf } from './database-files.ts';
import { shellWord } from './shell-word.ts';
import { StoreError, StoreUnavailableError } from './store.ts';

const { R_OK, W_OK, X_OK } = constants;

/** What the system reports for missing rights, and SQLite by its primary result codes: READONLY and CANTOPEN. */
const RIGHTS = ['EACCES', 'EPERM', 'EROFS', 8, 14];
/** The same for a disk that is full or fails: IOERR and FULL. */
const DISK = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 10, 13];
/** With less than this, there is no room for the log of a database. */
const FULL_BYTES = 1e6;

/** The primary result code of SQLite; 0 for another error. */
export const primaryCode = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

export const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/**
 * The one line for a file that cannot be used: what this account may not do and as whom to run the command, that its disk is full, or what else
 * the system says. `files` were used, in one folder; without them, they are those that the error names. Any other error is returned as it is.
 */
export function fileError(error: unknown, files?: readonly string[]): Error {
  const { code, path, dest, errno, syscall } = error as NodeJS.ErrnoException & { dest?: string };
  const [file = dest ?? path] = files ?? [];
  const reason = primaryCode(error) || code;
  if (error instanceof StoreError || reason === undefined || file === undefined) return error as Error;
  if (code === 'EISDIR' || (reason === 14 && isFolder(file)))
    return new StoreError(`${path ?? file} is a folder: name a file in it`, { cause: error });
  if (DISK.includes(reason)) return new StoreUnavailableError(diskProblem(file), { cause: error });
  if (RIGHTS.includes(reason)) {
    const denied = mayNot(files ?? [file]);
    if (denied === undefined && typeof reason === 'number')
      return new StoreUnavailableError(diskProblem(file), { cause: error });
    return new StoreError(denied ?? `${account()} may not use ${dest ?? file}`, { cause: error });
  }
  if (errno === undefined) return error as Error;
  const what =
    code === 'ENOENT' && !isFolder(dirname(targetOf(file)))
      ? diskProblem(file)
      : (mayNot([file]) ?? `cannot use ${file}: ${getSystemErrorMessage(errno)} (${syscall})`);
  return new StoreError(what, { cause: error });
}

/** Throws unless this account may read and write these files of one folder, as far as they exist, and create others beside them. */
export function assertMayWrite(files: readonly string[]): void {
  const denied = mayNot(files);
  if (denied !== undefined) throw new StoreError(denied);
}

/** Throws unless there is this folder. Nothing creates it: it may be missing because its disk is not mounted. */
export function assertFolder(path: string): void {
  const folder = resolve(path);
  try {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (!stats) throw new StoreError(`there is no folder ${folder}: create it, or mount its disk`);
    if (!stats.isDirectory()) throw new StoreError(`${folder} is not a folder: name one`);
  } catch (error) {
    throw fileError(error);
  }
}

/** The first thing on the way to the files that this account may not do, and what to do about it. */
function mayNot(given: readonly string[]): string | undefined {
  const files = given.map(targetOf);
  const folders: string[] = [];
  for (let path = dirname(files[0] ?? ''); folders[0] !== path; path = dirname(path)) folders.unshift(path);
  const existing = folders.findLast((folder) => refusal(folder, constants.F_OK) === undefined) ?? '/';
  if (!isFolder(existing)) return `there can be no ${files[0]}: ${existing} is not a folder`;
  const needs: (readonly [what: string, paths: readonly string[], mode: number])[] = [
    ...folders.map((folder) => ['enter', [folder], X_OK] as const),
    ['read', files, R_OK],
    ['write', files, W_OK],
    ['write to', [existing], W_OK],
  ];
  for (const [what, paths, mode] of needs) {
    const denied = paths.filter((path) => RIGHTS.includes(refusal(path, mode) ?? ''));
    const [first] = denied;
    if (first === undefined) continue;
    const why = refusal(first, mode) === 'EROFS' ? READ_ONLY : remedy(denied, statsOf(first), mode);
    return `${account()} may not ${what} ${denied.join(', ')}${why}`;
  }
  return undefined;
}

const READ_ONLY =
  ', because its disk is mounted read-only: mount it for writing; systemd does that for a folder in ReadWritePaths= of the unit';

function refusal(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/** Nothing for a file whose rights are not the reason, such as one that was made immutable. `stats` are those of the first. */
function remedy(paths: readonly string[], stats: Stats | undefined, mode: number): string {
  if (!stats) return '';
  const me = process.geteuid?.();
  const names = paths.map(shellWord).join(' ');
  if (stats.uid === me)
    return stats.mode & (mode << 6) ? '' : `: chmod u+rw${stats.isDirectory() ? 'x' : ''} ${names}`;
  const owner = nameOf(stats.uid);
  const belongs = `, which belongs to ${owner}`;
  if (me !== undefined && statsOf(dirname(paths[0] ?? ''))?.uid === me)
    return `${belongs}: sudo chown ${shellWord(nameOf(me))} ${names}`;
  if (stats.uid === 0)
    return `${belongs}: name one that this account may use, or, unless it is the service, run it as root, for example with sudo`;
  return `${belongs}: run it as ${owner}, for example with sudo --preserve-env=DATABASE_URL -u ${shellWord(owner)}`;
}

const account = (): string => `this account (${nameOf(process.geteuid?.() ?? 0)})`;

/** As `sudo -u` takes it: the number of an account without a name follows a `#`. */
function nameOf(uid: number): string {
  const accounts = statsOf('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
  return new RegExp(`^([^:]+):[^:]*:${uid}:`, 'm').exec(accounts)?.[1] ?? `#${uid}`;
}

/** The disk is looked at before a message is chosen; so is the one where SQLite keeps temporary files. */
function diskProblem(file: string): string {
  const { SQLITE_TMPDIR, TMPDIR } = process.env;
  const parent = dirname(targetOf(file));
  if (!isFolder(parent)) return `there is no folder ${parent}: create it, or mount its disk`;
  for (const folder of [dirname(resolve(file)), SQLITE_TMPDIR ?? TMPDIR ?? '/var/tmp'])
    try {
      const free = freeBytes(folder);
      if (free < FULL_BYTES)
        return `the disk of ${folder} is full, ${Math.round(free / 1000)} kB are free: make room on it`;
    } catch {}
  return (
    mayNot([file]) ??
    `${file} cannot be read or written, although its disk has room: look for a quota, a limit of the number or the size of files (df -i, ulimit -f), or errors of the disk (dmesg)`
  );
}

/** Undefined for what does not exist or cannot be looked at. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() === true;
