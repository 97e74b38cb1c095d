import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ApiError } from '../../../contract/errors.ts';
import { actionsOn, run, type Write as WriteOf } from '../../actions.ts';
import type { Outcome } from '../../batcher.ts';
import { UpgradedMeanwhile } from '../../migrations.ts';
import { categoryRows } from '../categories.ts';
import { writeStatement } from '../connection.ts';
import { isBusy, isDamage, unknownOutcome } from '../errors.ts';
import { eventActions, eventRows } from '../events.ts';
import { resultActions, resultRows } from '../idempotency.ts';
import { keyActions } from '../keys.ts';
import { orderRows } from '../orders.ts';
import { petRows } from '../pets.ts';
import { upgradeCheck } from '../schema/migrate.ts';
import { createProbe } from './probe.ts';

/** How often a lock of another process is tried. SQLite itself would wait for up to 100 ms, and miss every pause of a busy process. */
const TRY_MS = 2;
const pause = new Int32Array(new SharedArrayBuffer(4));

/** Commits a batch of writes in one transaction. A write that fails is rolled back alone; the others are committed. */
export function createWriter(db: DatabaseSync, busyMs = 0): (writes: readonly Write[]) => Outcome<unknown>[] {
  const actions = createActions(db);
  const isUpgraded = upgradeCheck(db);
  // Prepared once: to compile these short statements takes longer than to run them.
  const [begin, commit, savepoint, release] = [
    'BEGIN IMMEDIATE',
    'COMMIT',
    'SAVEPOINT one_write',
    'RELEASE one_write',
  ].map((sql) => writeStatement(db, sql)) as [StatementSync, StatementSync, StatementSync, StatementSync];

  function beginInTurn(): void {
    for (const deadline = performance.now() + busyMs; ; Atomics.wait(pause, 0, 0, TRY_MS))
      try {
        return void begin.run();
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
      }
  }

  function attempt(write: Write): Outcome<unknown> {
    savepoint.run();
    try {
      const value = run(actions, write);
      release.run();
      return { ok: true, value };
    } catch (error) {
      // A full or failing disk can make SQLite roll back the whole transaction: then every write of it has failed.
      if (!db.isTransaction) throw error;
      db.exec('ROLLBACK TO one_write; RELEASE one_write');
      return { ok: false, error: error as Error };
    }
  }

  return (writes) => {
    let outcomes: Outcome<unknown>[] | undefined;
    try {
      beginInTurn();
      // `begin` may have waited for a newer version that was upgrading the file.
      if (isUpgraded()) throw new UpgradedMeanwhile();
      outcomes = writes.map(attempt);
      commit.run();
      return outcomes;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      // After a write has met a damaged page, SQLite refuses to commit.
      const failure = outcomes && !isDamage(error) ? unknownOutcome(error) : (error as Error);
      return writes.map(() => ({ ok: false, error: failure }));
    }
  };
}

/** Every change the store can make, each to be called inside a transaction. */
export type Actions = ReturnType<typeof createActions>;
export type Write = WriteOf<Actions>;

function createActions(db: DatabaseSync) {
  const shared = actionsOn({
    now: () => new Date(),
    ...petRows(db),
    ...orderRows(db),
    ...categoryRows(db),
    ...resultRows(db),
    ...eventRows(db),
  });
  return {
    ...shared,
    ...keyActions(db),
    ...eventActions(db),
    ...resultActions(db),
    probe: createProbe(db, shared),
  };
}

/**
 * An outcome that can be cloned between threads. Cloning reduces an error to its message, stack and cause;
 * what callers depend on is sent next to it.
 */
export type EncodedOutcome = Outcome<unknown> & {
  readonly apiError?: ConstructorParameters<typeof ApiError>;
  readonly errcode?: number | undefined;
};

export function encodeOutcome(outcome: Outcome<unknown>): EncodedOutcome {
  if (outcome.ok) return outcome;
  const { error } = outcome;
  const { errcode } = error as { errcode?: number };
  if (!(error instanceof ApiError)) return { ...outcome, errcode };
  const { code, message, cause, details } = error;
  return { ...outcome, errcode, apiError: [code, message, { cause, ...details }] };
}

export function decodeOutcome(encoded: EncodedOutcome): Outcome<unknown> {
  if (encoded.ok) return encoded;
  const { error, apiError, errcode } = encoded;
  return { ok: false, error: Object.assign(apiError ? new ApiError(...apiError) : error, { errcode }) };
}
