import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { OrderQuery } from '../../src/client/index.ts';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, collect, failureOf, withoutEtag } from './support/client.ts';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

describe('The client', async () => {
  const service = await startServiceForFile();
  const store = clientOf(`${service.origin}/v1`);
  const requestCount = async () => {
    await service.call('GET', '/v1/pets');
    return service.log.length;
  };

  it('creates, lists and gets an animal', async () => {
    const created = await store.createPet({ name: 'Rex "the king" 🐕\n', categoryId: 7 });
    const rex = withoutEtag(created);
    assert.deepEqual(rex, { id: rex.id, name: 'Rex "the king" 🐕\n', categoryId: 7n, status: 'available' });
    assert.equal(typeof rex.id, 'bigint');
    assert.deepEqual(await store.getPet(rex.id), created);
    assert.deepEqual(await store.getPet(Number(rex.id)), created);
    assert.deepEqual((await store.listPets({ limit: 1 })).items, [rex]);
    const sold = withoutEtag(await store.createPet({ name: 'Kit', categoryId: 1n, status: 'sold' }));
    assert.equal(sold.status, 'sold');
    assert.deepEqual((await store.listPets({ status: 'sold', limit: 1 })).items, [sold]);
    assert.deepEqual((await store.listPets({ id: [rex.id, sold.id] })).items, [sold, rex]);
    assert.deepEqual(await collect(store.pets({ id: rex.id })), [rex]);
  });

  it('orders an animal, completes and cancels', async () => {
    const before = await store.getInventory();
    const [a, b] = [
      await store.createPet({ name: 'A', categoryId: 1 }),
      await store.createPet({ name: 'B', categoryId: 1 }),
    ];
    const placed = await store.createOrder({ petId: a.id });
    assert.equal(placed.petId, a.id);
    assert.equal(placed.status, 'placed');
    assert.deepEqual((await store.listOrders({ status: 'placed' })).items, [placed]);
    const completed = await store.updateOrder(placed.id, { status: 'completed' });
    assert.equal(completed.status, 'completed');
    const other = await store.createOrder({ petId: Number(b.id) });
    await store.updateOrder(Number(other.id), { status: 'cancelled' });
    assert.deepEqual(
      (await collect(store.orders())).map(({ id, status }) => [id, status]),
      [
        [other.id, 'cancelled'],
        [placed.id, 'completed'],
      ],
    );
    await store.removePet(a.id);
    assert.deepEqual((await store.listOrders({ petId: a.id })).items, [completed]);
    const both = await store.listOrders({ petId: [a.id, Number(b.id)] });
    assert.deepEqual(
      both.items.map(({ id }) => id),
      [other.id, placed.id],
    );
    await store.restorePet(a.id);
    const after = await store.getInventory();
    assert.deepEqual(after, { ...before, available: before.available + 1n, sold: before.sold + 1n });
    assert.equal(typeof after.pending, 'bigint');
  });

  it('finds what was sold in a time, and orders by their note', async () => {
    const { id: petId } = await store.createPet({ name: 'C', categoryId: 1 });
    const placed = await store.createOrder({ petId, note: 'Mr Núñez, Friday' });
    const sold = await store.updateOrder(placed.id, { status: 'completed', note: 'Mr Núñez, paid' });
    assert.equal(sold.note, 'Mr Núñez, paid');
    const completedFrom = new Date(sold.completedAt ?? '');
    const completedBefore = new Date(completedFrom.getTime() + 1);
    const idsOf = async (query: OrderQuery) => (await store.listOrders(query)).items.map(({ id }) => id);
    assert.deepEqual(await idsOf({ completedFrom, completedBefore }), [placed.id]);
    assert.deepEqual(await idsOf({ completedBefore: completedFrom, petId }), []);
    const inParis = completedFrom.toISOString().replace('Z', '+00:00');
    assert.deepEqual(await idsOf({ completedFrom: inParis, petId }), [placed.id], 'the + arrives');
    assert.deepEqual(await collect(store.orders({ note: 'NUNEZ, P' })), [sold]);
    const changed = await store.updateOrder(placed.id, { note: null });
    assert.ok(!('note' in changed));
    assert.deepEqual([changed.status, changed.completedAt], ['completed', sold.completedAt]);
    assert.deepEqual(await idsOf({ note: 'nunez' }), []);
    const { before } = (await store.listEvents({ petId, type: 'order.updated' })).items[0] ?? {};
    assert.deepEqual(before, { note: 'Mr Núñez, paid' });
    const invalid = { completedFrom: new Date('yesterday') };
    assert.equal((await failureOf(store.listOrders(invalid))).code, 'invalid_argument');
  });

  it('keeps every digit of any 64-bit integer, both ways', async () => {
    const extremes = [INT64_MIN, INT64_MIN + 1n, -(2n ** 53n) - 1n, -1n, 0n, 2n ** 53n + 1n, INT64_MAX];
    for (const categoryId of extremes) {
      const created = await store.createPet({ name: '9007199254740993', categoryId });
      assert.equal(created.categoryId, categoryId);
      assert.deepEqual((await store.listPets({ limit: 1 })).items, [withoutEtag(created)]);
    }
    await fc.assert(
      fc.asyncProperty(fc.bigInt(INT64_MIN, INT64_MAX), async (categoryId) => {
        assert.equal((await store.createPet({ name: 'Rex', categoryId })).categoryId, categoryId);
      }),
      { numRuns: 50 },
    );
  });

  it('rejects an inexact or too large integer before it sends anything', async () => {
    const before = await requestCount();
    for (const value of [
      2 ** 53,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      INT64_MAX + 1n,
      INT64_MIN - 1n,
    ]) {
      for (const promise of [
        store.createPet({ name: 'Rex', categoryId: value }),
        store.createOrder({ petId: value }),
        store.getPet(value),
        store.updateOrder(value, { status: 'completed' }),
        store.listPets({ id: value }),
        store.listPets({ id: [1n, value] }),
        collect(store.pets({ id: value })),
      ]) {
        const { code, status, message } = await failureOf(promise);
        assert.deepEqual([code, status], ['invalid_argument', 0]);
        assert.match(message, /^(?:categoryId|petId|id) must be a 64-bit integer/);
      }
    }
    assert.equal(await requestCount(), before + 1);
  });

  it('rejects an empty list of ids, which would match every animal', async () => {
    assert.equal((await failureOf(store.listPets({ id: [] }))).code, 'invalid_argument');
  });

  it('reports an error of the service with its code, status, message and request id', async () => {
    const pet = await store.createPet({ name: 'Rex', categoryId: 1 });
    await store.createOrder({ petId: pet.id });
    const cases: [() => Promise<unknown>, string, number, RegExp][] = [
      [() => store.createPet({ name: ' ', categoryId: 1 }), 'invalid_request', 400, /name must be/],
      [() => store.listPets({ limit: 101 }), 'invalid_parameter', 400, /limit must be/],
      [() => store.getPet(INT64_MAX), 'pet_not_found', 404, /no animal/],
      [() => store.createOrder({ petId: INT64_MAX }), 'pet_not_found', 404, /no animal/],
      [() => store.createOrder({ petId: pet.id }), 'pet_not_available', 409, /not available/],
      [() => store.updateOrder(INT64_MAX, { status: 'completed' }), 'order_not_found', 404, /no order/],
      [
        () => clientOf(`${service.origin}/v1`, { apiKey: 'another-key' }).listPets(),
        'unauthorized',
        401,
        /./,
      ],
      [() => clientOf(`${service.origin}/v2`).listPets(), 'not_found', 404, /./],
    ];
    for (const [call, code, status, message] of cases) {
      const error = await failureOf(call());
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
