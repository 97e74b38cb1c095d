import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { addPet, etagOf } from './support.ts';

const service = await startServiceForFile();

describe('DELETE /v1/pets/{petId}', () => {
  it('removes the animal; restore brings it back', async () => {
    const { path, answer } = await addPet(service, { status: 'sold' });
    const removed = await service.call('DELETE', `${path}?reason=died`);
    assert.deepEqual([removed.status, removed.text], [204, '']);
    for (const method of ['GET', 'DELETE', 'PATCH'])
      assertError(
        await service.call(method, path, method === 'PATCH' ? { body: {} } : {}),
        404,
        'pet_not_found',
      );
    const [latest] = (await service.call('GET', '/v1/pets?removed=true&limit=1')).json as object[];
    const { removedAt, ...animal } = latest as { removedAt: string };
    assert.deepEqual(animal, { ...(answer.json as object), reason: 'died' });
    assert.match(removedAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const restored = await service.call('POST', `${path}/restore`);
    assert.deepEqual([restored.status, restored.text, etagOf(restored)], [200, answer.text, etagOf(answer)]);
    assertError(await service.call('POST', `${path}/restore`), 409, 'pet_not_removed');
    assertError(await service.call('POST', '/v1/pets/0/restore'), 404, 'pet_not_found');
    assertError(await service.call('POST', '/v1/pets/abc/restore'), 404, 'pet_not_found');
  });

  it('walks through what was removed by Link, and refuses to combine that with another filter than id and name', async () => {
    const added = await Promise.all(Array.from({ length: 5 }, () => addPet(service)));
    for (const { path } of added) await service.call('DELETE', path);
    const seen: bigint[] = [];
    let next: string | undefined = '?removed=true&limit=2';
    while (next && seen.length < added.length) {
      const page = await service.call('GET', `/v1/pets${next}`);
      seen.push(...(page.json as { id: bigint }[]).map(({ id }) => id));
      next = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual(seen.slice(0, 5), added.map(({ id }) => id).reverse());
    for (const filter of ['status=sold', 'categoryId=7', 'id=1&status=sold', 'name=rex&categoryId=7']) {
      const refused = await service.call('GET', `/v1/pets?removed=true&${filter}`);
      assert.match(
        assertError(refused, 400, 'invalid_parameter'),
        /^removed can be combined with id and name only: leave the other filters out/,
      );
    }
    const twice = await service.call('GET', '/v1/pets?removed=true&status=sold&limit=0');
    assert.match(assertError(twice, 400, 'invalid_parameter'), /^limit must .*; removed can be combined/);
    assertError(await service.call('GET', '/v1/pets?removed=yes'), 400, 'invalid_parameter');
    const byName = await service.call('GET', '/v1/pets?removed=true&name=REX&limit=1');
    assert.equal((byName.json as object[]).length, 1, byName.text);
    const cursor = /cursor=([^&>]*)/.exec(
      (await service.call('GET', '/v1/pets?limit=1')).headers.get('link') ?? '',
    );
    const crossed = await service.call('GET', `/v1/pets?removed=true&limit=1&cursor=${cursor?.[1]}`);
    assertError(crossed, 400, 'invalid_parameter');
  });
});

describe('DELETE /v1/pets/{petId}?reason=', () => {
  it('refuses a reason that is none, or too long, and removes nothing', async () => {
    const { path } = await addPet(service);
    const long = 'ü'.repeat(201);
    for (const query of ['reason=', 'reason=%20', `reason=${long}`, 'reason=a&reason=b', 'reason=%00']) {
      const refused = await service.call('DELETE', `${path}?${query}`);
      assert.match(assertError(refused, 400, 'invalid_parameter'), /^reason must be /, query);
    }
    assertError(await service.call('DELETE', `${path}?Reason=died`), 400, 'invalid_parameter');
    assert.equal((await service.call('GET', path)).status, 200);
    assert.equal((await service.call('DELETE', `${path}?reason=${long.slice(1)}`)).status, 204);
    const [latest] = (await service.call('GET', '/v1/pets?removed=true&limit=1')).json as object[];
    assert.equal((latest as { reason: string }).reason, long.slice(1));
  });
});
