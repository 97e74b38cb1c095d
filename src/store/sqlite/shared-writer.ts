import { Batcher, type Outcome } from '../batcher.ts';
import type { Carry, SharedWriter } from '../shared.ts';
import { unknownOutcome } from './errors.ts';
import { revive, type Settled, settled } from './settled.ts';
import { ThreadedWriter } from './threaded-writer.ts';
import type { Write } from './writer.ts';

/**
 * One queue and one writer for several processes. With a writer each they would wait for one another's locks, and SQLite
 * has those who wait sleep and try again: on a slow disk some would not get their turn in time, and no two processes
 * would ever share a commit.
 */
export function shareWriter(path: string): SharedWriter {
  const writer = new ThreadedWriter(path);
  const batcher = new Batcher<Write, unknown>((writes) => writer.commit(writes));
  const outcomeOf = (write: Write): Promise<Outcome<unknown>> =>
    batcher.add(write).then(
      (value) => ({ ok: true, value }),
      (error: Error) => ({ ok: false, error }),
    );
  // The thread starts now, not with the first animal.
  void outcomeOf({ method: 'probe', args: [] });
  return {
    commit: async (batch) => (await Promise.all((batch as Write[]).map(outcomeOf))).map(settled),
    async close() {
      await batcher.close();
      await writer.close();
    },
  };
}

/** The way to it from another process. Once the process of the writer has ended, what is left to write is written here. */
export function carriedWriter(path: string, carry: Carry) {
  let own: SharedWriter | undefined;
  return {
    overlap: true,
    async commit(writes: Write[]): Promise<Outcome<unknown>[]> {
      let outcomes = carry(writes);
      if (!outcomes) {
        own ??= shareWriter(path);
        outcomes = own.commit(writes);
      }
      try {
        return ((await outcomes) as Settled[]).map(revive);
      } catch (cause) {
        throw unknownOutcome(cause);
      }
    },
    async close(): Promise<void> {
      await own?.close();
    },
  };
}
