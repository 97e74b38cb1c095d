import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ApiError, type ErrorCode } from '../../../contract/errors.ts';
import type { Outcome } from '../../batcher.ts';
import { categoryActions } from '../categories.ts';
import { writeStatement } from '../connection.ts';
import { fromSqliteError, isDamage, unknownOutcome } from '../errors.ts';
import { eventActions, eventRecorder } from '../events.ts';
import { createIdempotency } from '../idempotency.ts';
import { keyActions } from '../keys.ts';
import { orderActions } from '../orders.ts';
import { petActions } from '../pets.ts';
import { removedPetActions } from '../removed-pets.ts';
import { createProbe } from './probe.ts';

/** One call of an action, as it is sent to the writer. */
export type Write = { [M in keyof Actions]: { method: M; args: Parameters<Actions[M]> } }[keyof Actions];

/**
 * Whether it writes nothing before it refuses, so that only a failing disk can leave a part of it behind: that is undone with the whole
 * batch. A savepoint would add a fifth to its cost.
 */
const refusesFirst = ({ method, args }: Write): boolean =>
  method === 'updatePet' || (method === 'createPet' && args[1] === undefined);

/** Commits a batch of writes in one transaction. A write that fails is rolled back alone; the others are committed. */
export function createWriter(db: DatabaseSync): (writes: readonly Write[]) => Outcome<unknown>[] {
  const actions = createActions(db);
  // Prepared once: to compile these short statements takes longer than to run them.
  const [begin, commit, savepoint, release] = [
    'BEGIN IMMEDIATE',
    'COMMIT',
    'SAVEPOINT one_write',
    'RELEASE one_write',
  ].map((sql) => writeStatement(db, sql)) as [StatementSync, StatementSync, StatementSync, StatementSync];

  function attempt(write: Write, isFirstTry: boolean): Outcome<unknown> {
    const { method, args } = write;
    const needsSavepoint = !isFirstTry || !refusesFirst(write);
    if (needsSavepoint) savepoint.run();
    try {
      const value = (actions[method] as (...args: unknown[]) => unknown)(...args);
      if (needsSavepoint) release.run();
      return { ok: true, value };
    } catch (error) {
      // A full or failing disk can make SQLite roll back the whole transaction: then every write of it has failed.
      if (!db.isTransaction) throw error;
      if (needsSavepoint) db.exec('ROLLBACK TO one_write; RELEASE one_write');
      // A part of it may have been written: the batch has to be repeated.
      else if (!(error instanceof ApiError)) throw error;
      return { ok: false, error: fromSqliteError(error) };
    }
  }

  function run(writes: readonly Write[], isFirstTry: boolean): Outcome<unknown>[] {
    begin.run();
    const outcomes = writes.map((write) => attempt(write, isFirstTry));
    const damaged = outcomes.find((outcome) => !outcome.ok && isDamage(outcome.error));
    if (isFirstTry && damaged && !damaged.ok) throw damaged.error;
    return outcomes;
  }

  /**
   * Repeats the whole transaction, with a savepoint for each write, if one may have been written in part. What looks like damage may be
   * a disk that failed to read once; then it has to be repeated as well.
   */
  function runAgainIfNeeded(writes: readonly Write[]): Outcome<unknown>[] {
    try {
      return run(writes, true);
    } catch (error) {
      // It never began, or SQLite has rolled it back.
      if (!db.isTransaction && !isDamage(error)) throw error;
      rollBack();
      return run(writes, false);
    }
  }

  function rollBack(): void {
    if (db.isTransaction) db.exec('ROLLBACK');
  }

  return (writes) => {
    let outcomes: Outcome<unknown>[] | undefined;
    try {
      outcomes = runAgainIfNeeded(writes);
      commit.run();
      return outcomes;
    } catch (error) {
      rollBack();
      const failure = outcomes && !isDamage(error) ? unknownOutcome(error) : fromSqliteError(error);
      return writes.map(() => ({ ok: false, error: failure }));
    }
  };
}

/** Every change the store can make, each to be called inside a transaction. */
export type Actions = ReturnType<typeof createActions>;

function createActions(db: DatabaseSync) {
  const idempotency = createIdempotency(db);
  const record = eventRecorder(db);
  const creates = { ...petActions(db, idempotency, record), ...orderActions(db, idempotency, record) };
  return {
    ...creates,
    ...removedPetActions(db, record),
    ...categoryActions(db, idempotency, record),
    ...keyActions(db),
    ...eventActions(db),
    forgetExpired: idempotency.deleteExpired,
    probe: createProbe(db, creates),
  };
}

/**
 * An outcome that can be cloned between threads and processes. Cloning reduces an error to its message, stack and cause;
 * the fields that callers depend on are sent next to it.
 */
export type EncodedOutcome = Outcome<unknown> & { readonly code?: ErrorCode; readonly errcode?: number };

export function encodeOutcome(outcome: Outcome<unknown>): EncodedOutcome {
  if (outcome.ok) return outcome;
  const { error } = outcome;
  if (error instanceof ApiError) return { ...outcome, code: error.code };
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? outcome : { ...outcome, errcode };
}

export function decodeOutcome(encoded: EncodedOutcome): Outcome<unknown> {
  if (encoded.ok) return encoded;
  const { error, code, errcode } = encoded;
  if (code) return { ok: false, error: new ApiError(code, error.message, { cause: error.cause }) };
  return { ok: false, error: Object.assign(error, errcode !== undefined && { errcode }) };
}
