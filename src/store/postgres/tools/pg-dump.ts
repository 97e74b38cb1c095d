import { parseUrl } from '../url.ts';

/** Parameters of the URL that the tools need as well. None of them is a secret. */
const KEPT = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'target_session_attrs'];
const PLAIN = /^[\w@%+=:,./-]+$/;

/** Which commands of PostgreSQL back up and restore the database. They contain no password. */
export function toolsFor(url: string) {
  const name = quote(withoutPassword(url));
  const hint = 'with the password in PGPASSWORD or ~/.pgpass';
  const dump = (file: string): string =>
    `pg_dump --format=custom --schema=animal_store --file=${quote(file)} --dbname=${name}`;
  return {
    dump,
    dumpCommand: (file: string): string => `PostgreSQL is backed up by its own tool, ${hint}: ${dump(file)}`,
    restoreCommand: (file: string): string =>
      `PostgreSQL is restored by its own tool, into a database without the schema animal_store, ${hint}: pg_restore --exit-on-error --single-transaction --dbname=${name} ${quote(file)}`,
  };
}

/** Of a URL that `parseUrl` accepts: the user, hosts, database and parameters as they are written, and nothing else. */
function withoutPassword(url: string): string {
  parseUrl(url);
  const [base = '', query = ''] = url.split(/\?(.*)/s, 2);
  const [, credentials, rest] = /^\w+:\/\/(?:(.*)@)?([^@]*)$/s.exec(base) ?? [];
  const user = credentials === undefined ? '' : `${credentials.split(':', 1)[0]}@`;
  const parameters = [...new URLSearchParams(query)].filter(([name]) => KEPT.includes(name));
  return `postgres://${user}${rest}${parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`}`;
}

/** As a shell takes it literally. */
const quote = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
