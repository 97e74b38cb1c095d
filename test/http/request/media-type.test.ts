import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertError, header } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTH, converse, HOST } from '../../support/wire/conversation.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';

const service = await startServiceForFile();
const BODY = '{"name":"Zoë","categoryId":7}';
const JSON_TYPE = 'Content-Type: application/json';

const create = (headers: readonly string[], body: string | Uint8Array = BODY) =>
  rawRequest(service.port, 'POST /v1/pets', [AUTHORIZED, ...headers], body);

describe('The body of POST /v1/pets', () => {
  it('is refused with two Content-Type headers', async () => {
    assertError(await create([JSON_TYPE, JSON_TYPE]), 400, 'bad_request');
  });

  const accepted = [
    [],
    [JSON_TYPE],
    ['content-type:Application/JSON'],
    [`${JSON_TYPE}; charset=utf-8`],
    [`${JSON_TYPE};charset=UTF-8`],
    [`${JSON_TYPE} ; Charset="utf-8"`],
    [`${JSON_TYPE}\t;\tcharset=utf-8`],
    [`${JSON_TYPE}; version=1`],
    [JSON_TYPE, 'Content-Encoding: identity'],
    ['Content-Encoding: Identity'],
  ];
  for (const headers of accepted) {
    it(`is accepted with ${headers.join(', ') || 'no Content-Type'}`, async () => {
      const answer = await create(headers);
      assert.equal(answer.status, 201, answer.body);
      assert.match(answer.body, /"name":"Zoë"/);
    });
  }

  it('is accepted in chunks and without a Content-Type', async () => {
    const chunked = `${Buffer.byteLength(BODY).toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
    const head = ['POST /v1/pets', [AUTHORIZED, 'Transfer-Encoding: chunked', '', chunked]] as const;
    const answer = await rawRequest(service.port, ...head);
    assert.equal(answer.status, 201, answer.body);
  });

  it('is refused in chunks in HTTP/1.0, and the connection closed', async () => {
    const { send, rest } = converse(service.port);
    const head = `${HOST}${AUTH}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n`;
    const chunked = `${Buffer.byteLength(BODY).toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
    send(`POST /v1/pets HTTP/1.0\r\n${head}\r\n${chunked}`);
    const [answer, ...more] = await rest();
    assert.ok(answer);
    assertError(answer, 400, 'bad_request');
    assert.equal(more.length, 0);
  });

  const otherTypes = [
    'text/plain',
    'text/plain; charset=utf-8',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/jsonl',
    'application/problem+json',
    'application/xml',
    '*/*',
  ];
  const otherCharsets = ['latin1', 'iso-8859-1', 'utf-16', '"utf-16le"', 'us-ascii'];
  const malformed = ['json', 'application', 'application/', '/json', '/', ';', 'application/json text/plain'];
  const types = [
    ...otherTypes,
    ...otherCharsets.map((charset) => `application/json; charset=${charset}`),
    ...malformed,
    'application/json, text/plain',
  ];
  for (const type of types) {
    it(`gets 415 with Content-Type: ${type}`, async () => {
      assertError(await create([`Content-Type: ${type}`]), 415, 'unsupported_media_type');
    });
  }

  for (const encoding of ['gzip', 'GZIP', 'x-gzip', 'deflate', 'br', 'zstd', 'identity, gzip', 'unknown']) {
    it(`gets 415 with Content-Encoding: ${encoding}, whether or not it is encoded`, async () => {
      for (const body of [BODY, gzipSync(BODY)]) {
        const answer = await create([JSON_TYPE, `Content-Encoding: ${encoding}`], body);
        assertError(answer, 415, 'unsupported_media_type');
        assert.equal(header(answer, 'accept-encoding'), 'identity');
      }
      assertError(await create([`Content-Encoding: ${encoding}`]), 415, 'unsupported_media_type');
    });
  }

  it('gets 415 before it is read', async () => {
    for (const header of ['Content-Type: text/plain', 'Content-Encoding: gzip']) {
      const answer = await create([header, 'Content-Length: 60000'], '');
      assertError(answer, 415, 'unsupported_media_type');
    }
  });

  it('gets 400 when it is missing, with or without a Content-Type', async () => {
    for (const headers of [[], [JSON_TYPE], ['Content-Length: 0'], [JSON_TYPE, 'Content-Length: 0']]) {
      assertError(await create(headers, ''), 400, 'invalid_request');
    }
  });
});
