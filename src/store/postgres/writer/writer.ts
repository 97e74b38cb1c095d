import { ApiError } from '../../../contract/errors.ts';
import { type Actions, actionsOn, isProof, run, type Write, weightOf } from '../../actions.ts';
import { Batcher, type Outcome, type WriteMonitor } from '../../batcher.ts';
import { isConflict, isLocked, mayBeOneRow, unavailable } from '../errors.ts';
import type { Db } from '../pool/connection.ts';
import type { ConnectionGroup } from '../pool/connection-group.ts';
import { createPets, isPlainCreate } from './create-pets.ts';
import { keyOf, load } from './load.ts';
import { LOCK_EVENTS } from './locks.ts';
import { save } from './save.ts';

/**
 * Longer than a call of the database may take, whose error says more. A write that has waited for most of the time is not sent: it could time out
 * in its commit. Nor is one tried again then that other instances keep locked: a busy one leaves only short gaps.
 */
const LIMITS = { timeoutMs: 4800, waitMs: 4000, retryMs: 4000 };
/** Each Idempotency-Key is a lock. A server with default settings has room for those of some twenty instances: one batch has 200 of them at most. */
const KEY_WEIGHT = 4;
/** How long the halves of a batch that was rolled back are tried. */
const HALVES_MS = 2000;
/** After another program's lock on a table was met: how long the kinds of writes are committed apart, and how long each waits for such a lock. */
const APART_MS = 2000;
const APART_LOCK_MS = 50;

/**
 * Commits writes of all kinds in batches, each in one transaction: lock and read the rows of all of them, decide each, write all. An
 * instance commits one batch after the other. A write about something that another transaction has locked goes back into the queue, so that it
 * delays no other write. A write that fails does not affect the others.
 */
export function createWriter(connection: Pick<ConnectionGroup, 'write'>, monitor?: WriteMonitor) {
  let apartUntil = Number.NEGATIVE_INFINITY;

  /**
   * What the server has rolled back can be tried again: a batch in halves, until the write that fails is alone. Without an answer of the server
   * the outcome is unknown, and nothing is ever sent again.
   */
  async function commit(
    writes: readonly Write[],
    until: number,
    lockMs?: number,
  ): Promise<Outcome<unknown>[]> {
    const failed = (error: unknown): Outcome<unknown>[] =>
      writes.map(() => ({ ok: false, error: error as Error }));
    const again = (error: ApiError) => failed(error).map((one) => ({ ...one, again: true }));
    try {
      return await connection.write((sql) => commitBatch(sql, writes, lockMs));
    } catch (error) {
      if (isLocked(error, LOCK_EVENTS))
        return again(unavailable('Other writes take too long; nothing was written.', error));
      if (isLocked(error)) {
        apartUntil = performance.now() + APART_MS;
        if (lockMs === undefined) return commitApart(writes, until);
        return again(unavailable('A table of the database is locked; nothing was written.', error));
      }
      if (error instanceof DecisionError || mayBeOneRow(error)) {
        if (writes.length > 1 && performance.now() < until) {
          const middle = writes.length >> 1;
          const first = await commit(writes.slice(0, middle), until, lockMs);
          return first.concat(await commit(writes.slice(middle), until, lockMs));
        }
        if (isConflict(error))
          return again(unavailable('Other clients keep changing the same; nothing was written.', error));
      }
      return failed(error instanceof DecisionError ? error.cause : error);
    }
  }

  /** Writes of one kind need the same tables, so a lock on one of them delays no other kind for long. */
  async function commitApart(writes: readonly Write[], until: number): Promise<Outcome<unknown>[]> {
    const outcomes = new Map<Write, Outcome<unknown>>();
    for (const [, kind] of Map.groupBy(writes, kindOf))
      for (const [i, outcome] of (await commit(kind, until, APART_LOCK_MS)).entries())
        outcomes.set(kind[i] as Write, outcome);
    return writes.map((write) => outcomes.get(write) as Outcome<unknown>);
  }

  function start(writes: readonly Write[]): Promise<Outcome<unknown>[]> {
    const now = performance.now();
    return (now < apartUntil ? commitApart : commit)(writes, now + HALVES_MS);
  }

  const weight = (write: Write) => Math.max(weightOf(write), keyOf(write) ? KEY_WEIGHT : 0);
  return new Batcher<Write, unknown>(start, weight, isProof, LIMITS, monitor);
}

/** The tables that a write needs depend on these. */
const kindOf = (write: Write): string => `${write.method} ${keyOf(write) !== undefined}`;

async function commitBatch(sql: Db, writes: readonly Write[], lockMs?: number): Promise<Outcome<unknown>[]> {
  try {
    if (writes.every(isPlainCreate))
      return (await createPets(sql, writes, lockMs)).map((value) => ({ ok: true, value }));
    const { rows, isLocked } = await load(sql, writes, lockMs);
    const actions = actionsOn(rows);
    const outcomes = writes.map((write) => (isLocked(write) ? decide(actions, write) : NOT_DECIDED));
    const hasAnswers = outcomes.some(({ ok }) => ok);
    await save(sql, rows, hasAnswers, lockMs);
    return outcomes;
  } catch (error) {
    await sql.query('ROLLBACK').catch(() => {});
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
  error: unavailable('Other writes keep this locked; nothing was written.'),
  again: true,
};
