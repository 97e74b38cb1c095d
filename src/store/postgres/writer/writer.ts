import { ApiError } from '../../../contract/errors.ts';
import { type Actions, actionsOn, run, type Write } from '../../actions.ts';
import { Batcher, type Outcome, type WriteMonitor } from '../../batcher.ts';
import { mayBeOneRow, unavailable, violated } from '../errors.ts';
import type { Db } from '../pool/connection.ts';
import type { ConnectionGroup } from '../pool/connection-group.ts';
import { createPets, isPlainCreate } from './create-pets.ts';
import { type Locked, load, type WhenLocked } from './load.ts';
import { LoadedRows } from './loaded-rows.ts';
import { needsOf } from './needs.ts';
import { save } from './save.ts';

/** How long a write may take, and then once more if it has to wait for a lock: longer than a call of the database, which says more. */
const WRITE_MS = 4500;
/** For this long, the parts of a batch that was rolled back are tried again. */
const RETRY_MS = 2000;

/** The connections of a writer. */
interface WriterConnections {
  readonly writes: ConnectionGroup;
  /** For what would delay other writes. */
  readonly retries: ConnectionGroup;
}

/**
 * Commits writes in batches, whatever they are, each in one transaction: lock and read the rows of all of them, decide each, write all. An
 * instance commits one batch after the other. A write that would have to wait for what another transaction has locked, or whose batch
 * was rolled back, goes on beside the next batches, so that it delays no other write. A write that fails does not affect the others.
 */
export function createWriter({ writes: first, retries }: WriterConnections, monitor?: WriteMonitor) {
  const batcher = new Batcher<Write, unknown>(commit, { timeoutMs: WRITE_MS }, monitor);
  const waiting = new Batcher<Write, unknown>(
    (writes) => commitPatiently(writes, performance.now() + RETRY_MS),
    { timeoutMs: WRITE_MS, concurrent: 2 },
  );

  /** An outcome that is a promise: the write follows it, unless it has timed out meanwhile, and the batch is over for the others. */
  function later(value: Promise<unknown>): Outcome<unknown> {
    value.catch(() => {});
    return { ok: true, value };
  }

  async function commit(writes: Write[]): Promise<Outcome<unknown>[]> {
    try {
      const outcomes = await first.write((sql) => commitBatch(sql, writes, 'skip'));
      return outcomes.map((outcome, i) => outcome ?? later(waiting.add(writes[i] as Write)));
    } catch (error) {
      if (!mayBeOneRow(error)) throw error;
      const outcomes = commitParts(writes, error as Error, performance.now() + RETRY_MS);
      return writes.map((_, i) => later(outcomes.then((all) => resultOf(all[i] as Outcome<unknown>))));
    }
  }

  /**
   * Waits for locked animals. `reason` is why the batch was rolled back that these writes are a part of: after `until`, they fail for that reason.
   * Without an answer of the server the outcome is unknown, and nothing is ever sent again.
   */
  async function commitPatiently(
    writes: readonly Write[],
    until: number,
    reason?: Error,
  ): Promise<Outcome<unknown>[]> {
    try {
      const outcomes = await retries.write(async (sql) => {
        if (reason && performance.now() >= until) throw reason;
        return commitBatch(sql, writes, 'wait');
      });
      return completed(writes, outcomes, until);
    } catch (error) {
      if (!mayBeOneRow(error) || performance.now() >= until) return failures(writes, error as Error);
      if (writes.length > 1) return commitParts(writes, error as Error, until, reason ? 1 : undefined);
      // Another instance has used the same Idempotency-Key or id meanwhile: the next attempt sees that.
      return isConflict(error)
        ? commitPatiently(writes, until, error as Error)
        : failures(writes, error as Error);
    }
  }

  /** What was not decided is tried again: its animal was removed or restored while this waited for the lock. */
  async function completed(
    writes: readonly Write[],
    outcomes: readonly (Outcome<unknown> | undefined)[],
    until: number,
  ): Promise<Outcome<unknown>[]> {
    const left = writes.filter((_, i) => !outcomes[i]);
    const again = left.length === 0 ? [] : await commitPatiently(left, until, keepsChanging());
    const rest = again.values();
    return outcomes.map((outcome) => outcome ?? (rest.next().value as Outcome<unknown>));
  }

  /** The server has rolled back a batch, so its parts can be tried: groups first, then each write of a group that was rolled back again. */
  async function commitParts(
    writes: readonly Write[],
    reason: Error,
    until: number,
    size = Math.floor(Math.sqrt(writes.length)),
  ): Promise<Outcome<unknown>[]> {
    const parts = Array.from({ length: Math.ceil(writes.length / size) }, (_, i) =>
      writes.slice(i * size, (i + 1) * size),
    );
    return (await Promise.all(parts.map((part) => commitPatiently(part, until, reason)))).flat();
  }

  return {
    write<M extends keyof Actions>(method: M) {
      return (...args: Parameters<Actions[M]>) =>
        batcher.add({ method, args } as Write) as Promise<ReturnType<Actions[M]>>;
    },
    /** Resolves when every accepted write is settled; accepts no more. */
    async close(): Promise<void> {
      await batcher.close();
      await waiting.close();
    },
  };
}

/** The outcome of each write; undefined for one that was not decided, because another transaction has locked what it is about. */
async function commitBatch(
  sql: Db,
  writes: readonly Write[],
  whenLocked: WhenLocked,
): Promise<(Outcome<unknown> | undefined)[]> {
  // Not once one of them has failed: this holds the lock on the events while the animals are inserted.
  if (whenLocked === 'skip' && writes.every(isPlainCreate))
    return (await createPets(sql, writes)).map((value) => ({ ok: true, value }));
  return decideAndSave(sql, writes, whenLocked);
}

async function decideAndSave(
  sql: Db,
  writes: readonly Write[],
  whenLocked: WhenLocked,
): Promise<(Outcome<unknown> | undefined)[]> {
  let outcomes: (Outcome<unknown> | undefined)[];
  let rows: LoadedRows;
  try {
    const { loaded, locked } = await load(sql, needsOf(writes), whenLocked);
    rows = new LoadedRows(loaded);
    outcomes = decide(writes, rows, locked);
  } catch (error) {
    await sql.unsafe('ROLLBACK').catch(() => {});
    throw error;
  }
  await save(sql, rows, whenLocked === 'wait');
  return outcomes;
}

function decide(
  writes: readonly Write[],
  rows: LoadedRows,
  locked: Locked,
): (Outcome<unknown> | undefined)[] {
  const actions = actionsOn(rows);
  return writes.map((write) => {
    if (!mayDecide(write, rows, locked)) return undefined;
    try {
      return { ok: true, value: run(actions, write) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { ok: false, error };
    }
  });
}

/** Whether everything that a write is about is locked. */
function mayDecide(write: Write, rows: LoadedRows, { missing, hasCategories }: Locked): boolean {
  const { petIds, orderIds, categoryIds, categoryDigests } = needsOf([write]);
  if (categoryIds.size + categoryDigests.size > 0) return hasCategories;
  const ofOrders = [...orderIds].map((id) => rows.order(id)?.petId);
  return ![...petIds, ...ofOrders].some((id) => id !== undefined && missing.has(id));
}

const isConflict = (error: unknown): boolean =>
  violated(error instanceof ApiError ? error.cause : error) !== undefined;

const keepsChanging = () => unavailable('Other clients keep changing this animal; nothing was written.');

const failures = (writes: readonly Write[], error: Error): Outcome<unknown>[] =>
  writes.map(() => ({ ok: false, error }));

function resultOf(outcome: Outcome<unknown>): unknown {
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}
