import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderQuery } from '../../src/client/index.ts';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, collect, failureOf, withoutEtag } from './support/client.ts';
import { startGateway } from './support/gateway.ts';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

const service = await startServiceForFile();
const store = clientOf(`${service.origin}/v1`);
const add = (name: string) => store.createPet({ name, categoryId: 7 });

describe('The client', () => {
  it('creates, lists and gets animals', async () => {
    const created = await add('Rex "the king" 🐕\n');
    const rex = withoutEtag(created);
    assert.deepEqual(rex, { id: rex.id, name: 'Rex "the king" 🐕\n', categoryId: 7n, status: 'available' });
    assert.equal(typeof rex.id, 'bigint');
    assert.deepEqual(await store.getPet(rex.id), created);
    assert.deepEqual(await store.getPet(Number(rex.id)), created);
    const [, sold] = await store.createPets([
      { name: 'Ada', categoryId: 7 },
      { name: 'Kit', categoryId: INT64_MAX, status: 'sold' },
    ]);
    assert.ok(sold);
    assert.deepEqual([sold.status, sold.categoryId], ['sold', INT64_MAX]);
    assert.deepEqual((await store.listPets({ status: 'sold', limit: 1 })).items, [sold]);
    assert.deepEqual((await store.listPets({ id: [rex.id, sold.id] })).items, [sold, rex]);
    assert.deepEqual(await collect(store.pets({ id: rex.id })), [rex]);
  });

  it('names categories, finds animals by them, and removes them', async () => {
    const cats = await store.createCategory({ name: 'Cats' });
    assert.deepEqual(await store.getCategory(cats.id), cats);
    const named = await store.setCategory(9007199254740995n, { name: 'Dogs' });
    const inventory = { available: 0n, pending: 0n, sold: 0n };
    assert.deepEqual(named, { id: 9007199254740995n, name: 'Dogs', inventory });
    const dog = await store.createPet({ name: 'Rex', categoryId: named.id });
    assert.deepEqual((await store.listPets({ categoryId: named.id })).items, [withoutEtag(dog)]);
    const counted = { ...named, inventory: { ...inventory, available: 1n } };
    assert.deepEqual((await store.listCategories({ name: 'do' })).items, [counted]);
    assert.deepEqual(await store.getInventory({ categoryId: named.id }), counted.inventory);
    await store.removeCategory(cats.id);
    assert.equal((await failureOf(store.getCategory(cats.id))).code, 'category_not_found');
  });

  it('orders animals, and finds orders by animal, time and note', async () => {
    const before = await store.getInventory();
    const [a, b] = [await add('A'), await add('B')];
    const placed = await store.createOrder({ petId: a.id, note: 'Mr Núñez, Friday' });
    assert.deepEqual([placed.petId, placed.status], [a.id, 'placed']);
    assert.deepEqual((await store.listOrders({ status: 'placed' })).items, [placed]);
    const sold = await store.updateOrder(placed.id, { status: 'completed', note: 'Mr Núñez, paid' });
    assert.deepEqual([sold.status, sold.note], ['completed', 'Mr Núñez, paid']);
    const other = await store.createOrder({ petId: Number(b.id) });
    const cancelled = await store.updateOrder(Number(other.id), { status: 'cancelled' });
    assert.deepEqual(await collect(store.orders({ petId: [a.id, Number(b.id)] })), [cancelled, sold]);
    assert.deepEqual(await store.getOrder(placed.id), sold);

    const completedFrom = new Date(sold.completedAt ?? '');
    const completedBefore = new Date(completedFrom.getTime() + 1);
    const idsOf = async (query: OrderQuery) => (await store.listOrders(query)).items.map(({ id }) => id);
    assert.deepEqual(await idsOf({ completedFrom, completedBefore }), [placed.id]);
    assert.deepEqual(await idsOf({ completedBefore: completedFrom }), []);
    const inParis = completedFrom.toISOString().replace('Z', '+00:00');
    assert.deepEqual(await idsOf({ completedFrom: inParis }), [placed.id], 'the + arrives');
    assert.deepEqual(await collect(store.orders({ note: 'NUNEZ, P' })), [sold]);
    assert.ok(!('note' in (await store.updateOrder(placed.id, { note: null }))));
    const { before: previous } = (await store.listEvents({ type: 'order.updated' })).items[0] ?? {};
    assert.deepEqual(previous, { note: 'Mr Núñez, paid' });
    const after = await store.getInventory();
    assert.deepEqual(after, { ...before, available: before.available + 1n, sold: before.sold + 1n });
  });

  it('rejects what it cannot send as it is meant, before it sends anything', async (t) => {
    const { baseUrl, requests } = await startGateway(t, service.origin, []);
    const through = clientOf(baseUrl);
    for (const value of [2 ** 53, 1.5, Number.NaN, Number.POSITIVE_INFINITY, INT64_MAX + 1n, INT64_MIN - 1n])
      for (const promise of [
        through.createPet({ name: 'Rex', categoryId: value }),
        through.createOrder({ petId: value }),
        through.getPet(value),
        through.updateOrder(value, { status: 'completed' }),
        through.listPets({ id: [1n, value] }),
        collect(through.pets({ id: value })),
        through.events({ petId: value }).next(),
        through.getInventory({ categoryId: value }),
      ]) {
        const { code, status, message } = await failureOf(promise);
        assert.deepEqual([code, status], ['invalid_argument', 0]);
        assert.match(message, /^(?:categoryId|petId|id) must be a 64-bit integer/);
      }
    for (const promise of [
      // An empty list would match everything.
      through.listPets({ id: [] }),
      through.listEvents({ type: [] }),
      through.listOrders({ completedFrom: new Date('yesterday') }),
    ])
      assert.equal((await failureOf(promise)).code, 'invalid_argument');
    assert.deepEqual(requests, []);
  });

  it('reports an error of the service with its code, status, message and request id', async () => {
    const pet = await add('Rex');
    await store.createOrder({ petId: pet.id });
    const stranger = clientOf(`${service.origin}/v1`, { apiKey: 'another-key' });
    const cases: [Promise<unknown>, string, number, RegExp][] = [
      [store.createPet({ name: ' ', categoryId: 1 }), 'invalid_request', 400, /name must be/],
      [store.listPets({ limit: 101 }), 'invalid_parameter', 400, /limit must be/],
      [store.getPet(INT64_MAX), 'pet_not_found', 404, /no animal/],
      [store.createOrder({ petId: pet.id }), 'pet_not_available', 409, /not available/],
      [stranger.listPets(), 'unauthorized', 401, /./],
      [clientOf(`${service.origin}/v2`).listPets(), 'not_found', 404, /./],
    ];
    const failures = cases.map(([call, ...expected]) => [failureOf(call), ...expected] as const);
    for (const [failure, code, status, message] of failures) {
      const error = await failure;
      assert.deepEqual([error.code, error.status], [code, status]);
      assert.match(error.message, message);
      assert.ok(JSON.stringify(service.log).includes(`"${error.requestId}"`), 'the log names the request');
    }
  });

  it('makes a change repeatable with an idempotencyKey of the caller', async () => {
    const idempotencyKey = 'order-4711/rex';
    const first = await store.createPet({ name: 'Once', categoryId: 1 }, { idempotencyKey });
    assert.deepEqual(await store.createPet({ name: 'Once', categoryId: 1 }, { idempotencyKey }), first);
    const reused = await failureOf(store.createPet({ name: 'Twice', categoryId: 1 }, { idempotencyKey }));
    assert.deepEqual([reused.code, reused.status], ['idempotency_key_reused', 422]);
    for (const bad of ['', 'a b', '"quoted"', 'ü', 'x'.repeat(256), 'a\r\nX-Evil: 1']) {
      const error = await failureOf(store.createPet({ name: 'A', categoryId: 1 }, { idempotencyKey: bad }));
      assert.equal(error.code, 'invalid_argument', bad);
    }
  });
});

