import { createDatabase, type Server } from '../support/database/postgres.ts';
import { startVersions } from '../support/database/postgres-versions.ts';
import { runSql } from '../support/database/sql.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { conformance, openOn } from './conformance.ts';

const HOSTILE = [
  "datestyle = 'SQL, DMY'",
  'array_nulls = off',
  'synchronous_commit = off',
  "timezone = 'Asia/Kolkata'",
  'intervalstyle = sql_standard',
  'client_encoding = LATIN1',
  'search_path = pg_catalog',
  'default_transaction_isolation = serializable',
  'default_transaction_deferrable = on',
  'standard_conforming_strings = off',
  'exit_on_error = on',
  'statement_timeout = 5000',
  'lock_timeout = 1',
  'idle_in_transaction_session_timeout = 1',
  'idle_session_timeout = 5000',
  'transaction_timeout = 5000',
  'extra_float_digits = -15',
  'bytea_output = escape',
  'transform_null_equals = on',
  'backslash_quote = off',
  'quote_all_identifiers = on',
  'plan_cache_mode = force_generic_plan',
];

const capabilities = { persistent: true, versioned: false, thorough: true };

for (const { name, server } of await startVersions()) {
  // Under other defaults, every guarantee that depends on one fails. Without them, it is only tested once more.
  conformance(
    `${name} with hostile defaults`,
    async (t) => openOn(t, await hostileDatabase(server)),
    capabilities,
  );
  if (LONG_RUN) conformance(name, async (t) => openOn(t, await createDatabase(server)), capabilities);
}

/** A database whose defaults, and those of its role, are as unsuitable as they can be. Its URL. */
async function hostileDatabase(server: Server): Promise<string> {
  const url = await createDatabase(server);
  const name = new URL(url).pathname.slice(1);
  const role = `owner_of_${name}`;
  const targets = [`DATABASE ${name}`, `ROLE ${role}`];
  const settings = await runSql(url, 'SELECT name FROM pg_settings');
  const known = HOSTILE.filter((setting) =>
    settings.some((one) => setting.startsWith(`${one.name.toLowerCase()} `)),
  );
  await runSql(
    url,
    `CREATE ROLE ${role} LOGIN;
    GRANT CREATE ON DATABASE ${name} TO ${role};
    ${known.map((setting, i) => `ALTER ${targets[i % 2]} SET ${setting}`).join(';')}`,
  );
  return url.replace('postgres@', `${role}@`);
}
