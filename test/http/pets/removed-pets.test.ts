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
  it('finds animals that were removed, the latest removal first, and skips those that were not', async () => {
    const [rex, ada, tom, kit] = [await add('Rex'), await add('Ada'), await add('Tom'), await add('Kit')];
    for (const { path } of [ada, tom, rex]) await service.call('DELETE', path);
    const ids = [rex, ada, tom, kit].map(({ id }) => `id=${id}`).join('&');
    assert.deepEqual(await names(`removed=true&${ids}`), ['Rex', 'Tom', 'Ada']);
    assert.deepEqual(await names(`removed=true&${ids}&name=A`), ['Ada']);
    assert.deepEqual(await names(`removed=true&id=${kit.id}`), []);
    assert.deepEqual(await names(`removed=false&${ids}`), ['Kit']);
  });

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

  it('accepts 1 to 100 of them', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `id=${i + 1}`).join('&');
    const get = (query: string) => service.call('GET', `/v1/pets?removed=true&${query}`);
    assert.equal((await get(many(100))).status, 200);
    for (const query of [many(101), 'id=', 'id=x']) assertError(await get(query), 400, 'invalid_parameter');
  });

  it('follows a removal and a restore at once', async () => {
    const { id, path } = await add();
    assert.deepEqual(await names(`removed=true&id=${id}`), []);
    await service.call('DELETE', path);
    assert.deepEqual(await names(`removed=true&id=${id}`), ['Rex']);
    await service.call('POST', `${path}/restore`);
    assert.deepEqual(await names(`removed=true&id=${id}`), []);
  });
});

async function names(query: string): Promise<string[]> {
  const { status, json, text } = await service.call('GET', `/v1/pets?${query}`);
  assert.equal(status, 200, text);
  return (json as { name: string }[]).map(({ name }) => name);
}