describe('ifMatch', () => {
  it('changes the animal as it is known, and no other', async () => {
    const rex = await add('Rex');
    const max = await store.updatePet(rex.id, { name: 'Max' }, { ifMatch: rex.etag });
    assert.notEqual(max.etag, rex.etag);
    const failures = [
      failureOf(store.updatePet(rex.id, { name: 'Rocky' }, { ifMatch: rex.etag })),
      failureOf(store.removePet(rex.id, { ifMatch: rex.etag })),
    ];
    for (const { code, status } of await Promise.all(failures))
      assert.deepEqual([code, status], ['precondition_failed', 412]);
    assert.deepEqual(await store.updatePet(rex.id, {}), max);
    await store.removePet(rex.id, { ifMatch: max.etag });
    assert.equal((await store.listPets({ removed: true })).items[0]?.id, rex.id);
    assert.deepEqual(await store.restorePet(rex.id), max);
  });

  it('takes an etag that a proxy has weakened, and sends the strong one; without one there is none', async () => {
    const proxy = (change: (etag: string | null) => Record<string, string>): typeof fetch => {
      return async (...args) => {
        const { body, status, headers } = await fetch(...args);
        const changed = { 'content-type': 'application/json', ...change(headers.get('etag')) };
        return new Response(body, { status, headers: changed });
      };
    };
    const rex = await add('Rex');
    const weak = clientOf(`${service.origin}/v1`, { fetch: proxy((etag) => ({ etag: `W/${etag}` })) });
    assert.deepEqual(await weak.updatePet(rex.id, {}), rex);
    const max = await weak.updatePet(rex.id, { name: 'Max' }, { ifMatch: `W/${rex.etag}` });
    await weak.removePet(rex.id, { ifMatch: max.etag });
    const without = clientOf(`${service.origin}/v1`, { fetch: proxy(() => ({})) });
    assert.equal((await without.restorePet(rex.id)).etag, undefined);
  });

  it('must be an etag: a request without its condition is never made', async () => {
    const rex = await add('Rex');
    for (const ifMatch of ['', '*', 'abc', `w/${rex.etag}`, `${rex.etag}, "b"`, '"a\nb"'])
      for (const call of [
        store.updatePet(rex.id, { name: 'Max' }, { ifMatch }),
        store.removePet(rex.id, { ifMatch }),
      ])
        assert.equal((await failureOf(call)).code, 'invalid_argument');
    assert.deepEqual(await store.updatePet(rex.id, {}), rex);
  });
});
