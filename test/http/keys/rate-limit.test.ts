import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertError } from '../../support/assert.ts';
import { type Answer, KEY, startService } from '../../support/service/service.ts';

const OTHER = 'another-key-of-the-suite';
const left = ({ headers }: Answer) => /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '');

describe('--rate-limit', () => {
  it('allows each key its quota, says what is left, and then answers 429', async (t) => {
    const rateLimit = { quota: 3, seconds: 60 };
    const service = await startService(t, { config: { rateLimit, apiKeys: [KEY, OTHER] } });
    for (const [path, status, remaining] of [
      ['/v1/pets', 200, 2],
      ['/v1/pets/1', 404, 1],
      ['/v1/nope', 404, 0],
    ] as const) {
      const answer = await service.call('GET', path);
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('ratelimit-policy'), '"default";q=3;w=60');
      assert.equal(Number(left(answer)?.[1]), remaining);
      assert.ok(Number(left(answer)?.[2]) > 0 && Number(left(answer)?.[2]) <= 60);
      assert.equal(answer.headers.get('retry-after'), null);
    }
    const refused = await service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7 } });
    assertError(refused, 429, 'rate_limited');
    assert.equal(Number(left(refused)?.[1]), 0);
    assert.equal(refused.headers.get('retry-after'), left(refused)?.[2]);
    assert.deepEqual((await service.call('GET', '/v1/pets', { key: OTHER })).json, [], 'another key');
    for (let n = 0; n < 10; n++) {
      assert.equal((await service.call('GET', '/healthz')).status, 200);
      assertError(await service.call('GET', '/v1/pets', { key: null }), 401, 'unauthorized');
    }
  });

  it('allows the quota again after Retry-After', async (t) => {
    const service = await startService(t, { config: { rateLimit: { quota: 1, seconds: 1 } } });
    assert.equal((await service.call('GET', '/v1/pets')).status, 200);
    let answer = await service.call('GET', '/v1/pets');
    // On a slow machine the second may be over already.
    for (const end = Date.now() + 20_000; answer.status === 200 && Date.now() < end; )
      answer = await service.call('GET', '/v1/pets');
    assertError(answer, 429, 'rate_limited');
    await sleep(Number(answer.headers.get('retry-after')) * 1000 + 20);
    assert.equal((await service.call('GET', '/v1/pets')).status, 200);
  });

  it('is off by default', async (t) => {
    const service = await startService(t);
    const { headers } = await service.call('GET', '/v1/pets');
    assert.deepEqual([headers.get('ratelimit'), headers.get('ratelimit-policy')], [null, null]);
  });
});
