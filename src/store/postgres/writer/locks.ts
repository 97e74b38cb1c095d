import type { Statement } from '../pool/connection.ts';
import { BEGIN } from '../transaction.ts';

/**
 * Every transaction that changes something takes its locks in this order, so that none waits for another in a circle: migrations, categories,
 * animals and removed animals in the order of their ids, idempotency keys, and last the numbers of events. A writer waits only for the first and the last.
 */

/** "ANSM": shared by every write from its begin to its commit. A step of a migration has it alone, so that it finds no table in use by a write. */
const MIGRATION = 0x414e534d;
const SHARE_MIGRATION = `SELECT pg_advisory_xact_lock_shared(${MIGRATION})`;
export const LOCK_MIGRATION = `SELECT pg_advisory_xact_lock(${MIGRATION})`;

/** "ANSC": held while categories are created, renamed or removed, so that names and identifiers are decided one after the other. */
const CATEGORIES = 0x414e5343;
export const LOCK_CATEGORIES = `SELECT pg_advisory_xact_lock(${CATEGORIES})`;
export const TRY_LOCK_CATEGORIES = `SELECT pg_try_advisory_xact_lock(${CATEGORIES})`;

/**
 * Locks idempotency keys, given as arrays `@owners` and `@keys`, and returns those that another transaction holds: a request with the same key is
 * being decided there. To insert such a key would wait for that transaction, and then fail.
 */
export const TRY_LOCK_KEYS = `
  SELECT owner, key FROM unnest(@owners, @keys) AS given (owner, key)
  WHERE NOT pg_try_advisory_xact_lock(hashtextextended(concat(owner, E'\\n', key), 0))`;

/**
 * "ANSE": held from the moment in which events get their numbers until the commit. So the numbers are in the order of the commits, without a
 * gap, and a reader that follows them misses nothing. What reads the greatest number must be a statement of its own after this one: a
 * statement sees only what was committed before it began.
 */
export const LOCK_EVENTS = `SELECT pg_advisory_xact_lock(${0x414e5345})`;

/** How long a batch waits for a lock. */
export const WRITE_LOCK_MS = 1000;

/**
 * Begins the transaction of a batch, and locks the events. If `lockMs` is given, the batch gives up other locks after that time, also those that it
 * still takes while it has the lock on the events, for which every instance waits.
 */
export const beginText = (lockMs?: number): string =>
  `${BEGIN}; ${lockMs === undefined ? '' : `${lockTimeout(lockMs)};`} ${SHARE_MIGRATION}`;
export const lockEvents = (lockMs?: number): Statement =>
  lockMs === undefined
    ? { text: LOCK_EVENTS, values: [] }
    : { text: `${lockTimeout(WRITE_LOCK_MS)}; ${LOCK_EVENTS}; ${lockTimeout(lockMs)}` };

const lockTimeout = (ms: number): string => `SET LOCAL lock_timeout TO ${ms}`;

/** The number of the last event, as an SQL expression, under that lock. The newest event is never deleted. */
export const LAST_EVENT = '(SELECT coalesce(max(id), 0) FROM events)';

/**
 * Whether no other instance maintains this table at the moment, as an SQL condition. Then none does until the transaction has ended; otherwise
 * there is nothing to do.
 */
export const isAlone = (table: string): string =>
  `(SELECT pg_try_advisory_xact_lock('${table}'::regclass::int, 0))`;
