import type { DatabaseSync } from 'node:sqlite';
import type { Outcome } from '../batcher.ts';
import { type Actions, createActions } from './actions.ts';
import { fromSqliteError, isDamage, unknownOutcome } from './errors.ts';
import { writeStatement } from './table.ts';

/** One call of an action, as it is sent to the writer. */
export type Write = { [M in keyof Actions]: { method: M; args: Parameters<Actions[M]> } }[keyof Actions];

/** Commits a batch of writes in one transaction. A write that fails is rolled back alone; the others are committed. */
export function createWriter(db: DatabaseSync): (writes: readonly Write[]) => Outcome<unknown>[] {
  const actions = createActions(db);
  // Prepared once: to compile these short statements takes longer than to run them.
  const [begin, commit, savepoint, release] = [
    'BEGIN IMMEDIATE',
    'COMMIT',
    'SAVEPOINT one_write',
    'RELEASE one_write',
  ].map((sql) => writeStatement(db, sql)) as [Statement, Statement, Statement, Statement];

  function attempt(write: Write): Outcome<unknown> {
    const outcome = attemptOnce(write);
    // What looks like damage may be a disk that has failed to read once.
    return !outcome.ok && isDamage(outcome.error) ? attemptOnce(write) : outcome;
  }

  function attemptOnce({ method, args }: Write): Outcome<unknown> {
    savepoint.run();
    try {
      const value = (actions[method] as (...args: unknown[]) => unknown)(...args);
      release.run();
      return { ok: true, value };
    } catch (error) {
      // A full or failing disk can make SQLite roll back the whole transaction: then every write of it has failed.
      if (!db.isTransaction) throw error;
      db.exec('ROLLBACK TO one_write; RELEASE one_write');
      return { ok: false, error: fromSqliteError(error) };
    }
  }

  return (writes) => {
    let outcomes: Outcome<unknown>[] | undefined;
    try {
      begin.run();
      outcomes = writes.map(attempt);
      commit.run();
      return outcomes;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      const failure = outcomes && !isDamage(error) ? unknownOutcome(error) : fromSqliteError(error);
      return writes.map(() => ({ ok: false, error: failure }));
    }
  };
}

type Statement = ReturnType<DatabaseSync['prepare']>;
