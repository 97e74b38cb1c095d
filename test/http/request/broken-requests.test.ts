import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import { limits } from '../../../src/contract/limits.ts';
import { assertError } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTH, converse, HOST, request } from '../../support/wire/conversation.ts';

const service = await startServiceForFile();
const LIST = 'GET /v1/pets';
const CREATE = 'POST /v1/pets';
const PET = '{"name":"Rex","categoryId":7}';
const withPet = `${HOST}${AUTH}Content-Length: ${PET.length}\r\n`;
const manyHeaders = Array.from({ length: 3000 }, (_, i) => `A${i}: b\r\n`).join('');

const malformed: [string, string | Uint8Array][] = [
  ['a request line of one word', 'GET\r\n\r\n'],
  ['a target that is not a path', request('GET v1/pets')],
  ['lines that end in LF alone', `${LIST} HTTP/1.1\nHost: a\n\n`],
  ['garbage in lines', 'to be\nor not to be\n\n'],
  ['a TLS ClientHello', Buffer.from('16030100c2010000be0303', 'hex')],
  ['NUL bytes', Buffer.alloc(64)],
  ['a header name with a space', request(LIST, `${HOST}${AUTH}My Header: x\r\n`)],
  ['a header without a colon', request(LIST, `${HOST}${AUTH}header\r\n`)],
  ['a NUL in a header', request(LIST, `${HOST}${AUTH}X: a\0b\r\n`)],
  ['a folded header', request(LIST, `${HOST}${AUTH}X: a\r\n b\r\n`)],
  ['Content-Length and Transfer-Encoding', request(CREATE, `${withPet}Transfer-Encoding: chunked\r\n`, PET)],
  ['two Content-Lengths', request(CREATE, `${withPet}Content-Length: 3\r\n`, PET)],
  ...['abc', '-1', '0x10', '1 2', '99999999999999999999999'].map((length): [string, string] => [
    `Content-Length: ${length}`,
    request(CREATE, `${HOST}${AUTH}Content-Length: ${length}\r\n`, PET),
  ]),
  ['a chunk without a size', chunked('zz\r\n{}\r\n0\r\n\r\n')],
  ['a chunk longer than its size', chunked('2\r\n{}{}\r\n0\r\n\r\n')],
  ['a transfer coding that does not end in chunked', chunked(PET, 'chunked, gzip')],
  ['CONNECT', request('CONNECT animal.store:443')],
];

/** Bytes that Node's parser rejects. */
const unreadable: [string, string | Uint8Array, number, ErrorCode][] = [
  ...malformed.map((row): (typeof unreadable)[number] => [...row, 400, 'bad_request']),
  ['an unknown method', request('FETCH /v1/pets'), 501, 'bad_request'],
  ['an unknown method after an empty line', `\r\n${request('FETCH /v1/pets')}`, 501, 'bad_request'],
  ['a method of RTSP', request('SETUP /v1/pets'), 501, 'bad_request'],
  ['a method in lower case', request('get /v1/pets'), 501, 'bad_request'],
  ...['gzip, chunked', 'tea'].map((coding): (typeof unreadable)[number] => [
    `the transfer coding ${coding}`,
    chunked(PET, coding),
    501,
    'bad_request',
  ]),
  ['HTTP/2.0', `${LIST} HTTP/2.0\r\n${HOST}${AUTH}\r\n`, 505, 'bad_request'],
  ['an unknown version', `${LIST} HTTP/3.7\r\n${HOST}${AUTH}\r\n`, 505, 'bad_request'],
  ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 505, 'bad_request'],
  ['a header over 16 KiB', request(LIST, `${HOST}X: ${'x'.repeat(17_000)}\r\n`), 431, 'headers_too_large'],
  ['headers over 16 KiB in all', request(LIST, HOST + manyHeaders), 431, 'headers_too_large'],
  ['a target over 16 KiB', request(`${LIST}?${'x'.repeat(17_000)}`), 414, 'uri_too_long'],
  ['a target over 64 KiB', request(`${LIST}?${'x'.repeat(70_000)}`), 414, 'uri_too_long'],
];

