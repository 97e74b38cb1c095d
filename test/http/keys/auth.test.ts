import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../../src/contract/errors.ts';
import { limitByKey } from '../../../src/http/request/admission.ts';
import type { HttpRequest } from '../../../src/http/request/request.ts';
import { digestOf, generateKey } from '../../../src/keys/format.ts';
import { assertError, header } from '../../support/assert.ts';
import { eventually } from '../../support/eventually.ts';
import { linesOf } from '../../support/service/log.ts';
import { assertSoonRefused } from '../../support/service/refused-key.ts';
import { type Answer, KEY, startService } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';

const CHALLENGE = 'Bearer realm="animal-store"';
const INVALID_TOKEN = `${CHALLENGE}, error="invalid_token"`;
const service = await startServiceForFile();
const list = (headers: readonly string[]) => rawRequest(service.port, 'GET /v1/pets', headers);

describe('Authorization', () => {
  it('is accepted with a scheme in any case, and white space around', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      assert.equal((await list([`Authorization: ${scheme} ${KEY}`])).status, 200);
      assert.equal((await list([`authorization:${scheme} ${KEY}  `])).status, 200);
    }
  });

  const withoutKey = {
    'no header': [],
    'an empty header': ['Authorization:'],
    'another scheme': ['Authorization: Basic dXNlcjpwYXNz'],
    'another scheme with the key': [`Authorization: Basic ${KEY}`],
    'the key alone': [`Authorization: ${KEY}`],
    'no token': ['Authorization: Bearer'],
    'spaces instead of a token': ['Authorization: Bearer   '],
    'another header': [`X-Api-Key: ${KEY}`],
  };
  const withWrongKey = {
    'a wrong key': ['Authorization: Bearer wrong'],
    'a key in another case': [`Authorization: Bearer ${KEY.toUpperCase()}`],
    'a part of the key': [`Authorization: Bearer ${KEY.slice(0, -1)}`],
    'two tokens': [`Authorization: Bearer ${KEY} ${KEY}`],
    'two keys in a list': [`Authorization: Bearer ${KEY}, Bearer ${KEY}`],
    'two headers': [AUTHORIZED, AUTHORIZED],
    'a right and a wrong header': [AUTHORIZED, 'Authorization: Bearer wrong'],
    'the digest of the key': [`Authorization: Bearer ${digestOf(KEY)}`],
    'the name of a property': ['Authorization: Bearer __proto__'],
    'a key that is not ASCII': ['Authorization: Bearer schlüssel'],
  };
  for (const [what, cases, challenge] of [
    ['without a key', withoutKey, CHALLENGE],
    ['with a wrong key', withWrongKey, INVALID_TOKEN],
  ] as const)
    it(`${what} gets 401 and ${challenge}`, async () => {
      for (const [what, headers] of Object.entries(cases)) {
        const answer = await list(headers);
        assertError(answer, 401, 'unauthorized');
        assert.equal(header(answer, 'www-authenticate'), challenge, what);
      }
    });

  it('is not taken from the query', async () => {
    for (const name of ['access_token', 'api_key', 'key']) {
      const answer = await rawRequest(service.port, `GET /v1/pets?${name}=${KEY}`, []);
      assertError(answer, 401, 'unauthorized');
    }
  });
});

describe('The key check', () => {
  const otherErrors = {
    '404 not_found': ['GET /v1/nope', []],
    '404 not_found of the prefix alone': ['GET /v1', []],
    '404 not_found below an escaped prefix': ['GET /%76%31/nope', []],
    '404 pet_not_found': ['GET /v1/pets/abc', []],
    '405 method_not_allowed': ['DELETE /v1/pets', []],
    '405 for a method that no path has': ['PROPFIND /v1/pets', []],
    '415 unsupported_media_type': ['POST /v1/pets', ['Content-Type: text/plain'], 'x'],
    '400 invalid_request': ['POST /v1/pets', ['Content-Type: application/json'], '{'],
    '400 for a body that is missing': ['POST /v1/pets', []],
    '400 invalid_parameter': ['GET /v1/pets?limit=0', []],
    '417 for an expectation that cannot be met': ['GET /v1/pets', ['Expect: the-unexpected']],
    '400 for a second Host': ['GET /v1/pets', ['Host: again']],
    '414 uri_too_long': [`GET /v1/pets?x=${'x'.repeat(9000)}`, []],
    // Only the length is sent. The service must not wait for the body.
    '413 payload_too_large': ['POST /v1/pets', ['Content-Type: application/json', 'Content-Length: 999999']],
  } as const;
  for (const [what, [requestLine, headers, body = '']] of Object.entries(otherErrors)) {
    it(`comes before ${what}`, async () => {
      assertError(await rawRequest(service.port, requestLine, headers, body), 401, 'unauthorized');
      const wrong = [...headers, 'Authorization: Bearer wrong'];
      assertError(await rawRequest(service.port, requestLine, wrong, body), 401, 'unauthorized');
      const status = Number.parseInt(what, 10);
      const known = await rawRequest(service.port, requestLine, [...headers, AUTHORIZED], body);
      assert.equal(known.status, status);
    });
  }

  it('does not apply to paths outside /v1', async () => {
    assertError(await rawRequest(service.port, 'GET /v1x', []), 404, 'not_found');
  });
});

