import { parseUrl } from './url.ts';

/** Parameters of the URL that the tools need as well. None of them is a secret. */
const KEPT = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'target_session_attrs'];
const PLAIN = /^[\w@%+=:,./-]+$/;

/** Which commands of PostgreSQL back up and restore the database. They contain no password. */
export function toolsFor(url: string) {
  const name = quote(withoutPassword(url));
  const hint = 'with the password in PGPASSWORD or ~/.pgpass';
  return {
    dumpCommand: (file: string): string =>
      `PostgreSQL is backed up by its own tool, ${hint}: pg_dump --format=custom --schema=animal_store --file=${quote(file)} --dbname=${name}`,
    restoreCommand: (file: string): string =>
      `PostgreSQL is restored by its own tool, into a database without the schema animal_store, ${hint}: pg_restore --exit-on-error --single-transaction --dbname=${name} ${quote(file)}`,
  };
}

function withoutPassword(url: string): string {
  const { host, port, user, database } = parseUrl(url);
  const hosts = host.map((name, i) => `${name.includes(':') ? `[${name}]` : name}:${port[i]}`).join(',');
  const parameters = [...new URLSearchParams(url.split(/\?(.*)/s, 2)[1])].filter(([key]) =>
    KEPT.includes(key),
  );
  const query = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`;
  const account = user === undefined ? '' : `${encodeURIComponent(user)}@`;
  return `postgres://${account}${hosts}/${encodeURIComponent(database ?? '')}${query}`;
}

/** As a shell takes it literally. */
const quote = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
