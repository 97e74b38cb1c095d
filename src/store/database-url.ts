import { resolve } from 'node:path';
import { StoreError } from './store.ts';

/** What a DATABASE_URL names. */
type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'memory' }
  | { readonly kind: 'postgres'; readonly url: string };

/** SQLite's name for a database that exists in memory only. */
export const MEMORY = ':memory:';

const FORMS = 'sqlite:PATH, sqlite:///ABSOLUTE/PATH, sqlite::memory: or postgres://…';

/**
 * Reads a DATABASE_URL: the only place that knows how one is written. A path is taken as it is, relative to the
 * working directory unless it begins with a slash. The StoreError it throws continues a sentence that begins with the
 * name of the setting, and never quotes more than the scheme: the invalid part may contain a password.
 */
export function parseDatabaseUrl(url: string): DatabaseLocation {
  if (/^postgres(?:ql)?:\/\/./s.test(url)) return { kind: 'postgres', url };
  if (!url.startsWith('sqlite:')) throw new StoreError(`must be ${FORMS}, not ${schemeOf(url)}`);
  const location = url.slice('sqlite:'.length);
  if (location === MEMORY) return { kind: 'memory' };
  return { kind: 'sqlite', path: pathOf(location) };
}

/** Like `parseDatabaseUrl`, but refuses a database that other processes cannot use. */
export function parseSharedUrl(url: string): Exclude<DatabaseLocation, { kind: 'memory' }> {
  const database = parseDatabaseUrl(url);
  if (database.kind === 'memory')
    throw new StoreError('a database in memory can only be used by the service itself');
  return database;
}

function pathOf(location: string): string {
  const path = location.replace(/^\/\/(?=\/)/, '');
  if (path.startsWith('//')) {
    const name = path.replace(/^\/+/, '');
    throw new StoreError(
      `must not name a host: write sqlite:${name} for a relative path or sqlite:///${name} for an absolute one`,
    );
  }
  if (path === '' || path.endsWith('/'))
    throw new StoreError('must name a file, for example sqlite:data/animal-store.db');
  if (path.includes('?'))
    throw new StoreError('must not have parameters after a ?: SQLite databases have none');
  if (path.startsWith('~'))
    throw new StoreError('must not begin with ~, which is not expanded here: write the whole path');
  if (/^(?::|file:)/.test(path)) throw new StoreError(`must be ${FORMS}`);
  return path;
}

/** As much of the URL as is safe to print. */
function schemeOf(url: string): string {
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(url)?.[0];
  return scheme === undefined ? 'a text without one of these schemes' : `"${scheme}"`;
}

/** Hosts with ports and a database. What does not look like that may be a password without its @. */
const PLACE =
  /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?(?:,(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?)*(?:\/[\w-]+)?(?=\?|$)/i;

/**
 * A database as it may be shown and logged: an SQLite file by its absolute path, PostgreSQL without user, password and
 * parameters.
 */
export function printable(url: string): string {
  const database = parseDatabaseUrl(url);
  if (database.kind === 'memory') return url;
  if (database.kind === 'sqlite') return `sqlite:${resolve(database.path)}`;
  const [scheme = '', rest = ''] = database.url.split(/:\/\/(.*)/s, 2);
  if (!rest.includes('@'))
    return `${scheme}://${(PLACE.exec(rest) ?? /^[\w.,-]+(?=[:/?]|$)/.exec(rest))?.[0] ?? '…'}`;
  return `${scheme}://${rest.split('@').at(-1)?.split('?', 1)[0]}`;
}

/** A PostgreSQL URL without its password. Only for a URL that `parseUrl` accepts: in any other, every part may belong to the password. */
export const withoutPassword = (url: string): string => url.replace(/^(\w+:\/\/[^:?]*):[^?]*@/, '$1@');
