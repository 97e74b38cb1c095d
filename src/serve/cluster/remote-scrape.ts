import { ApiError } from '../../contract/errors.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { ToPrimary, ToWorker } from './messages.ts';

const PRIMARY_MS = 5000;

/** Gives the primary the metrics of this worker, and gets those of all processes from it. */
export function scrapeThroughPrimary(metrics: Metrics): () => Promise<string> {
  const waiting = new Map<number, (text: string) => void>();
  let lastId = 0;
  const send = (message: ToPrimary) => process.send?.(message, undefined, {}, () => {});
  process.on('message', (message: ToWorker) => {
    if (message === 'collect')
      void metrics.snapshot().then((families) => process.connected && send({ metrics: families }));
    else if (typeof message === 'object' && 'text' in message) waiting.get(message.scrape)?.(message.text);
  });
  return async () => {
    const id = ++lastId;
    const text = Promise.withResolvers<string>();
    const fail = () => text.reject(new ApiError('unavailable', 'The metrics cannot be collected.'));
    const timer = setTimeout(fail, PRIMARY_MS);
    waiting.set(id, text.resolve);
    if (process.connected) send({ scrape: id });
    else fail();
    try {
      return await text.promise;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
}
