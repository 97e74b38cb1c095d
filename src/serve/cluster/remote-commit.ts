import { ApiError } from '../../contract/errors.ts';
import type { RemoteCommit } from '../../store/open-options.ts';
import type { ToPrimary, ToWorker } from './messages.ts';

/**
 * What may be on its way to the primary and back. A primary that does not respond must not fill the memory of its
 * workers.
 */
const MAX_BATCHES = 1000;
const MAX_BYTES = 16 * 1024 * 1024;

interface Sent {
  readonly outcome: PromiseWithResolvers<unknown>;
  readonly bytes: number;
}

/**
 * Commits batches through the primary, which has the one writer of all workers. Throws when too much is waiting for the
 * primary already; nothing of that batch is written.
 */
export function commitThroughPrimary(): RemoteCommit {
  const sent = new Map<number, Sent>();
  let lastId = 0;
  let bytes = 0;
  process.on('message', (message: ToWorker) => {
    if (typeof message === 'string' || !('outcome' in message)) return;
    const batch = sent.get(message.id);
    if (!batch) return;
    sent.delete(message.id);
    bytes -= batch.bytes;
    batch.outcome.resolve(message.outcome);
  });
  process.once('disconnect', () => {
    for (const { outcome } of sent.values()) outcome.reject(new Error('the primary process has ended'));
    sent.clear();
  });
  return (batch) => {
    if (!process.connected) return undefined;
    const size = sizeOf(batch);
    if (sent.size >= MAX_BATCHES || (bytes > 0 && bytes + size > MAX_BYTES))
      throw new ApiError('unavailable', 'Too many writes are waiting; nothing was written.');
    const id = ++lastId;
    const outcome = Promise.withResolvers<unknown>();
    sent.set(id, { outcome, bytes: size });
    bytes += size;
    // A failure to send is followed by `disconnect`.
    process.send?.({ id, batch } satisfies ToPrimary, undefined, {}, () => {});
    return outcome.promise;
  };
}

/** About what a value occupies as a message. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 8 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return 8 + value.byteLength;
  let size = 8;
  for (const key in value) size += key.length + sizeOf((value as Readonly<Record<string, unknown>>)[key]);
  return size;
}
