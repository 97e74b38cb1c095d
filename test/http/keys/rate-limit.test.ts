import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../../src/contract/limits.ts';
import { limitFailedAuthentication } from '../../../src/http/request/rate-limit.ts';
import { assertError } from '../../support/assert.ts';
import { type Answer, KEY, startService } from '../../support/service/service.ts';
import { converse, HOST, request } from '../../support/wire/conversation.ts';

/** The statuses of requests with these keys, in this order on one connection, several at a time. */
async function statusesOf(port: number, keys: readonly string[]): Promise<number[]> {
  const { socket, send, next } = converse(port);
  const statuses: number[] = [];
  for (let sent = 0; sent < keys.length; sent += limits.waitingRequests) {
    const some = keys.slice(sent, sent + limits.waitingRequests);
    send(
      some.map((key) => request('GET /v1/pets?limit=1', `${HOST}Authorization: Bearer ${key}\r\n`)).join(''),
    );
    for (const _ of some) statuses.push((await next()).status);
  }
  socket.destroy();
  return statuses;
}

const OTHER = 'another-key-of-the-suite';
const left = ({ headers }: Answer) => /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '');

const WRONG = { refused: 'unknown' } as const;

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

  it('holds for each of 10,001 keys in rotation', async (t) => {
    const apiKeys = Array.from({ length: 10_001 }, (_, n) => `key-${n}`);
    const service = await startService(t, { config: { apiKeys, rateLimit: { quota: 1, seconds: 600 } } });
    const statuses = await statusesOf(service.port, [...apiKeys, 'key-0', 'key-1', 'key-10000']);
    assert.deepEqual(statuses.slice(-4), [200, 429, 429, 429]);
  });

  it('is off by default', async (t) => {
    const service = await startService(t);
    const { headers } = await service.call('GET', '/v1/pets');
    assert.deepEqual([headers.get('ratelimit'), headers.get('ratelimit-policy')], [null, null]);
  });
});

describe('Failed authentication', () => {
  it('is limited per address, and never locks out a valid key', { timeout: 60_000 }, async (t) => {
    const service = await startService(t, { config: { trustProxy: ['127.0.0.1'] } });
    const from = (address: string, key: string | null) =>
      service.call('GET', '/v1/pets', { key, headers: { 'x-forwarded-for': address } });
    const statuses = new Set<number>();
    for (let n = 0; n < 600; n++) statuses.add((await from('192.0.2.1', `wrong-${n}`)).status);
    assert.deepEqual([...statuses], [401]);
    const refused = await from('192.0.2.1', 'wrong');
    assertError(refused, 429, 'rate_limited');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await from('192.0.2.1', KEY)).status, 200, 'a valid key from the same address');
    assertError(await from('192.0.2.1', null), 401, 'unauthorized');
    assertError(await from('192.0.2.2', 'wrong'), 401, 'unauthorized');
  });

  it('can be checked without being counted', () => {
    const { count, check } = limitFailedAuthentication();
    const request = { address: '192.0.2.1', answerHeaders: [] } as never;
    for (let n = 0; n < 600; n++) {
      check(request, WRONG);
      count(request, WRONG);
    }
    assert.throws(() => check(request, WRONG), /invalid API key/);
    check({ address: '192.0.2.2', answerHeaders: [] } as never, WRONG);
  });

  it('keeps a bounded number of addresses', () => {
    const { count } = limitFailedAuthentication();
    const fail = (address: string) => count({ address, answerHeaders: [] } as never, WRONG);
    for (let n = 0; n < 600; n++) fail('192.0.2.1');
    assert.throws(() => fail('192.0.2.1'), /invalid API key/);
    const others = Array.from({ length: 110_000 }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    const refused = others.filter((address) => {
      try {
        fail(address);
        return false;
      } catch {
        return true;
      }
    });
    assert.throws(() => fail('192.0.2.1'), /invalid API key/, 'no count is forgotten');
    // Those for which there is no room share the count of one.
    assert.equal(refused.length, 110_000 - (100_000 - 1) - 600);
  });
});
