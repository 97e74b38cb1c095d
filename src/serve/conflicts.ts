import type { Config } from '../config.ts';
import { parseDatabaseUrl } from '../store/database-url.ts';

/** What is wrong with settings that are each valid, but not together. The service does not start with them. */
export function conflictsIn({ database, reusePort, backupDir }: Config) {
  const { kind } = parseDatabaseUrl(database);
  const found: { readonly problem: string; readonly remedy: string }[] = [];
  if (reusePort && kind === 'memory')
    found.push({
      problem: 'a database in memory exists in one process only',
      remedy: 'leave out --reuse-port (REUSE_PORT), or name a file with --database',
    });
  if (backupDir !== undefined && kind !== 'sqlite')
    found.push({
      problem: '--backup-dir works with SQLite files only',
      remedy: 'leave it out (BACKUP_DIR); for PostgreSQL, schedule pg_dump as docs/backups.md says',
    });
  return found;
}
