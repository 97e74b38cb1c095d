import { once } from 'node:events';
import type { Crowd } from './crowd.ts';
import { type TimedWrite, withClient } from './timed-writes.ts';

/** The process that `gather` starts: reports that every client is connected, waits for a message, sends, and reports the answers. */
const ANIMALS = 100;
const CONNECT_AT_ONCE = 50;

const { port, batches, nameLength, firstCategoryId } = JSON.parse(process.argv[2] as string) as Crowd;
const go = once(process, 'message');
const requests: [path: string, body: unknown][] = Array.from({ length: batches }, (_, n) => [
  '/v1/pets/batch',
  { pets: animals(n * ANIMALS) },
]);
if (firstCategoryId !== undefined) requests.push(['/v1/categories', { name: `Snakes ${firstCategoryId}` }]);
const writes: Promise<TimedWrite>[] = [];
for (let first = 0; first < requests.length; first += CONNECT_AT_ONCE)
  await Promise.all(
    requests.slice(first, first + CONNECT_AT_ONCE).map(([path, body]) => connect(path, body)),
  );
process.send?.('connected');
process.send?.(await Promise.all(writes));

function connect(path: string, body: unknown): Promise<void> {
  return new Promise((resolve) => {
    const write = withClient(port, async (send) => {
      await send('GET', '/healthz');
      resolve();
      await go;
      return send('POST', path, body);
    });
    writes.push(write);
  });
}

function animals(first: number) {
  return Array.from({ length: ANIMALS }, (_, i) => ({
    name: `Rex ${first + i} `.padEnd(nameLength, 'x'),
    categoryId: firstCategoryId === undefined ? 1 : firstCategoryId + first + i,
  }));
}
