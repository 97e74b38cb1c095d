import type { Outcome } from '../../batcher.ts';
import type { RemoteCommit, SharedWriter } from '../../shared-writer.ts';
import { unknownOutcome } from '../errors.ts';
import type { DatabaseFiles } from '../file/file-identity.ts';
import { decodeOutcome, type EncodedOutcome } from './encode-outcome.ts';
import { shareWriter } from './shared-writer.ts';
import type { Write } from './writer.ts';

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
