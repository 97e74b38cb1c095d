import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeCursor } from '../../../src/contract/cursor.ts';
import type { Order } from '../../../src/contract/order.ts';
import { assertError, header } from '../../support/assert.ts';
import { type Answer, type CallOptions, startService } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { startServiceForFile } from '../../support/shared.ts';

const service = await startServiceForFile();
const { call } = service;

async function addPet(): Promise<number> {
  const { json } = await call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1 } });
  return (json as { id: number }).id;
}
const order = (body: object) => call('POST', '/v1/store/orders', { body });
const place = async (note?: string) => (await order({ petId: await addPet(), note })).json as Order;
const get = (orderId: unknown) => call('GET', `/v1/store/orders/${orderId}`);
const update = (orderId: unknown, body: object) => call('PATCH', `/v1/store/orders/${orderId}`, { body });
const statusOf = async (petId: unknown) =>
  ((await call('GET', `/v1/pets?id=${petId}`)).json as { status: string }[])[0]?.status;

describe('POST /v1/store/orders', () => {
  it('reserves an available animal, or sells it at once', async () => {
    const petId = await addPet();
    const placed = await order({ petId });
    const { id, createdAt, createdBy, ...rest } = placed.json as Order;
    assert.deepEqual([placed.status, header(placed, 'location')], [201, `orders/${id}`]);
    assert.deepEqual(rest, { petId, status: 'placed', updatedAt: createdAt });
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(await statusOf(petId), 'pending');

    const sold = { petId: await addPet(), status: 'completed', note: 'Ms Lee' };
    const { id: _, createdAt: at, ...sale } = (await order(sold)).json as Order;
    // The name of a key of API_KEYS is its identifier.
    assert.match(createdBy ?? '', /^env-/);
    assert.deepEqual(sale, { ...sold, updatedAt: at, completedAt: at, createdBy, completedBy: createdBy });
    assert.equal(await statusOf(sold.petId), 'sold');
  });

  it('refuses an animal that does not exist, and what is no order', async () => {
    const send = (raw: string) => call('POST', '/v1/store/orders', { raw });
    assertError(await send('{"petId":9223372036854775807}'), 404, 'pet_not_found');
    for (const petId of ['"1"', 'null', '1.5', '9223372036854775808', '[1]'])
      assert.match(assertError(await send(`{"petId":${petId}}`), 400, 'invalid_request'), /petId/);
    for (const status of ['"cancelled"', '"sold"', 'null'])
      assert.equal(
        assertError(await send(`{"petId":1,"status":${status}}`), 400, 'invalid_request'),
        'status must be placed or completed.',
      );
  });
});

