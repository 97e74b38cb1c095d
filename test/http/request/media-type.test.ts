import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertError, header } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTH, converse, HOST } from '../../support/wire/conversation.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';

const service = await startServiceForFile();
const BODY = '{"name":"Zoë","categoryId":7}';
const CHUNKS = `${Buffer.byteLength(BODY).toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
const JSON_TYPE = 'Content-Type: application/json';

const create = (headers: readonly string[], body: string | Uint8Array = BODY) =>
  rawRequest(service.port, 'POST /v1/pets', [AUTHORIZED, ...headers], body);

describe('The body of POST /v1/pets', () => {
  it('is JSON in UTF-8 without an encoding, named in any way or not at all', async () => {
    for (const headers of [
      [],
      ['content-type:Application/JSON'],
      [`${JSON_TYPE} ; Charset="utf-8"`],
      [`${JSON_TYPE}\t;\tcharset=UTF-8`],
      [`${JSON_TYPE}; version=1`],
      [JSON_TYPE, 'Content-Encoding: identity'],
      ['Content-Encoding: Identity'],
    ]) {
      const answer = await create(headers);
      assert.equal(answer.status, 201, `${headers}: ${answer.body}`);
      assert.match(answer.body, /"name":"Zoë"/);
    }
    assert.equal((await create(['Transfer-Encoding: chunked', '', CHUNKS], '')).status, 201);
    assert.equal((await create([], `\ufeff${BODY}`)).status, 201, 'also after a byte order mark');
  });

  it('gets 415 with another type, charset or encoding, whether or not it is in it, and before it is read', async () => {
    const types =
      'text/plain text/json application/x-www-form-urlencoded application/problem+json */* json ; /';
    const charsets = ['latin1', '"utf-16le"', 'us-ascii'].map(
      (charset) => `application/json; charset=${charset}`,
    );
    for (const type of [
      ...types.split(' '),
      ...charsets,
      'application/json, text/plain',
      'application/json text/plain',
    ])
      assertError(await create([`Content-Type: ${type}`]), 415, 'unsupported_media_type');
    for (const encoding of ['gzip', 'GZIP', 'deflate', 'br', 'identity, gzip', 'unknown'])
      for (const body of [BODY, gzipSync(BODY)]) {
        const answer = await create([JSON_TYPE, `Content-Encoding: ${encoding}`], body);
        assertError(answer, 415, 'unsupported_media_type');
        assert.equal(header(answer, 'accept-encoding'), 'identity');
      }
    for (const unread of ['Content-Type: text/plain', 'Content-Encoding: gzip'])
      assertError(await create([unread, 'Content-Length: 60000'], ''), 415, 'unsupported_media_type');
  });

  it('gets 400 when it is missing or has two types, and in chunks in HTTP/1.0, which ends the connection', async () => {
    for (const headers of [[], [JSON_TYPE], ['Content-Length: 0'], [JSON_TYPE, 'Content-Length: 0']])
      assertError(await create(headers, ''), 400, 'invalid_request');
    assertError(await create([JSON_TYPE, JSON_TYPE]), 400, 'bad_request');
    const { send, next, rest } = converse(service.port);
    send(
      `POST /v1/pets HTTP/1.0\r\n${HOST}${AUTH}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`,
    );
    assertError(await next(), 400, 'bad_request');
    assert.deepEqual(await rest(), []);
  });
});
