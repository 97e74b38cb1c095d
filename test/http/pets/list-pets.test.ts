import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertError } from '../../support/assert.ts';
import { startService } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';

interface Listed {
  readonly id: number;
  readonly status: string;
}

const STATUSES = ['available', 'pending', 'sold'] as const;
const TOTAL = 120;
const service = await startServiceForFile();

async function list(query: string): Promise<Listed[]> {
  const answer = await service.call('GET', `/v1/pets${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json as Listed[];
}

const descending = (from: number, count: number) => Array.from({ length: count }, (_, i) => from - i);
const idsOf = (pets: Listed[]) => pets.map(({ id }) => id);

describe('GET /v1/pets', () => {
  before(async () => {
    for (let i = 0; i < TOTAL; i++) {
      const body = { name: `Animal ${i + 1}`, categoryId: i, status: STATUSES[i % 3] };
      await service.call('POST', '/v1/pets', { body });
    }
  });

  it('returns an empty array when there are no animals', async (t) => {
    const fresh = await startService(t);
    const answer = await fresh.call('GET', '/v1/pets');
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '[]');
    assert.equal(answer.headers.get('link'), null);
  });

  it('returns the newest 20, newest first, without a limit', async () => {
    assert.deepEqual(idsOf(await list('')), descending(TOTAL, 20));
  });

  for (const limit of [1, 2, 19, 99, 100]) {
    it(`returns the newest ${limit} for limit=${limit}`, async () => {
      assert.deepEqual(idsOf(await list(`?limit=${limit}`)), descending(TOTAL, limit));
    });
  }

  for (const status of STATUSES) {
    it(`returns only ${status} animals, newest first, for status=${status}`, async () => {
      const pets = await list(`?status=${status}&limit=100`);
      const expected = descending(TOTAL, TOTAL).filter((id) => STATUSES[(id - 1) % 3] === status);
      assert.deepEqual(idsOf(pets), expected);
      assert.deepEqual(new Set(pets.map((pet) => pet.status)), new Set([status]));
    });
  }

  const outOfBounds = ['0', '-1', '101', '1000', '99999999999999999999', '9'.repeat(400)];
  const notPlainDigits = [
    '',
    '5.0',
    '0x10',
    '%2B5',
    '+5',
    '%205',
    '5%20',
    '5%0A',
    '5%00',
    '1e1',
    '1_0',
    '5,6',
  ];
  const notDigits = ['abc', 'null', 'NaN', 'Infinity', 'true', '%zz', '%D9%A5', '%EF%BC%95'];
  for (const value of [...outOfBounds, ...notPlainDigits, ...notDigits]) {
    it(`refuses limit=${value.slice(0, 30)} instead of clamping it`, async () => {
      const answer = await service.call('GET', `/v1/pets?limit=${value}`);
      assert.match(assertError(answer, 400, 'invalid_parameter'), /^limit /);
    });
  }

  for (const value of ['', 'Available', 'lost', 'sold%20', 'sold,pending', 'null', '__proto__', '%zz']) {
    it(`refuses status=${value}`, async () => {
      const answer = await service.call('GET', `/v1/pets?status=${value}`);
      assert.match(assertError(answer, 400, 'invalid_parameter'), /^status /);
    });
  }

  it('refuses a parameter that is given twice, even with the same value', async () => {
    for (const query of ['limit=5&limit=5', 'limit=5&limit=6', 'limit&limit=5', 'limit=5&%6Cimit=5']) {
      const answer = await service.call('GET', `/v1/pets?${query}`);
      assert.match(assertError(answer, 400, 'invalid_parameter'), /^limit /, query);
    }
    for (const query of ['status=sold&status=sold', 'status=sold&status=pending']) {
      const answer = await service.call('GET', `/v1/pets?${query}`);
      assert.match(assertError(answer, 400, 'invalid_parameter'), /^status /, query);
    }
  });

  it('names every problem at once, each with its parameter', async () => {
    const answer = await service.call('GET', '/v1/pets?status=lost&limit=0');
    assert.match(assertError(answer, 400, 'invalid_parameter'), /limit .*status |status .*limit /);
  });

  it('ignores unknown parameters', async () => {
    const queries = [
      '?colour=red',
      '?limits=1',
      '?limit[0]=1',
      '?__proto__=1&constructor=2',
      '?%zz=%zz',
      '?&&=&',
    ];
    for (const query of queries) assert.deepEqual(idsOf(await list(query)), descending(TOTAL, 20), query);
  });

  it('answers HEAD like GET, without the body', async () => {
    for (const query of ['', '?limit=3&status=sold', '?limit=100&status=sold', '?limit=0']) {
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => service.call(method, `/v1/pets${query}`)),
      );
      assert.equal(head?.status, get?.status);
      assert.equal(head?.text, '');
      for (const name of ['content-type', 'content-length', 'link']) {
        assert.equal(head?.headers.get(name), get?.headers.get(name), `${name} of ${query}`);
      }
    }
  });
});
