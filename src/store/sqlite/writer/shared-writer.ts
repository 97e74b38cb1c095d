import { Batcher, type Outcome, type WriteMonitor } from '../../batcher.ts';
import type { RemoteCommit, SharedWriter } from '../../open-options.ts';
import { unknownOutcome } from '../errors.ts';
import { type DatabaseFiles, databaseAt } from '../file/file-identity.ts';
import { ThreadedWriter } from './threaded-writer.ts';
import { decodeOutcome, type EncodedOutcome, encodeOutcome, type Write } from './writer.ts';

/**
 * One queue and one writer for several processes. With a writer each they would wait for one another's locks by sleeping
 * and retrying: on a slow disk some would time out, and writes of two processes would never share a commit.
 */
export function shareWriter(
  path: string,
  files: DatabaseFiles | undefined = databaseAt(path),
  monitor?: WriteMonitor,
): SharedWriter {
  const writer = new ThreadedWriter(path, files);
  const batcher = new Batcher<Write, unknown>((writes) => writer.commit(writes), {}, monitor);
  const outcomeOf = (write: Write): Promise<Outcome<unknown>> =>
    batcher.add(write).then(
      (value) => ({ ok: true, value }),
      (error: Error) => ({ ok: false, error }),
    );
  // Starts the thread now, not with the first write.
  void outcomeOf({ method: 'probe', args: [] });
  return {
    commit: async (batch) => (await Promise.all((batch as Write[]).map(outcomeOf))).map(encodeOutcome),
    async close() {
      await batcher.close();
      await writer.close();
    },
  };
}

/** Batches that may be on their way at once: the shared writer merges those of all processes into one commit. */
const CONCURRENT_BATCHES = 16;

/** Writes through the shared writer of another process. Once that process has ended, writes by itself. */
export function createRemoteWriter(
  path: string,
  files: DatabaseFiles | undefined,
  remoteCommit: RemoteCommit,
) {
  let own: SharedWriter | undefined;
  return {
    concurrent: CONCURRENT_BATCHES,
    async commit(writes: Write[]): Promise<Outcome<unknown>[]> {
      let outcomes = remoteCommit(writes);
      if (!outcomes) {
        own ??= shareWriter(path, files);
        outcomes = own.commit(writes);
      }
      try {
        return ((await outcomes) as EncodedOutcome[]).map(decodeOutcome);
      } catch (cause) {
        throw unknownOutcome(cause);
      }
    },
    async close(): Promise<void> {
      await own?.close();
    },
  };
}
