import { statSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { targetOf } from '../../store/database-files.ts';
import { parseDatabaseUrl } from '../../store/database-url.ts';
import { type Finding, findingsOf } from './finding.ts';

const { notice } = findingsOf('access');

/** Everything that the group and other accounts may do with a file. */
const OTHERS = 0o077;

/** Whether other accounts can read the database. New files are private; those of earlier versions stay as they were created. */
export function checkAccess({ database: url }: Config): Finding[] {
  const database = parseDatabaseUrl(url);
  if (database.kind !== 'sqlite') return [];
  const files = ['', '-wal', '-shm'].map((suffix) => targetOf(database.path) + suffix);
  const open = files.filter((file) => (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS);
  if (open.length === 0) return [];
  return [
    notice(
      `other accounts of this machine have access to ${open.join(', ')}, with the digests of the API keys`,
      `chmod 600 ${open.join(' ')}`,
    ),
  ];
}
