import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeCursor } from '../../../src/contract/cursor.ts';
import type { Order } from '../../../src/contract/order.ts';
import { assertError, header } from '../../support/assert.ts';
import { type Service, startService } from '../../support/service/service.ts';

async function place(service: Service, note?: string): Promise<Order> {
  const pet = (await service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1 } })).json as {
    id: number;
  };
  const answer = await service.call('POST', '/v1/store/orders', { body: { petId: pet.id, note } });
  return answer.json as Order;
}

async function change(service: Service, { id }: Order, body: object): Promise<Order> {
  const answer = await service.call('PATCH', `/v1/store/orders/${id}`, { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.json as Order;
}

const idsOf = async (service: Service, query: string): Promise<unknown[]> => {
  const answer = await service.call('GET', `/v1/store/orders?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return (answer.json as Order[]).map(({ id }) => id);
};

describe('GET /v1/store/orders', () => {
  it('lists what was sold in a time, the latest completion first, even if it was returned since', async (t) => {
    const service = await startService(t);
    const orders = [await place(service), await place(service), await place(service)] as const;
    const [first, second, third] = orders;
    const sold: Order[] = [];
    for (const order of [third, first, second]) {
      sold.push(await change(service, order, { status: 'completed' }));
      await sleep(3);
    }
    await change(service, first, { status: 'returned' });
    await place(service);
    const [a, b, c] = sold.map(({ completedAt }) => completedAt as string) as [string, string, string];
    assert.deepEqual(await idsOf(service, `completedFrom=${a}`), [second.id, first.id, third.id]);
    // The first time is part of the range, the last one is not.
    assert.deepEqual(await idsOf(service, `completedFrom=${a}&completedBefore=${c}`), [first.id, third.id]);
    assert.deepEqual(await idsOf(service, `completedBefore=${b}`), [third.id]);
    assert.deepEqual(await idsOf(service, `completedFrom=${a}&status=returned`), [first.id]);
    assert.deepEqual(await idsOf(service, `completedFrom=${c}&completedBefore=${c}`), []);
    const offset = new Date(Date.parse(b) + 3_600_000).toISOString().replace('Z', '%2B01:00');
    assert.deepEqual(await idsOf(service, `completedFrom=${offset}`), [second.id, first.id]);
    // Between two milliseconds, which is after the first one.
    const between = b.replace('Z', '5Z');
    assert.deepEqual(await idsOf(service, `completedFrom=${between}`), [second.id]);
    assert.deepEqual(await idsOf(service, `completedBefore=${between}`), [first.id, third.id]);
    const page = await service.call('GET', `/v1/store/orders?completedFrom=${a}&limit=2`);
    const next = /<([^>]+)>; rel="next"/.exec(header(page, 'link') ?? '')?.[1] ?? '';
    assert.deepEqual(await idsOf(service, next.slice(1)), [third.id]);
    // Another time with the same seconds is another list.
    const other = next.slice(1).replace(a, new Date(Date.parse(a) + 1).toISOString());
    assertError(await service.call('GET', `/v1/store/orders?${other}`), 400, 'invalid_parameter');
  });

  it('lists the orders of several animals, newest first over all of them', async (t) => {
    const service = await startService(t);
    const [a, b, c, d] = [
      await place(service, 'Ms Lee'),
      await place(service),
      await place(service),
      await place(service, 'Ms Lee'),
    ] as [Order, Order, Order, Order];
    await change(service, a, { status: 'cancelled' });
    const again = (await service.call('POST', '/v1/store/orders', { body: { petId: a.petId } }))
      .json as Order;
    const query = `petId=${a.petId}&petId=${c.petId}&petId=${d.petId}&petId=${a.petId}`;
    assert.deepEqual(await idsOf(service, query), [again.id, d.id, c.id, a.id]);
    assert.deepEqual(await idsOf(service, `${query}&status=placed`), [again.id, d.id, c.id]);
    assert.deepEqual(await idsOf(service, `${query}&note=lee`), [d.id, a.id]);
    const first = await service.call('GET', `/v1/store/orders?${query}&limit=3`);
    const next = /<\?([^>]+)>; rel="next"/.exec(header(first, 'link') ?? '')?.[1] ?? '';
    assert.deepEqual(await idsOf(service, next), [a.id]);
    // The same animals in another order are the same list.
    const cursor = /cursor=[\w-]+/.exec(next)?.[0];
    const [one, other] = [`petId=${a.petId}`, `petId=${d.petId}&petId=${c.petId}`];
    assert.deepEqual(await idsOf(service, `${cursor}&${other}&${one}`), [a.id]);
    assertError(await service.call('GET', `/v1/store/orders?${cursor}&${one}`), 400, 'invalid_parameter');
    // A cursor of one animal is what it was when only one could be given.
    const issued = encodeCursor(`["listOrders",["petId","${a.petId}"]]`, { id: BigInt(a.id) });
    assert.deepEqual(await idsOf(service, `${one}&cursor=${issued}`), [a.id]);
    assert.deepEqual(await idsOf(service, `petId=${b.petId}&petId=9223372036854775807`), [b.id]);
  });

  it('names every problem at once', async (t) => {
    const service = await startService(t);
    const refusals: Record<string, RegExp> = {
      'completedFrom=2026-11-17T00:00:00': /^completedFrom must be a time with seconds and offset/,
      'completedFrom=2026-11-17': /^completedFrom must be a time with seconds and offset/,
      'completedFrom=2026-11-17T00:00:00+01:00': /^completedFrom must be a time .*%2B/,
      'completedBefore=2026-02-30T00:00:00Z': /^completedBefore must be a time/,
      'completedFrom=0000-06-01T00:00:00Z': /^completedFrom must be a time/,
      'completedFrom=0001-01-01T00:00:00%2B14:00': /^completedFrom must be a time/,
      'completedFrom=2026-11-18T00:00:00Z&completedBefore=2026-11-17T00:00:00Z':
        /^completedFrom must not be after completedBefore\.$/,
      'completedFrom=x&completedBefore=y&note=&limit=0&status=gone':
        /^limit must .*; status must .*; completedFrom must .*; completedBefore must .*; note must /,
      'completedfrom=2026-11-17T00:00:00Z': /^completedfrom must be written completedFrom/,
      'note=a&note=b': /^note must be given once/,
      'note=+': /^note must be .* not only accents or white space/,
      'petId=': /^petId must be 1 to 100 whole numbers, such as petId=7&petId=9\.$/,
      'petId=1&petId=x': /^petId must be 1 to 100 whole numbers/,
      [Array.from({ length: 101 }, (_, i) => `petId=${i}`).join('&')]:
        /^petId must be 1 to 100 whole numbers/,
    };
    for (const [query, message] of Object.entries(refusals)) {
      const answer = await service.call('GET', `/v1/store/orders?${query}`);
      assert.match(assertError(answer, 400, 'invalid_parameter'), message, query);
    }
  });
});

describe('PATCH /v1/store/orders/{orderId} with a note', () => {
  it('refuses what is no change, and changes nothing', async (t) => {
    const service = await startService(t);
    const order = await place(service, 'Ms Lee');
    const refusals: [object, RegExp][] = [
      [{}, /^status, note or from is required/],
      [{ Note: 'x' }, /^Note is not known here: send status, note or from\.$/],
      [{ note: '' }, /^note must be 1 to 1,000 characters/],
      [{ note: ' ', status: 'gone' }, /^status must .*; note must /],
      [{ note: 7 }, /^note must be text/],
      [{ note: 'x'.repeat(1001) }, /^note must be 1 to 1,000 characters/],
    ];
    for (const [body, message] of refusals) {
      const answer = await service.call('PATCH', `/v1/store/orders/${order.id}`, { body });
      assert.match(assertError(answer, 400, 'invalid_request'), message, JSON.stringify(body));
    }
    assert.deepEqual((await service.call('GET', `/v1/store/orders/${order.id}`)).json, order);
  });
});

describe('GET /v1/store/inventory?categoryId=', () => {
  it('counts the animals of one category, named or not', async (t) => {
    const service = await startService(t);
    const large = '9223372036854775807';
    await service.call('POST', '/v1/pets', { raw: `{"name":"Rex","categoryId":${large}}` });
    await place(service);
    const counts = async (query: string) => (await service.call('GET', `/v1/store/inventory${query}`)).json;
    assert.deepEqual(await counts(`?categoryId=${large}`), { available: 1, pending: 0, sold: 0 });
    assert.deepEqual(await counts('?categoryId=1'), { available: 0, pending: 1, sold: 0 });
    assert.deepEqual(await counts('?categoryId=-1'), { available: 0, pending: 0, sold: 0 });
    assert.deepEqual(await counts(''), { available: 1, pending: 1, sold: 0 });
    for (const query of ['?categoryId=x', '?categoryId=1&categoryId=2', '?CategoryId=1'])
      assertError(await service.call('GET', `/v1/store/inventory${query}`), 400, 'invalid_parameter');
  });
});
