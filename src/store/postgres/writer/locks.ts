/**
 * Every transaction that changes something takes its locks in this order, so that none waits for another in a circle: migrations, categories,
 * animals, removed animals and orders in the order of their ids, and last the numbers of events. A writer waits only for the first and the last.
 */

/** "ANSM": shared by every write from its begin to its commit. A step of a migration has it alone, so that it finds no table in use by a write. */
const MIGRATION = 0x414e534d;
export const SHARE_MIGRATION = `SELECT pg_advisory_xact_lock_shared(${MIGRATION})`;
export const LOCK_MIGRATION = `SELECT pg_advisory_xact_lock(${MIGRATION})`;

/** "ANSC": held while categories are created, renamed or removed, so that names and identifiers are decided one after the other. */
const CATEGORIES = 0x414e5343;
export const LOCK_CATEGORIES = `SELECT pg_advisory_xact_lock(${CATEGORIES})`;
export const TRY_LOCK_CATEGORIES = `SELECT pg_try_advisory_xact_lock(${CATEGORIES}) AS locked`;

/**
 * "ANSE": held from the moment in which events get their numbers until the commit. So the numbers are in the order of the commits, without a
 * gap, and a reader that follows them misses nothing. What reads the greatest number must be a statement of its own after this one: a
 * statement sees only what was committed before it began.
 */
export const LOCK_EVENTS = `SELECT pg_advisory_xact_lock(${0x414e5345})`;

/** The number of the last event, as an SQL expression, under that lock. The newest event is never deleted. */
export const LAST_EVENT = '(SELECT coalesce(max(id), 0) FROM events)';

/**
 * Whether no other instance maintains this table at the moment, as an SQL condition. Then none does until the transaction has ended; otherwise
 * there is nothing to do.
 */
export const isAlone = (table: string): string =>
  `(SELECT pg_try_advisory_xact_lock('${table}'::regclass::int, 0))`;
