import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError, header } from '../../support/assert.ts';
import { KEY } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';

const CHALLENGE = 'Bearer realm="animal-store"';
const INVALID_TOKEN = `${CHALLENGE}, error="invalid_token"`;
const service = await startServiceForFile();
const list = (headers: readonly string[]) => rawRequest(service.port, 'GET /v1/pets', headers);

describe('Authorization', () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    it(`is accepted with the scheme ${scheme}`, async () => {
      assert.equal((await list([`Authorization: ${scheme} ${KEY}`])).status, 200);
      assert.equal((await list([`authorization:${scheme} ${KEY}  `])).status, 200);
    });
  }

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
  for (const [what, headers] of Object.entries(withoutKey)) {
    it(`is 401 without error="invalid_token" for ${what}`, async () => {
      const answer = await list(headers);
      assertError(answer, 401, 'unauthorized');
      assert.equal(header(answer, 'www-authenticate'), CHALLENGE);
    });
  }

  const withWrongKey = {
    'a wrong key': ['Authorization: Bearer wrong'],
    'a key in another case': [`Authorization: Bearer ${KEY.toUpperCase()}`],
    'a part of the key': [`Authorization: Bearer ${KEY.slice(0, -1)}`],
    'two tokens': [`Authorization: Bearer ${KEY} ${KEY}`],
    'two keys in a list': [`Authorization: Bearer ${KEY}, Bearer ${KEY}`],
    'two headers': [AUTHORIZED, AUTHORIZED],
    'a right and a wrong header': [AUTHORIZED, 'Authorization: Bearer wrong'],
    'a key that is not ASCII': ['Authorization: Bearer schlüssel'],
  };
  for (const [what, headers] of Object.entries(withWrongKey)) {
    it(`is 401 with error="invalid_token" for ${what}`, async () => {
      const answer = await list(headers);
      assertError(answer, 401, 'unauthorized');
      assert.equal(header(answer, 'www-authenticate'), INVALID_TOKEN);
    });
  }

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

  it('does not apply to OPTIONS, because a CORS preflight cannot send a key', async () => {
    for (const headers of [[], ['Authorization: Bearer wrong']]) {
      assert.equal((await rawRequest(service.port, 'OPTIONS /v1/pets', headers)).status, 204);
      assert.equal((await rawRequest(service.port, 'OPTIONS /v1/pets/1', headers)).status, 204);
    }
  });

  it('does not apply to paths outside /v1', async () => {
    for (const path of ['/healthz', '/readyz', '/openapi.json']) {
      assert.equal((await rawRequest(service.port, `GET ${path}`, [])).status, 200);
    }
    assertError(await rawRequest(service.port, 'GET /v1x', []), 404, 'not_found');
  });
});
