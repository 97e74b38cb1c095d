import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Order } from '../../../src/contract/order.ts';
import type { Pet } from '../../../src/contract/pet.ts';
import { assertError, header } from '../../support/assert.ts';
import { linkOf } from '../../support/links.ts';
import { type Service, startService } from '../../support/service/service.ts';

async function fill(service: Service, orders: number): Promise<void> {
  for (let id = 1; id <= orders; id++) {
    await service.call('POST', '/v1/pets', { body: { name: `Pet ${id}`, categoryId: id } });
    await service.call('POST', '/v1/store/orders', { body: { petId: id } });
  }
}

/** Every item of a list, by following the Link headers. */
async function walk<T>(service: Service, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await service.call('GET', next);
    items.push(...(answer.json as T[]));
    next = linkOf(answer, 'next', next);
  }
  return items;
}

describe('GET /v1/store/orders', () => {
  it('lists orders newest first, in pages, filtered by status', async (t) => {
    const service = await startService(t);
    await fill(service, 7);
    for (const id of [2, 4])
      await service.call('PATCH', `/v1/store/orders/${id}`, { body: { status: 'completed' } });
    const ids = async (path: string) => (await walk<Order>(service, path)).map(({ id }) => Number(id));
    assert.deepEqual(await ids('/v1/store/orders?limit=3'), [7, 6, 5, 4, 3, 2, 1]);
    assert.deepEqual(await ids('/v1/store/orders?limit=1&status=completed'), [4, 2]);
    assert.deepEqual(await ids('/v1/store/orders?limit=2&status=placed'), [7, 6, 5, 3, 1]);
    assert.deepEqual(await ids('/v1/store/orders?status=cancelled'), []);
  });

  it('refuses the same invalid parameters as listPets', async (t) => {
    const service = await startService(t);
    for (const query of ['limit=0', 'limit=101', 'limit=5.0', 'limit=1&limit=2', 'status=sold', 'cursor=x']) {
      assertError(await service.call('GET', `/v1/store/orders?${query}`), 400, 'invalid_parameter');
    }
    assertError(await service.call('GET', '/v1/store/orders', { key: null }), 401, 'unauthorized');
  });

  it('refuses the cursor of another list', async (t) => {
    const service = await startService(t);
    await fill(service, 2);
    const link = header(await service.call('GET', '/v1/pets?limit=1'), 'link') ?? '';
    const cursor = /cursor=([\w-]+)/.exec(link)?.[1];
    assertError(await service.call('GET', `/v1/store/orders?cursor=${cursor}`), 400, 'invalid_parameter');
  });
});

describe('GET /v1/pets?id=', () => {
  it('returns the animals with these ids, newest first, and skips ids that do not exist', async (t) => {
    const service = await startService(t);
    await fill(service, 5);
    const ids = async (query: string) =>
      (await walk<Pet>(service, `/v1/pets?${query}`)).map(({ id }) => Number(id));
    assert.deepEqual(await ids('id=2&id=5&id=2&id=99&id=-1'), [5, 2]);
    assert.deepEqual(await ids('id=1&id=2&id=3&limit=2'), [3, 2, 1]);
    assert.deepEqual(await ids('id=4&status=pending'), [4]);
    assert.deepEqual(await ids('id=4&status=sold'), []);
    assert.deepEqual(await ids('id=9223372036854775807'), []);
  });

  it('accepts 1 to 100 integers', async (t) => {
    const service = await startService(t);
    const query = (count: number) => Array.from({ length: count }, (_, i) => `id=${i + 1}`).join('&');
    assert.equal((await service.call('GET', `/v1/pets?${query(100)}`)).status, 200);
    for (const bad of [
      query(101),
      'id=',
      'id=abc',
      'id=1.0',
      'id=1&id=x',
      'id=9223372036854775808',
      'id=1,2',
    ]) {
      assertError(await service.call('GET', `/v1/pets?${bad}`), 400, 'invalid_parameter');
    }
  });

  it('binds the cursor to the ids', async (t) => {
    const service = await startService(t);
    await fill(service, 3);
    const link = header(await service.call('GET', '/v1/pets?id=1&id=3&limit=1'), 'link') ?? '';
    const cursor = /cursor=([\w-]+)/.exec(link)?.[1];
    assert.equal((await service.call('GET', `/v1/pets?id=3&id=1&cursor=${cursor}`)).status, 200);
    assertError(await service.call('GET', `/v1/pets?id=1&cursor=${cursor}`), 400, 'invalid_parameter');
  });
});