/** Requests that can be parsed, but not served. */
const refused: [string, string, number, ErrorCode][] = [
  ['no Host', request(LIST, AUTH), 400, 'bad_request'],
  ['no Host and no key', request(LIST, ''), 401, 'unauthorized'],
  ['two Hosts', request(LIST, HOST + HOST + AUTH), 400, 'bad_request'],
  ['two Hosts and no key', request(LIST, HOST + HOST), 401, 'unauthorized'],
  ...['a b/c?d', 'a/b', 'me@shop', 'a:b', 'a:80:80', '[::1', '::1', '%zz', 'caf\xe9', 'a, b'].map(
    (host): (typeof refused)[number] => [
      `Host: ${host}`,
      request(LIST, `Host: ${host}\r\n${AUTH}`),
      400,
      'bad_request',
    ],
  ),
  ['no Host outside /v1', request('GET /healthz', ''), 400, 'bad_request'],
  ['no version, Host or key', `${LIST}\r\n\r\n`, 401, 'unauthorized'],
  ['a target over 8 KiB', request(`${LIST}?${'x'.repeat(8192)}`), 414, 'uri_too_long'],
  ['a target over 8 KiB and no key', request(`${LIST}?${'x'.repeat(8192)}`, HOST), 401, 'unauthorized'],
  ['a target over 8 KiB outside /v1', request(`GET /healthz?${'x'.repeat(8192)}`), 414, 'uri_too_long'],
  ['an unknown Expect', request(CREATE, `${withPet}Expect: tea\r\n`, PET), 417, 'bad_request'],
  ['an unknown transfer coding', chunked('2\r\n{}\r\n0\r\n\r\n', 'gzip, chunked'), 501, 'bad_request'],
  ['HTTP/2.0', `${LIST} HTTP/2.0\r\n${HOST}${AUTH}\r\n`, 505, 'bad_request'],
  ['an unknown Expect and no key', request(CREATE, `${HOST}Expect: tea\r\n`), 401, 'unauthorized'],
  [
    'a broken chunk and no key',
    request(CREATE, `${HOST}Transfer-Encoding: chunked\r\n`, 'zz'),
    401,
    'unauthorized',
  ],
  ['OPTIONS *', request('OPTIONS *', HOST), 404, 'not_found'],
  ['a method of another protocol', request('PROPFIND /v1/pets'), 405, 'method_not_allowed'],
  ['a broken percent-encoding', request('GET /v1/%zz'), 404, 'not_found'],
  ['a broken percent-encoding and no key', request('GET /v1/%zz', HOST), 401, 'unauthorized'],
  [
    'an Upgrade and no key',
    request(LIST, `${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n`),
    401,
    'unauthorized',
  ],
];

function chunked(body: string, coding = 'chunked'): string {
  return request(CREATE, `${HOST}${AUTH}Transfer-Encoding: ${coding}\r\n`, body);
}

async function assertServes(): Promise<void> {
  assert.equal((await service.call('GET', '/v1/pets')).status, 200);
}

describe('Host', () => {
  it('is a name or an address, with or without a port, or empty', async () => {
    for (const host of [
      ...[
        '',
        'localhost',
        'a_b.example:8080',
        'a%20b',
        '127.0.0.1:',
        '[::1]',
        '[2001:db8::1]:80',
        '[v1.a:b]',
      ],
      ...['[fe80::1%25eth0]:8080', "a~!$&'()*+;=-b"],
    ]) {
      const { socket, send, next } = converse(service.port);
      send(request(LIST, `Host: ${host}\r\n${AUTH}`));
      assert.equal((await next()).status, 200, host);
      socket.destroy();
    }
  });
});

describe('a broken request', { timeout: 30_000 }, () => {
  for (const [what, bytes, status, code] of unreadable) {
    it(`gets ${status} ${code} and a closed connection for ${what}`, async () => {
      const { send, next, rest } = converse(service.port);
      send(bytes);
      assertError(await next(), status, code);
      assert.deepEqual(await rest(), []);
      await assertServes();
    });
  }

  for (const [what, bytes, status, code] of refused) {
    it(`gets ${status} ${code} for ${what}`, async () => {
      const { socket, send, next } = converse(service.port);
      send(bytes);
      assertError(await next(), status, code);
      socket.destroy();
      await assertServes();
    });
  }

  it('gets 414 for a long target and 431 for long headers, even when they arrive in several packets', async () => {
    for (const [parts, status, code] of [
      [[`${LIST}?`, 'x'.repeat(10_000), `${'x'.repeat(10_000)} HTTP/1.1\r\n`], 414, 'uri_too_long'],
      [[`${LIST} HTTP/1.1\r\n${HOST}X: `, 'x'.repeat(20_000)], 431, 'headers_too_large'],
    ] as const) {
      const { send, next } = converse(service.port);
      for (const part of parts) {
        send(part);
        await sleep(100);
      }
      assertError(await next(), status, code);
    }
  });

  it('gets 431 that names the number of headers, by however many there are too many', async () => {
    for (const count of [limits.headerCount + 1, limits.headerCount + 10]) {
      const { send, next } = converse(service.port);
      send(request(LIST, HOST + Array.from({ length: count - 1 }, (_, i) => `X${i}: a\r\n`).join('')));
      const answer = await next();
      assertError(answer, 431, 'headers_too_large');
      assert.match(answer.body, /not have more than 200 headers/);
    }
  });

  it('has the reason phrase of its status, as any answer', async () => {
    const socket = connect(service.port, '127.0.0.1').setEncoding('latin1');
    socket.write('nonsense\r\n\r\n');
    const [text] = await once(socket, 'data');
    assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/);
    socket.destroy();
  });
});