describe('/v1/store/orders/{orderId}', () => {
  it('is read as it is now, and changed together with its animal', async () => {
    const keyOf = async (name: string) => (await storeKey(service.store, ['store:write'], { name })).key;
    const send = async (name: string, method: string, path: string, body: object) =>
      call(method, `/v1/store/orders${path}`, { body, key: await keyOf(name) });
    const created = await send('till 1', 'POST', '', {
      petId: await addPet(),
      createdBy: 'Eve',
      completedBy: 'Eve',
    });
    const placed = created.json as Order;
    assert.deepEqual((await get(placed.id)).json, placed);
    const answer = await send('till 2', 'PATCH', `/${placed.id}`, {
      status: 'completed',
      completedBy: 'Eve',
    });
    const { updatedAt, ...changed } = answer.json as Order;
    const { updatedAt: before, ...rest } = placed;
    const sale = { status: 'completed', completedAt: updatedAt, completedBy: 'till 2' };
    assert.deepEqual([answer.status, changed], [200, { ...rest, ...sale, createdBy: 'till 1' }]);
    assert.ok(updatedAt >= before);
    assert.equal(await statusOf(placed.petId), 'sold');
    assert.deepEqual((await get(placed.id)).json, answer.json);
  });

  it('refuses what is no change, and changes nothing', async () => {
    const placed = await place('Ms Lee');
    const refusals: [object, RegExp][] = [
      [{}, /^status, note or from is required/],
      [{ Note: 'x' }, /^Note is not known here: send status, note or from\.$/],
      [{ note: '' }, /^note must be 1 to 1,000 characters/],
      [{ note: ' ', status: 'gone' }, /^status must .*; note must /],
      [{ note: 7 }, /^note must be text/],
      [{ note: 'x'.repeat(1001) }, /^note must be 1 to 1,000 characters/],
      ...['sold', null, 1].map((status): [object, RegExp] => [{ status }, /^status must /]),
    ];
    for (const [body, message] of refusals)
      assert.match(assertError(await update(placed.id, body), 400, 'invalid_request'), message);
    assert.deepEqual((await get(placed.id)).json, placed);
  });

  it('is 404 for an order that does not exist, and needs a key and a method of the path', async () => {
    for (const id of ['9223372036854775807', '9223372036854775808', '0', 'abc', '1.0', '007']) {
      assertError(await get(id), 404, 'order_not_found');
      assertError(await update(id, { status: 'completed' }), 404, 'order_not_found');
    }
    for (const method of ['GET', 'PATCH'])
      assertError(await call(method, '/v1/store/orders/1', { key: null }), 401, 'unauthorized');
    const answer = await call('DELETE', '/v1/store/orders/1');
    assertError(answer, 405, 'method_not_allowed');
    assert.equal(header(answer, 'allow'), 'GET, HEAD, PATCH, OPTIONS');
  });
});

