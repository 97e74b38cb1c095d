import { type StatsFs, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { filesOf, LARGE_WAL_BYTES, targetOf, walOf } from '../../store/database-files.ts';
import { parseDatabaseUrl } from '../../store/database-url.ts';
import { shellWord } from '../../store/shell-word.ts';
import { fileSize } from '../io.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, notice, problem } = findingsOf('disk');

/** Less than this is nearly full on any machine. */
const MIN_FREE_BYTES = 100e6;

/** Whether the database can grow, and another backup fits. */
export function checkDisk({ database: url, backupDir }: Config, bytes: number): Finding[] {
  const database = parseDatabaseUrl(url);
  if (database.kind !== 'sqlite') return [];
  const folders = {
    'the database': dirname(targetOf(database.path)),
    // `checkBackups` reports a path that is not a folder.
    ...(backupDir && !isOther(backupDir) && { backups: resolve(backupDir) }),
  };
  const findings = Object.entries(folders).map(([what, folder]) => checkFolder(what, folder, bytes));
  const walPath = walOf(database.path);
  const wal = statSync(walPath, { throwIfNoEntry: false })?.size ?? 0;
  if (wal > LARGE_WAL_BYTES)
    findings.push(
      notice(
        `${walPath} has ${fileSize(wal)}`,
        'end the program that reads the database for a long time, such as a database shell with an open transaction',
      ),
    );
  return findings;
}

function checkFolder(what: string, folder: string, bytes: number): Finding {
  const stats = statfsOf(folder);
  if (!stats) return problem(`there is no folder ${folder} for ${what}`, 'create it, or mount its disk');
  const free = stats.bavail * stats.bsize;
  const state = `${fileSize(free)} are free for ${what} in ${folder}`;
  if (free >= Math.max(MIN_FREE_BYTES, bytes)) return ok(state);
  return problem(
    `only ${state}; the database has ${fileSize(bytes)}`,
    'make room: with a full disk, writes get 503',
  );
}

/** Whether something exists there that is not a folder. */
const isOther = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;

function statfsOf(folder: string): StatsFs | undefined {
  try {
    return statfsSync(folder);
  } catch {
    return undefined;
  }
}

/** Everything that the group and other accounts may do with a file. */
const OTHERS = 0o077;

/** Whether other accounts can read the database. New files are private; those of earlier versions stay as they were created. */
export function checkAccess({ database: url }: Config): Finding[] {
  const database = parseDatabaseUrl(url);
  if (database.kind !== 'sqlite') return [];
  const open = filesOf(database.path).filter(
    (file) => (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS,
  );
  if (open.length === 0) return [];
  return [
    findingsOf('access').notice(
      `other accounts of this machine have access to ${open.join(', ')}, with the digests of the API keys`,
      `chmod 600 ${open.map(shellWord).join(' ')}`,
    ),
  ];
}
