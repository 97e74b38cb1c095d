import type { RemoteCommit } from '../store/shared-writer.ts';
import type { ToPrimary, ToWorker } from './messages.ts';

/** Brings what a worker wants written to the primary, whose writer is that of all workers. */
export function carryToPrimary(): RemoteCommit {
  const underWay = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  process.on('message', (message: ToWorker) => {
    if (typeof message === 'string' || !('outcome' in message)) return;
    underWay.get(message.number)?.resolve(message.outcome);
    underWay.delete(message.number);
  });
  process.once('disconnect', () => {
    for (const { reject } of underWay.values()) reject(new Error('the primary has ended'));
  });
  return (batch) => {
    if (!process.connected) return undefined;
    const number = ++last;
    const outcome = Promise.withResolvers<unknown>();
    underWay.set(number, outcome);
    process.send?.({ number, batch } satisfies ToPrimary, undefined, {}, () => {});
    return outcome.promise;
  };
}