describe('GET /v1/store/orders', () => {
  const list = (query: string, options?: CallOptions) => call('GET', `/v1/store/orders?${query}`, options);
  async function idsOf(query: string): Promise<unknown[]> {
    const answer = await list(query);
    assert.equal(answer.status, 200, answer.text);
    return (answer.json as Order[]).map(({ id }) => id);
  }
  const nextOf = (answer: Answer) => /<\?([^>]+)>; rel="next"/.exec(header(answer, 'link') ?? '')?.[1] ?? '';

  it('has filters by time of completion, animal, note and status, page by page', async () => {
    const [a, b, c] = [await place('Ms Lee'), await place(), await place('Ms Lee')];
    const pets = [c, a, b, a].map(({ petId }) => `petId=${petId}`).join('&');
    for (const { id } of [b, a]) {
      await update(id, { status: 'completed' });
      await sleep(3);
    }
    await update(b.id, { status: 'returned' });
    const again = (await order({ petId: b.petId })).json as Order;
    const first = await list(`${pets}&limit=3`);
    assert.deepEqual(
      (first.json as Order[]).map(({ id }) => id),
      [again.id, c.id, b.id],
    );
    assert.deepEqual(await idsOf(nextOf(first)), [a.id]);
    assert.deepEqual(await idsOf(`${pets}&status=placed`), [again.id, c.id]);
    assert.deepEqual(await idsOf(`${pets}&note=lee`), [c.id, a.id]);
    assert.deepEqual(await idsOf(`petId=${b.petId}&petId=9223372036854775807&status=returned`), [b.id]);

    const at = ((await get(b.id)).json as Order).completedAt as string;
    assert.deepEqual(await idsOf(`${pets}&completedFrom=${at}`), [a.id, b.id]);
    assert.deepEqual(await idsOf(`${pets}&completedFrom=${at}&completedBefore=${at}`), []);
    const offset = new Date(Date.parse(at) + 3_600_000).toISOString().replace('Z', '%2B01:00');
    assert.deepEqual(await idsOf(`${pets}&completedFrom=${offset}&status=returned`), [b.id]);
    // Between two milliseconds, which is after the first one.
    const between = at.replace('Z', '5Z');
    assert.deepEqual(await idsOf(`${pets}&completedFrom=${between}`), [a.id]);
    assert.deepEqual(await idsOf(`${pets}&completedBefore=${between}`), [b.id]);
    const sold = nextOf(await list(`${pets}&completedFrom=${at}&limit=1`));
    assert.deepEqual(await idsOf(sold), [b.id]);
    // Another time with the same seconds is another list.
    const other = sold.replace(at, new Date(Date.parse(at) + 1).toISOString());
    assertError(await list(other), 400, 'invalid_parameter');
  });

  it('has cursors that belong to the animals, in any order, and to this list', async () => {
    const [a, b] = [await place(), await place()];
    const pets = [`petId=${a.petId}`, `petId=${b.petId}`];
    const cursor = /cursor=[\w-]+/.exec(nextOf(await list(`${pets.join('&')}&limit=1`)))?.[0];
    assert.deepEqual(await idsOf(`${cursor}&${pets.toReversed().join('&')}`), [a.id]);
    assertError(await list(`${cursor}&${pets[0]}`), 400, 'invalid_parameter');
    assertError(await list(`${cursor}`), 400, 'invalid_parameter');
    assertError(await call('GET', `/v1/pets?${cursor}`), 400, 'invalid_parameter');
    // A cursor of one animal is what it was when only one could be given.
    const issued = encodeCursor(`["listOrders",["petId","${b.petId}"]]`, { id: BigInt(b.id) + 1n });
    assert.deepEqual(await idsOf(`${pets[1]}&cursor=${issued}`), [b.id]);
  });

  it('names every problem at once', async () => {
    const refusals: Record<string, RegExp> = {
      'completedFrom=2026-11-17': /^completedFrom must be a time with seconds and offset/,
      'completedFrom=2026-11-17T00:00:00+01:00': /^completedFrom must be a time .*%2B/,
      'completedBefore=2026-02-30T00:00:00Z': /^completedBefore must be a time/,
      'completedFrom=2026-11-18T00:00:00Z&completedBefore=2026-11-17T00:00:00Z':
        /^completedFrom must not be after completedBefore\.$/,
      'completedFrom=x&completedBefore=y&note=&limit=0&status=gone&cursor=x':
        /^limit must .*; cursor .*; status must .*; completedFrom must .*; completedBefore must .*; note must /,
      'completedfrom=2026-11-17T00:00:00Z': /^completedfrom must be written completedFrom/,
      'note=a&note=b': /^note must be given once/,
      'note=+': /^note must be .* not only accents or white space/,
      'petId=1&petId=x': /^petId must be 1 to 100 whole numbers, such as petId=7&petId=9\.$/,
      [Array.from({ length: 101 }, (_, i) => `petId=${i}`).join('&')]: /^petId must be 1 to 100 /,
    };
    for (const [query, message] of Object.entries(refusals))
      assert.match(assertError(await list(query), 400, 'invalid_parameter'), message, query);
    assertError(await list('', { key: null }), 401, 'unauthorized');
  });
});

describe('GET /v1/store/inventory', () => {
  it('counts all animals, or those of one category, named or not', async (t) => {
    const { call } = await startService(t);
    const large = '9223372036854775807';
    await call('POST', '/v1/pets', { raw: `{"name":"Rex","categoryId":${large}}` });
    await call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1, status: 'sold' } });
    const counts = async (query: string) => (await call('GET', `/v1/store/inventory${query}`)).json;
    const none = { available: 0, pending: 0, sold: 0 };
    assert.deepEqual(await counts(`?categoryId=${large}`), { ...none, available: 1 });
    assert.deepEqual(await counts('?categoryId=1'), { ...none, sold: 1 });
    assert.deepEqual(await counts('?categoryId=-1'), none);
    assert.deepEqual(await counts(''), { ...none, available: 1, sold: 1 });
    for (const query of ['?categoryId=x', '?categoryId=1&categoryId=2', '?CategoryId=1'])
      assertError(await call('GET', `/v1/store/inventory${query}`), 400, 'invalid_parameter');
  });
});
