import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Pet } from '../../../src/contract/pet.ts';
import { assertError, header } from '../../support/assert.ts';
import { type Service, startService } from '../../support/service/service.ts';

async function serviceWith(t: TestContext, names: readonly string[]): Promise<Service> {
  const service = await startService(t);
  for (const [i, name] of names.entries()) {
    const status = i % 2 === 0 ? 'available' : 'sold';
    await service.store.createPet({ name, categoryId: 1n, status });
  }
  return service;
}

/** The names on every page of a list. */
async function pages(service: Service, query: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let next: string | undefined = query; next; ) {
    const answer = await service.call('GET', `/v1/pets${next}`);
    assert.equal(answer.status, 200, answer.text);
    found.push((answer.json as Pet[]).map(({ name }) => name));
    next = /<([^>]+)>; rel="next"/.exec(header(answer, 'link') ?? '')?.[1];
  }
  return found;
}

describe('GET /v1/pets?name=', () => {
  it('lists the animals whose name contains the text, newest first, page by page', async (t) => {
    const service = await serviceWith(t, ['Zoë', 'rex', 'T-REX', 'Rexona', 'Ada', 'Re']);
    assert.deepEqual(await pages(service, '?name=re&limit=3'), [['Re', 'Rexona', 'T-REX'], ['rex']]);
    assert.deepEqual(await pages(service, '?limit=1&name=RE&status=sold'), [['Re'], ['Rexona'], ['rex']]);
    assert.deepEqual(await pages(service, '?name=re&id=2&id=5&id=3'), [['T-REX', 'rex']]);
    assert.deepEqual(await pages(service, '?name=OE'), [['Zoë']]);
  });

  it('finds the names that contain every word of the text, in any order', async (t) => {
    const service = await serviceWith(t, ['Max, Betta', 'Betta', 'maximal bettas', 'Max', 'Bétta Max']);
    const both = [['Bétta Max', 'maximal bettas', 'Max, Betta']];
    for (const name of ['max%20betta', 'BETTA+Max', '%20%C3%A9tt%E3%80%80%20max%09ma'])
      assert.deepEqual(await pages(service, `?name=${name}`), both, name);
    assert.deepEqual(await pages(service, '?name=max+betta&status=sold'), [[]]);
    assert.deepEqual(await pages(service, '?name=betta+max&limit=2'), [
      both[0]?.slice(0, 2),
      both[0]?.slice(2),
    ]);
    await service.call('DELETE', '/v1/pets/1');
    assert.deepEqual(await pages(service, '?name=betta+max&removed=true'), [['Max, Betta']]);
  });

  it('returns an animal as soon as it is added, even on a page that was read before', async (t) => {
    const service = await serviceWith(t, ['Rex']);
    assert.deepEqual(await pages(service, '?name=re'), [['Rex']]);
    await service.call('POST', '/v1/pets', { body: { name: 'Red', categoryId: 1 } });
    assert.deepEqual(await pages(service, '?name=re'), [['Red', 'Rex']]);
  });

  it('refuses a text that cannot be searched for, and the cursor of another search', async (t) => {
    const service = await serviceWith(t, ['Rex', 'Red']);
    for (const query of [
      'name=',
      `name=${'x'.repeat(201)}`,
      'name=a&name=b',
      'name=%00',
      'name=%CC%81',
      'name=%20%09',
      'name=%C2%A8',
    ]) {
      const message = assertError(await service.call('GET', `/v1/pets?${query}`), 400, 'invalid_parameter');
      assert.match(message, /name must be/);
    }
    const first = await service.call('GET', '/v1/pets?name=r&limit=1');
    const cursor = /cursor=([\w-]+)/.exec(header(first, 'link') ?? '')?.[1];
    assert.match(cursor ?? '', /^[\w-]{16,}$/);
    for (const other of ['', '&name=re', '&name=r&status=sold'])
      assertError(await service.call('GET', `/v1/pets?cursor=${cursor}${other}`), 400, 'invalid_parameter');
  });
});
