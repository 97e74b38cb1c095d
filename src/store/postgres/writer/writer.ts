import { ApiError } from '../../../contract/errors.ts';
import { type Actions, actionsOn, isProof, run, type Write, weightOf } from '../../actions.ts';
import { Batcher, type Outcome, type WriteMonitor } from '../../batcher.ts';
import { isConflict, mayBeOneRow, SharedLockTimeout, unavailable } from '../errors.ts';
import type { Db } from '../pool/connection.ts';
import type { ConnectionGroup } from '../pool/connection-group.ts';
import { createPets, isPlainCreate } from './create-pets.ts';
import { load } from './load.ts';
import { save } from './save.ts';

/** Longer than a call of the database may take, whose error says more. A write that has waited for most of the time is not sent: it could time out in its commit. */
const LIMITS = { timeoutMs: 4500, waitMs: 4000 };
/** How long the halves of a batch that was rolled back are tried. */
const HALVES_MS = 2000;

/**
 * Commits writes of all kinds in batches, each in one transaction: lock and read the rows of all of them, decide each, write all. An
 * instance commits one batch after the other. A write about something that another transaction has locked goes back into the queue, so that it
 * delays no other write. A write that fails does not affect the others.
 */
export function createWriter(connection: Pick<ConnectionGroup, 'write'>, monitor?: WriteMonitor) {
  /**
   * What the server has rolled back can be tried again: a batch in halves, until the write that fails is alone. Without an answer of the server
   * the outcome is unknown, and nothing is ever sent again.
   */
  async function commit(writes: readonly Write[], until: number): Promise<Outcome<unknown>[]> {
    try {
      return await connection.write((sql) => commitBatch(sql, writes));
    } catch (error) {
      const failed = (failure: unknown, again: boolean): Outcome<unknown>[] =>
        writes.map(() => ({ ok: false, error: failure as Error, again }));
      if (error instanceof SharedLockTimeout)
        return failed(unavailable('Other writes take too long; nothing was written.', error), true);
      if (error instanceof DecisionError || mayBeOneRow(error)) {
        if (writes.length > 1 && performance.now() < until) {
          const middle = writes.length >> 1;
          const first = await commit(writes.slice(0, middle), until);
          return first.concat(await commit(writes.slice(middle), until));
        }
        if (isConflict(error))
          return failed(
            unavailable('Other clients keep changing the same; nothing was written.', error),
            true,
          );
      }
      return failed(error instanceof DecisionError ? error.cause : error, false);
    }
  }

  const start = (writes: Write[]) => commit(writes, performance.now() + HALVES_MS);
  return new Batcher<Write, unknown>(start, weightOf, isProof, LIMITS, monitor);
}

async function commitBatch(sql: Db, writes: readonly Write[]): Promise<Outcome<unknown>[]> {
  try {
    if (writes.every(isPlainCreate))
      return (await createPets(sql, writes)).map((value) => ({ ok: true, value }));
    const { rows, isLocked } = await load(sql, writes);
    const actions = actionsOn(rows);
    const outcomes = writes.map((write) => (isLocked(write) ? decide(actions, write) : NOT_DECIDED));
    await save(sql, rows);
    return outcomes;
  } catch (error) {
    await sql.unsafe('ROLLBACK').catch(() => {});
    throw error;
  }
}

function decide(actions: Actions, write: Write): Outcome<unknown> {
  try {
    return { ok: true, value: run(actions, write) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw new DecisionError(error);
    return { ok: false, error };
  }
}

/** An error that is no refusal: the write may have changed some rows of its batch before, so that nothing of the batch is stored. */
class DecisionError extends Error {
  constructor(cause: unknown) {
    super('a write could not be decided', { cause });
  }
}

const NOT_DECIDED: Outcome<unknown> = {
  ok: false,
  error: unavailable('Another program keeps this locked; nothing was written.'),
  again: true,
};
