import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Pet } from '../../../src/contract/pet.ts';
import { assertError } from '../../support/assert.ts';
import { startService } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';

const STATUSES = ['available', 'pending', 'sold'] as const;
const TOTAL = 25;
const NAMES = ['Max, Betta', 'Zoë', 'Bétta Max'];
const service = await startServiceForFile();
const descending = (from: number, count: number) => Array.from({ length: count }, (_, i) => from - i);

before(async () => {
  const statusOf = (i: number) => STATUSES[i % 3] ?? 'sold';
  const pets = Array.from({ length: TOTAL }, (_, i) => ({
    name: NAMES[TOTAL - 1 - i] ?? `Animal ${i}`,
    categoryId: BigInt(i),
    status: statusOf(i),
  }));
  await service.store.createPets(pets);
  for (const id of [1n, 2n]) await service.store.removePet(id);
});

async function idsOf(query: string): Promise<number[]> {
  const answer = await service.call('GET', `/v1/pets?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return (answer.json as Pet[]).map(({ id }) => Number(id));
}

async function assertRefused(query: string, message: RegExp): Promise<void> {
  const answer = await service.call('GET', `/v1/pets?${query}`);
  assert.match(assertError(answer, 400, 'invalid_parameter'), message, query);
}

describe('GET /v1/pets', () => {
  it('returns an empty array when there are no animals', async (t) => {
    const answer = await (await startService(t)).call('GET', '/v1/pets');
    assert.deepEqual([answer.status, answer.text, answer.headers.get('link')], [200, '[]', null]);
  });

  it('returns the newest 20, or as many as asked for, newest first', async () => {
    assert.deepEqual(await idsOf(''), descending(TOTAL, 20));
    for (const limit of [1, 2, 22]) assert.deepEqual(await idsOf(`limit=${limit}`), descending(TOTAL, limit));
    assert.deepEqual(await idsOf('limit=100'), descending(TOTAL, TOTAL - 2));
  });

  it('takes every parameter, however many others and whatever else there is', async () => {
    await assertRefused(`${'x&'.repeat(1000)}limit=0`, /^limit must/);
    assert.deepEqual(await idsOf('x=%ff&name=Zo%C3%AB'), [TOTAL - 1]);
  });

  it('returns those of a status, of a category, with ids or with words in their name', async () => {
    for (const [n, status] of STATUSES.entries())
      assert.deepEqual(
        await idsOf(`%73tatus=${status}`),
        descending(TOTAL, TOTAL - 2).filter((id) => (id - 1) % 3 === n),
      );
    assert.deepEqual(await idsOf('categoryId=4'), [5]);
    assert.deepEqual(await idsOf('id=12&id=15&id=12&id=99&id=-1&id=1'), [15, 12]);
    assert.deepEqual(await idsOf('id=13&id=12&status=available'), [13]);
    assert.deepEqual(await idsOf(Array.from({ length: 100 }, (_, i) => `id=${i + 25}`).join('&')), [25]);
    for (const words of ['max%20betta', 'BETTA+Max', '%20%C3%A9tt%E3%80%80%20max%09ma'])
      assert.deepEqual(await idsOf(`name=${words}`), [25, 23], words);
    assert.deepEqual(await idsOf('name=max+betta&id=25&id=24'), [25]);
    assert.deepEqual(await idsOf('name=OE&status=sold'), [24]);
  });

  it('returns those that were removed, also by id and name', async () => {
    assert.deepEqual(await idsOf('removed=true'), [2, 1]);
    assert.deepEqual(await idsOf('removed=true&id=1&id=5&name=ANIMAL'), [1]);
    for (const filter of ['status=sold', 'categoryId=7', 'id=1&status=sold', 'name=rex&categoryId=7'])
      await assertRefused(
        `removed=true&${filter}`,
        /^removed can be combined with id and name only: leave the other filters out/,
      );
    await assertRefused('removed=true&status=sold&limit=0', /^limit must .*; removed can be combined/);
  });

  const invalid: Readonly<Record<string, readonly string[]>> = {
    limit: [
      ...['', '0', '-1', '101', '9'.repeat(400), '5.0', '0x10', '%2B5', '+5', '%205', '5%0A', '5%00', '1e1'],
      ...['1_0', '5,6', 'abc', 'NaN', 'true', '%zz', '%D9%A5', '%EF%BC%95', '5&limit=5', '5&%6Cimit=6'],
    ],
    status: ['', 'Available', 'sold%20', 'sold,pending', '__proto__', '%zz', 'sold&status=sold'],
    categoryId: ['', 'abc', '1.0', '07', '+1', '9223372036854775808', '1&categoryId=2'],
    id: ['', 'abc', '1.0', '1&id=x', '9223372036854775808', '1,2', `1${'&id=1'.repeat(100)}`],
    name: ['', 'x'.repeat(201), 'a&name=b', '%00', '%CC%81', '%20%09', '%C2%A8'],
    removed: ['yes'],
  };
  for (const [name, values] of Object.entries(invalid))
    it(`refuses any other ${name}`, async () => {
      for (const value of values) await assertRefused(`${name}=${value}`, new RegExp(`^${name} must `));
    });

  it('names every problem at once, and the right spelling of a parameter', async () => {
    await assertRefused(
      'Status=sold&status=lost&limit=0&cursor=broken',
      /^limit .*; cursor .*; status .*; Status must be written status\.$/,
    );
    await assertRefused('LIMIT=5&id%5b%5D=1', /^LIMIT must be written limit; id\[\] must be written id\.$/);
  });

  it('ignores unknown parameters', async () => {
    for (const query of [
      'colour=red',
      'limits=1',
      'limit[0]=1&limit[][]=1&[]=1&%20id=x',
      '__proto__=1&constructor=2',
      '%zz=%zz',
      '&&=&',
    ])
      assert.deepEqual(await idsOf(query), descending(TOTAL, 20), query);
    assert.equal((await service.call('GET', '/v1/store/inventory?Status=sold')).status, 200);
  });
});
