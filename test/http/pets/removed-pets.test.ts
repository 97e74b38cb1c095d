import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';

const service = await startServiceForFile();

const add = async (name = 'Rex'): Promise<{ path: string; id: bigint }> => {
  const { json } = await service.call('POST', '/v1/pets', { body: { name, categoryId: 7 } });
  const { id } = json as { id: bigint };
  return { path: `/v1/pets/${id}`, id };
};

describe('GET /v1/pets?removed=true&id=', () => {
  it('leads from page to page by a cursor that is valid for these ids and this name only', async () => {
    const pets = [await add('Rex'), await add('Rex'), await add('Rex')];
    for (const { path } of pets) await service.call('DELETE', path);
    const query = `removed=true&${pets.map(({ id }) => `id=${id}`).join('&')}`;
    const first = await service.call('GET', `/v1/pets?${query}&limit=2`);
    const link = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const last = await service.call('GET', `/v1/pets${link}`);
    assert.deepEqual(
      [first, last].map(({ json }) => (json as { id: bigint }[]).map(({ id }) => id)),
      [[pets[2]?.id, pets[1]?.id], [pets[0]?.id]],
    );
    assert.equal(last.headers.get('link'), null);
    const cursor = new URLSearchParams(link).get('cursor');
    for (const other of ['removed=true', `removed=true&id=${pets[0]?.id}`, `${query}&name=rex`])
      assertError(await service.call('GET', `/v1/pets?${other}&cursor=${cursor}`), 400, 'invalid_parameter');
  });
});
