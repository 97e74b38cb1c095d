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
