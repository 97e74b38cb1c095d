import type { DatabaseSync } from 'node:sqlite';
import type { Outcome } from '../batcher.ts';
import { type Actions, createActions } from './actions.ts';
import { fromSqliteError, unknownOutcome } from './errors.ts';

/** One call of an action, as it is handed to the writer. */
export type Write = { [M in keyof Actions]: { method: M; args: Parameters<Actions[M]> } }[keyof Actions];

/** Commits a batch of writes in one transaction; one that fails is undone alone and the others go on. */
export function createWriter(db: DatabaseSync): (writes: readonly Write[]) => Outcome<unknown>[] {
  const actions = createActions(db);

  function attempt({ method, args }: Write): Outcome<unknown> {
    db.exec('SAVEPOINT one');
    try {
      const value = (actions[method] as (...args: unknown[]) => unknown)(...args);
      db.exec('RELEASE one');
      return { ok: true, value };
    } catch (error) {
      // A full or failing disk can make SQLite roll back the whole transaction: then no write is alone in failing.
      if (!db.isTransaction) throw error;
      db.exec('ROLLBACK TO one; RELEASE one');
      return { ok: false, error: fromSqliteError(error) };
    }
  }

  return (writes) => {
    let outcomes: Outcome<unknown>[] | undefined;
    try {
      db.exec('BEGIN IMMEDIATE');
      outcomes = writes.map(attempt);
      db.exec('COMMIT');
      return outcomes;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      // A disk that fails in the commit itself may have kept what it says it has not.
      const failure = outcomes ? unknownOutcome(error) : fromSqliteError(error);
      return writes.map(() => ({ ok: false, error: failure }));
    }
  };
}
