import { dirname, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { filesOf, LARGE_WAL_BYTES, targetOf, walOf } from '../../store/database-files.ts';
import { parseDatabaseUrl } from '../../store/database-url.ts';
import { assertFolder, freeBytes, statsOf } from '../../store/file-errors.ts';
import { shellWord } from '../../store/shell-word.ts';
import { fileSize } from '../io.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, notice, problem } = findingsOf('disk');

/** Less than this is nearly full on any machine. */
const MIN_FREE_BYTES = 100e6;

/** Whether the database can grow, and another backup fits. A folder that cannot be used is reported by what uses it. */
export function checkDisk({ database: url, backupDir }: Config): Finding[] {
  const database = parseDatabaseUrl(url);
  if (database.kind !== 'sqlite') return [];
  const path = targetOf(database.path);
  const bytes = statsOf(path)?.size ?? 0;
  const findings = checkFolder('the database', dirname(path), bytes, 'writes get 503');
  if (backupDir !== undefined)
    findings.push(...checkFolder('backups', resolve(backupDir), bytes, 'no backup is written'));
  const walPath = walOf(path);
  const wal = statsOf(walPath)?.size ?? 0;
  if (wal > LARGE_WAL_BYTES)
    findings.push(
      notice(
        `${walPath} has ${fileSize(wal)}`,
        'end the program that reads the database for a long time, such as a database shell with an open transaction',
      ),
    );
  return findings;
}

function checkFolder(what: string, folder: string, bytes: number, effect: string): Finding[] {
  try {
    assertFolder(folder);
    const free = freeBytes(folder);
    const state = `${fileSize(free)} are free for ${what} in ${folder}`;
    if (free >= Math.max(MIN_FREE_BYTES, bytes)) return [ok(state)];
    return [
      problem(`only ${state}; the database has ${fileSize(bytes)}`, `make room: with a full disk, ${effect}`),
    ];
  } catch {
    return [];
  }
}

/** Everything that the group and other accounts may do with a file. */
const OTHERS = 0o077;

/** Whether other accounts can read the database. New files are private; those of earlier versions stay as they were created. */
export function checkAccess({ database: url }: Config): Finding[] {
  const database = parseDatabaseUrl(url);
  if (database.kind !== 'sqlite') return [];
  const open = filesOf(database.path).filter((file) => (statsOf(file)?.mode ?? 0) & OTHERS);
  if (open.length === 0) return [];
  return [
    findingsOf('access').notice(
      `other accounts of this machine have access to ${open.join(', ')}, with the digests of the API keys`,
      `chmod 600 ${open.map(shellWord).join(' ')}`,
    ),
  ];
}
