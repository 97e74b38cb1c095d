import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { AnimalStore } from '../../src/client/index.ts';
import { BASE_PATH, type Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations/all.ts';
import { startService } from '../support/service/service.ts';
import { clientOf } from './support/client.ts';
import { startGateway } from './support/gateway.ts';

const ID = 1;

/** Does not compile when a query accepts a value that the service rejects. */
export const wrongQueries = (store: AnimalStore): unknown[] => [
  // @ts-expect-error: no such status
  store.listPets({ status: 'gone' }),
  // @ts-expect-error: no such filter
  store.listPets({ colour: 'black' }),
  // @ts-expect-error: an identifier is a number
  store.listOrders({ petId: '1' }),
  // @ts-expect-error: no such type, among others
  store.listEvents({ type: ['pet.created', 'pet.sold'] }),
  // @ts-expect-error: a stream has no pages
  store.events({ limit: 1 }),
];

describe('The client', () => {
  it('has a method for every operation of the contract, which sends every parameter of its query', async (t) => {
    const { origin } = await startService(t);
    const gateway = await startGateway(t, origin, []);
    const store = clientOf(gateway.baseUrl, { maxRetries: 0 }) as unknown as Record<
      string,
      (...args: unknown[]) => Promise<unknown>
    >;
    const parameters: string[] = [];
    for (const { id, path, params, query } of Object.values<Operation>(operations)) {
      assert.equal(typeof store[id], 'function', id);
      for (const name of Object.keys(query.entries)) {
        const given = { [name]: `${ID}` };
        // The service may reject the value: what counts is that it is sent.
        await store[id]?.(...(params ? [ID, given] : [given])).catch(() => {});
        parameters.push(`${BASE_PATH}${path.replace(/\{\w+\}/, `${ID}`)}?${name}=${ID}`);
      }
    }
    assert.deepEqual(
      gateway.requests.map((request) => request.path),
      parameters,
    );
  });

  it('marks what the contract deprecates, with the date', async () => {
    const source = await readFile(join(import.meta.dirname, '../../src/client/animal-store.ts'), 'utf8');
    const marked = [...source.matchAll(/@deprecated ([^*]*)\*\/\s*(?:async )?(\w+)/g)];
    const deprecated = Object.values(operations).flatMap((one) => ('deprecated' in one ? [one] : []));
    assert.deepEqual(
      marked.map(([, , name]) => name),
      deprecated.map(({ id }) => id),
    );
    for (const [
      index,
      {
        deprecated: { sunset },
      },
    ] of deprecated.entries()) {
      const date = new Date(sunset).toLocaleDateString('en-GB', {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      });
      assert.ok(marked[index]?.[1]?.includes(date), `${date} is not mentioned`);
    }
  });
});