describe('A stored key', () => {
  it('is refused with the reason in the log and never in the response', async () => {
    const { store, call, log } = service;
    const [good, revoked] = [await storeKey(store, ['*']), await storeKey(store, ['*'])];
    const expired = await storeKey(store, ['*'], { expiresAt: new Date(Date.now() - 1) });
    await store.revokeKey(revoked.id);
    const mistyped = good.key.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
    await assertSoonRefused([service.origin], revoked.key);
    const seen = new Set<string>();
    for (const [refusal, token] of Object.entries({
      revoked: revoked.key,
      expired: expired.key,
      mistyped,
      unknown: generateKey(),
      malformed: `${good.key} ${good.key}`,
    })) {
      const answer = await call('GET', '/v1/pets', { key: token });
      assertError(answer, 401, 'unauthorized');
      const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
      seen.add(JSON.stringify([headers, answer.text]));
      const lines = await linesOf(service, answer);
      assert.deepEqual(
        lines.map((line) => line.refusal),
        [refusal],
      );
    }
    assert.equal(seen.size, 1, 'every refusal has the same response');
    const missing = await call('GET', '/v1/pets', { key: null });
    assert.equal((await linesOf(service, missing))[0]?.refusal, 'missing');
    assert.ok([...seen][0]?.includes(JSON.stringify(missing.text)), 'a missing key gets the same body');
    const [line] = await linesOf(service, await call('GET', '/v1/pets', { key: good.key }));
    assert.deepEqual([line?.keyId, line?.refusal], [good.id, undefined]);
    const text = JSON.stringify(log);
    for (const key of [good.key, revoked.key, expired.key, mistyped])
      assert.ok(
        !text.includes(key) && !text.includes(digestOf(key)),
        'the log contains no key and no digest',
      );
  });

  it('gets 503 while it cannot be looked up, or not be known whether it was revoked, except for the metrics', async (t) => {
    let isDown = false;
    const { call, store } = await startService(t, {
      observe: (store) => ({
        ...store,
        async listKeyChanges(...args) {
          if (isDown) throw new ApiError('unavailable', 'The database cannot be reached.');
          return store.listKeyChanges(...args);
        },
      }),
    });
    const { key } = await storeKey(store, ['pets:read', 'metrics:read']);
    const list = (key: string) => call('GET', '/v1/pets', { key });
    assert.equal((await list(key)).status, 200);
    isDown = true;
    const { key: newKey } = await storeKey(store, ['pets:read']);
    assertError(await list(newKey), 503, 'unavailable');
    await eventually(async () => (await list(key)).status === 503, 'it is refused');
    assert.equal((await call('GET', '/metrics', { key })).status, 200);
    assert.equal((await list(KEY)).status, 200, 'a key of the configuration is accepted');
    isDown = false;
    for (const one of [key, newKey]) assert.equal((await list(one)).status, 200);
  });
});

describe('--rate-limit', () => {
  const left = ({ headers }: Answer) => /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '');

  it('allows each key its quota, says what is left, and then answers 429', async (t) => {
    const other = 'another-key-of-the-suite';
    const rateLimit = { quota: 3, seconds: 60 };
    const { call } = await startService(t, { config: { rateLimit, apiKeys: [KEY, other] } });
    for (const [path, status, remaining] of [
      ['/v1/pets', 200, 2],
      ['/v1/pets/1', 404, 1],
      ['/v1/nope', 404, 0],
    ] as const) {
      const answer = await call('GET', path);
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('ratelimit-policy'), '"default";q=3;w=60');
      assert.equal(Number(left(answer)?.[1]), remaining);
      assert.ok(Number(left(answer)?.[2]) > 0 && Number(left(answer)?.[2]) <= 60);
      assert.equal(answer.headers.get('retry-after'), null);
    }
    const refused = await call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7 } });
    assertError(refused, 429, 'rate_limited');
    assert.equal(Number(left(refused)?.[1]), 0);
    assert.equal(refused.headers.get('retry-after'), left(refused)?.[2]);
    assert.deepEqual((await call('GET', '/v1/pets', { key: other })).json, [], 'another key');
    assertError(await call('GET', '/v1/pets'), 429, 'rate_limited');
    for (let n = 0; n < 4; n++) {
      assert.equal((await call('GET', '/healthz')).status, 200);
      assertError(await call('GET', '/v1/pets', { key: null }), 401, 'unauthorized');
    }
  });

  it('never names more seconds than its time has', (t) => {
    let now = 6000;
    t.mock.method(performance, 'now', () => now);
    const limit = limitByKey({ quota: 1, seconds: 60 });
    // At many times, because the difference of two is not exact: for one in ten, it could be rounded up to 61.
    for (let id = 0; id < 1000; id++, now += 24.7) {
      const answerHeaders: string[] = [];
      limit?.({ key: { id: `${id}` }, answerHeaders } as unknown as HttpRequest);
      assert.equal(answerHeaders.at(-1), '"default";r=0;t=60');
    }
  });

  it('allows the quota again after Retry-After, and is off by default', async (t) => {
    const { call } = await startService(t, { config: { rateLimit: { quota: 1, seconds: 1 } } });
    let answer = await call('GET', '/v1/pets');
    // On a slow machine the second may be over already.
    for (const end = Date.now() + 20_000; answer.status === 200 && Date.now() < end; )
      answer = await call('GET', '/v1/pets');
    assertError(answer, 429, 'rate_limited');
    await sleep(Number(answer.headers.get('retry-after')) * 1000 + 20);
    assert.equal((await call('GET', '/v1/pets')).status, 200);
    const { headers } = await service.call('GET', '/v1/pets');
    assert.deepEqual([headers.get('ratelimit'), headers.get('ratelimit-policy')], [null, null]);
  });
});
