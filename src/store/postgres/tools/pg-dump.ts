import { withoutPassword } from '../../database-url.ts';
import { shellWord } from '../../shell-word.ts';
import { parseUrl } from '../url.ts';

/** Parameters of the URL that the tools need as well. None of them is a secret. */
const KEPT = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'target_session_attrs'];

/** Which commands of PostgreSQL back up and restore the database. They contain no password. */
export function toolsFor(url: string) {
  const name = shellWord(nameFor(url));
  const hint = 'with the password in PGPASSWORD or ~/.pgpass';
  const dump = (file: string): string =>
    `pg_dump --format=custom --schema=animal_store --file=${shellWord(file)} --dbname=${name}`;
  return {
    dump,
    dumpCommand: (file: string): string => `PostgreSQL is backed up by its own tool, ${hint}: ${dump(file)}`,
    restoreCommand: (file: string): string =>
      `PostgreSQL is restored by its own tool, into a database without the schema animal_store, ${hint}: pg_restore --exit-on-error --single-transaction --dbname=${name} ${shellWord(file.replace(/^-/, './-'))}`,
  };
}

/** The URL as the tools know it, without the password. Throws for one that `parseUrl` does not accept. */
function nameFor(url: string): string {
  parseUrl(url);
  const [base = '', query = ''] = withoutPassword(url).split(/\?(.*)/s, 2);
  const parameters = [...new URLSearchParams(query)].filter(([name]) => KEPT.includes(name));
  return parameters.length === 0 ? base : `${base}?${new URLSearchParams(parameters)}`;
}
