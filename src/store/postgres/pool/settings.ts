import { StoreError } from '../../store.ts';
import { standbyError } from '../errors.ts';
import type { Address } from '../url.ts';

/** How long the server works for one statement. 0 means without a limit. */
export interface Timeouts {
  readonly statementMs: number;
  readonly lockMs: number;
}

/**
 * Every setting on which the meaning of a statement, a value or an acknowledgement depends. They are set on each connection,
 * because the server takes the defaults from its configuration, the database and the role, and anyone may change those
 * while the service runs.
 */
const FIXED = {
  client_encoding: 'UTF8',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  search_path: 'animal_store',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  // An error must not end the connection: then a refused write would have an unknown outcome.
  exit_on_error: 'off',
  // The warning that a commit may not be on the standby must arrive, and nothing less.
  client_min_messages: 'warning',
};

/**
 * For calls with a time limit, each of which reads ranges of indexes: the plan of a statement is made once, when a table may be empty, and used when it has
 * millions of rows. So it never reads a whole table, nor a whole range to sort it, and does not depend on the values of the first calls.
 */
export const INDEXES_ONLY = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
};

/** Settings that servers before version 14 or 17 do not know. Zero means without a limit. */
const ZERO_IF_KNOWN = ['idle_session_timeout', 'transaction_timeout'];

/** The name of a setting of our own that tells sessions apart. */
const SESSION = 'animal_store.session';
/** Its value in a process of the server that is new, or was reset. */
export const NEW_SESSION = '';

/** What a connection says about itself and its server, when it is set up and then at intervals. */
export interface ServerState {
  /** The session that was set up last in this process of the server. */
  readonly session: string | null;
  readonly is_standby: boolean;
  readonly is_read_only: boolean;
  readonly encoding: string;
  readonly fsync: string;
  readonly session_replication_role: string;
}

export const SERVER_STATE = `
  SELECT current_setting('${SESSION}', true) AS session, pg_is_in_recovery() AS is_standby,
    current_setting('transaction_read_only') = 'on' AS is_read_only,
    current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
    current_setting('session_replication_role') AS session_replication_role`;

/** One statement that returns the ServerState as it was before, and then applies the settings. */
export function setUpStatement(session: string, { statementMs, lockMs }: Timeouts): string {
  const settings = {
    ...FIXED,
    ...(statementMs > 0 && INDEXES_ONLY),
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: statementMs,
    [SESSION]: session,
  };
  return `${SERVER_STATE},
      ${Object.entries(settings)
        .map(([name, value]) => `set_config('${name}', '${value}', false)`)
        .join(', ')},
      ${ZERO_IF_KNOWN.map((name) => `CASE WHEN current_setting('${name}', true) IS NOT NULL THEN set_config('${name}', '0', false) END`).join(', ')},
      ${durableCommit()}`;
}

/** A commit is acknowledged when it is on disk, and on the synchronous standby if there is one; or later, if so configured. */
function durableCommit(): string {
  const current = `current_setting('synchronous_commit')`;
  return `set_config('synchronous_commit', CASE WHEN ${current} IN ('off', 'local') THEN 'on' ELSE ${current} END, false)`;
}

/**
 * Refuses a pooler between us and the server, whose process then is not the one that the connection was announced with. If
 * a pooler lends the server to another client after each transaction, settings and prepared statements end up in other
 * sessions, and answers are wrong. That cannot be seen from here with certainty, so the operator has to say that the
 * pooler does not do it.
 */
export function verifyDirect(isDirect: boolean, address: Address): void {
  if (!isDirect && !address.sessionPooler)
    throw new StoreError(
      'the database URL leads to a connection pooler such as PgBouncer: connect to PostgreSQL itself, or, if the pooler is in session mode (never in transaction mode), add the parameter pool_mode=session',
    );
}

/**
 * Refuses a connection that is not in this session, a server on which a promise of the store would not hold, and one that is read-only if
 * it `mustWrite`. A standby may lack the latest commits of the primary, so even a read there could be stale.
 */
export function verifyServer(state: ServerState, session: string, mustWrite: boolean): void {
  if ((state.session ?? NEW_SESSION) !== session)
    throw new StoreError(
      'the database URL leads to a connection pooler that is not in session mode: connect to PostgreSQL itself, or set pool_mode=session in the pooler',
    );
  if (state.encoding !== 'UTF8')
    throw new StoreError(
      `the database has the encoding ${state.encoding}, which cannot store every name: create it with ENCODING 'UTF8' TEMPLATE template0`,
    );
  if (state.fsync === 'off')
    throw new StoreError('the database acknowledges writes before they are on disk: set fsync to on');
  if (state.session_replication_role !== 'origin')
    throw new StoreError(
      'the database does not run the triggers of its tables: set session_replication_role to origin',
    );
  if (state.is_standby) throw standbyError('the server is a standby, and no primary was reached');
  if (state.is_read_only && mustWrite) throw standbyError('the server is read-only');
}
