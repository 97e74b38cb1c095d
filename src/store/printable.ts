import { resolve } from 'node:path';
import { parseDatabaseUrl } from './database-url.ts';

/**
 * A database as it may be shown and logged: an SQLite file by its absolute path, PostgreSQL without user, password and
 * parameters.
 */
export function printable(url: string): string {
  const database = parseDatabaseUrl(url);
  if (database.kind === 'memory') return url;
  if (database.kind === 'sqlite') return `sqlite:${resolve(database.path)}`;
  const [scheme = '', rest = ''] = database.url.split(/:\/\/(.*)/s, 2);
  if (!rest.includes('@')) return `${scheme}://${/^[\w.,-]+(?=[:/?]|$)/.exec(rest)?.[0] ?? '…'}`;
  return `${scheme}://${rest.split('@').at(-1)?.split('?', 1)[0]}`;
}
