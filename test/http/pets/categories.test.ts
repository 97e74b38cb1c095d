import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';

const service = await startServiceForFile();
const name = (name: string) => ({ body: { name } });

describe('Categories', () => {
  it('are created, read, renamed and removed', async () => {
    const created = await service.call('POST', '/v1/categories', name('Dogs'));
    assert.equal(created.status, 201);
    const { id } = created.json as { id: bigint };
    const path = `/v1/categories/${id}`;
    assert.equal((await service.call('GET', path)).text, created.text);
    const renamed = await service.call('PUT', path, name('Hounds'));
    assert.deepEqual(
      [renamed.status, renamed.headers.get('location'), renamed.text],
      [200, null, `{"id":${id},"name":"Hounds","inventory":{"available":0,"pending":0,"sold":0}}`],
    );
    assert.deepEqual((await service.call('DELETE', path)).status, 204);
    for (const method of ['GET', 'DELETE'])
      assertError(await service.call(method, path), 404, 'category_not_found');
  });

  it('name any 64-bit identifier exactly, also one that animals use already', async () => {
    const id = 9007199254740993n;
    await service.call('POST', '/v1/pets', { raw: `{"name":"Rex","categoryId":${id}}` });
    const named = await service.call('PUT', `/v1/categories/${id}`, name('Large ones'));
    assert.deepEqual(
      [named.status, named.text],
      [201, `{"id":${id},"name":"Large ones","inventory":{"available":1,"pending":0,"sold":0}}`],
    );
    assertError(await service.call('DELETE', `/v1/categories/${id}`), 409, 'category_in_use');
    const found = await service.call('GET', `/v1/pets?categoryId=${id}&status=available&name=re`);
    assert.match(
      found.text,
      /^\[{"id":\d+,"name":"Rex","categoryId":9007199254740993,"status":"available"}\]$/,
    );
  });

  it('refuse what is not valid', async () => {
    for (const body of [{}, { name: '' }, { name: null }, { name: 7 }, { name: 'x'.repeat(1001) }])
      for (const [method, path] of [
        ['POST', '/v1/categories'],
        ['PUT', '/v1/categories/7'],
      ] as const)
        assertError(await service.call(method, path, { body }), 400, 'invalid_request');
    for (const id of ['abc', '1.0', '9223372036854775808', '-0']) {
      assertError(await service.call('GET', `/v1/categories/${id}`), 404, 'category_not_found');
      assertError(await service.call('PUT', `/v1/categories/${id}`, name('x')), 404, 'category_not_found');
    }
    assertError(await service.call('PATCH', '/v1/categories/7', { body: {} }), 405, 'method_not_allowed');
  });
});
