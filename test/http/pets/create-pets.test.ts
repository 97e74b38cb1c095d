import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';

const service = await startServiceForFile();

describe('POST /v1/pets/batch', () => {
  it('adds all animals in their order', async () => {
    const body = {
      pets: [
        { name: 'A', categoryId: 1 },
        { name: 'B', categoryId: 2, status: 'sold', id: 9 },
      ],
    };
    const first = await service.call('POST', '/v1/pets/batch', { body });
    assert.equal(first.status, 201);
    const pets = first.json as { id: bigint; name: string; status: string }[];
    assert.deepEqual(
      pets.map(({ name, status }) => `${name} ${status}`),
      ['A available', 'B sold'],
    );
    assert.ok((pets[0]?.id ?? 0n) < (pets[1]?.id ?? 0n));
  });

  it('names every problem with its position, and adds none', async () => {
    const before = (await service.call('GET', '/v1/store/inventory')).text;
    const pets = [{ name: 'A', categoryId: 1 }, {}, { name: '', categoryId: 1 }, 7];
    const refused = await service.call('POST', '/v1/pets/batch', { body: { pets } });
    assertError(refused, 400, 'invalid_request');
    const { message } = refused.json as { message: string };
    assert.match(
      message,
      /pets\[1\]\.name is required; pets\[1\]\.categoryId is required; pets\[2\]\.name must/,
    );
    assert.match(message, /pets\[3\] /);
    for (const count of [0, 101]) {
      const list = Array.from({ length: count }, () => ({ name: 'A', categoryId: 1 }));
      const wrong = await service.call('POST', '/v1/pets/batch', { body: { pets: list } });
      assertError(wrong, 400, 'invalid_request');
      assert.match(wrong.text, /pets must have 1 to 100 animals/);
    }
    assertError(await service.call('POST', '/v1/pets/batch', { body: { pets: {} } }), 400, 'invalid_request');
    for (const item of [null, 'Rex', 7]) {
      const { text } = await service.call('POST', '/v1/pets/batch', { body: { pets: [item] } });
      assert.match(text, /"pets\[0\] must be a JSON object\."/);
    }
    assert.equal((await service.call('GET', '/v1/store/inventory')).text, before);
  });

  it('leaves the other methods of its path to the animal that it would name', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE'])
      assert.equal((await service.call(method, '/v1/pets/batch')).status, 404);
    assertError(await service.call('GET', '/v1/pets/batch'), 404, 'pet_not_found');
  });
});
