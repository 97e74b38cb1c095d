import { StoreError } from '../../store.ts';
import { standbyError } from '../errors.ts';
import type { Address } from '../url.ts';
import type { ServerState, SessionState } from './settings.ts';

/**
 * Refuses a pooler between us and the server, whose process then is not the one that the connection was announced with. If
 * a pooler lends the server to another client after each transaction, settings and prepared statements end up in other
 * sessions, and answers are wrong. That cannot be seen from here with certainty, so the operator has to say that the
 * pooler does not do it.
 */
export function verifyDirect(isDirect: boolean, address: Address): void {
  if (!isDirect && !address.sessionPooler)
    throw new StoreError(
      'DATABASE_URL leads to a connection pooler such as PgBouncer: connect to PostgreSQL itself, or, if the pooler is in session mode (never in transaction mode), add the parameter pool_mode=session',
    );
}

/** Refuses a server on which a promise of the store would not hold, and one that is read-only if it `mustWrite`. */
export function verifyServer(state: ServerState, mustWrite: boolean): void {
  if (state.earlier_session) throw sharedSession();
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
  verifyRole(state, mustWrite);
}

/** Refuses a connection that no longer is what it was when it was set up. */
export function verifySession(state: SessionState, session: string, mustWrite: boolean): void {
  if (state.session !== session) throw sharedSession();
  verifyRole(state, mustWrite);
}

/** A standby may lack the latest commits of the primary, so even a read there could be stale. */
function verifyRole(
  { is_standby, is_read_only }: Pick<ServerState, 'is_standby' | 'is_read_only'>,
  mustWrite: boolean,
): void {
  if (is_standby) throw standbyError('the server is a standby, and no other server is the primary');
  if (is_read_only && mustWrite) throw standbyError('the server is read-only');
}

const sharedSession = () =>
  new StoreError(
    'DATABASE_URL leads to a connection pooler that is not in session mode: connect to PostgreSQL itself, or set pool_mode=session in the pooler',
  );
