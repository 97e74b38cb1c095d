import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnimalStore } from '../../src/client/index.ts';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, collect, failureOf } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { METHODS } from './support/methods.ts';

/** As a program without a type check calls it. */
const QUERIES: Record<string, (store: AnimalStore, query: object) => Promise<unknown>> = {
  listPets: (store, query) => store.listPets(query),
  pets: (store, query) => collect(store.pets(query)),
  listCategories: (store, query) => store.listCategories(query),
  categories: (store, query) => collect(store.categories(query)),
  listOrders: (store, query) => store.listOrders(query),
  orders: (store, query) => collect(store.orders(query)),
  listEvents: (store, query) => store.listEvents(query),
  events: (store, query) => store.events(query).next(),
  listKeys: (store, query) => store.listKeys(query),
  keys: (store, query) => collect(store.keys(query)),
};

describe('An unknown key', async () => {
  const service = await startServiceForFile();
  const { signal } = new AbortController();

  it('of a query is an invalid argument, and no request is made', async (t) => {
    const gateway = await startGateway(t, service.origin, []);
    for (const [name, method] of Object.entries(QUERIES)) {
      for (const query of [{ signal }, { colour: 'black' }, { toString: 1 }, { colour: undefined }]) {
        const [key] = Object.keys(query);
        const { code, message } = await failureOf(method(clientOf(gateway.baseUrl), query));
        assert.deepEqual(
          [name, code, message],
          [name, 'invalid_argument', `query must not contain "${key}".`],
        );
      }
    }
    assert.equal(gateway.requests.length, 0);
  });

  it('of the options is an invalid argument, and no request is made', async (t) => {
    const gateway = await startGateway(t, service.origin, []);
    for (const [name, method] of Object.entries(METHODS)) {
      for (const options of [{ timeout: 5_000 }, { signal, toString: 1 }]) {
        const key = Object.keys(options).at(-1);
        const { code, message } = await failureOf(method(clientOf(gateway.baseUrl), options));
        assert.deepEqual(
          [name, code, message],
          [name, 'invalid_argument', `options must not contain "${key}".`],
        );
      }
    }
    assert.equal(gateway.requests.length, 0);
  });

  it('of the options is one that only another method takes', async () => {
    const store = clientOf(`${service.origin}/v1`);
    const foreign: Record<string, object> = {
      createPet: { ifMatch: '"a"' },
      updatePet: { reason: 'died' },
      restorePet: { ifMatch: '"a"' },
      createKey: { idempotencyKey: 'a' },
      getInventory: { onLiveness: () => {} },
      listEvents: { onLiveness: () => {} },
      events: { categoryId: 1 },
    };
    for (const [name, options] of Object.entries(foreign)) {
      const method = METHODS[name as keyof AnimalStore];
      assert.equal((await failureOf(method(store, options))).code, 'invalid_argument', name);
    }
  });

  it('is none that the type of the query has', async () => {
    const store = clientOf(`${service.origin}/v1`);
    const page = { limit: 1, cursor: undefined };
    const at = new Date();
    await store.listPets({ ...page, status: 'sold', id: 1, categoryId: 1, name: 'x' });
    await store.listPets({ ...page, removed: true });
    await store.listCategories({ ...page, name: 'x' });
    await store.listOrders({ ...page, petId: 1, note: 'x', completedFrom: at, completedBefore: at });
    await store.listOrders({ ...page, status: 'placed' });
    const keyId = (await store.getCurrentKey()).id;
    await store.listEvents({
      limit: 1,
      after: undefined,
      order: 'newest',
      petId: 1,
      type: 'pet.created',
      keyId,
    });
    await store.listKeys(page);
  });
});
