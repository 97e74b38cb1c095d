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
const chunked = (body: string, coding = 'chunked') =>
  request(CREATE, `${HOST}${AUTH}Transfer-Encoding: ${coding}\r\n`, body);
const list = (headers: string) => request(LIST, HOST + AUTH + headers);

/** One of each kind of bytes that Node's parser rejects. test/fuzz sends any others. */
const unreadable: Readonly<Record<string, readonly [what: string, bytes: string | Uint8Array][]>> = {
  '400 bad_request': [
    ['a request line of one word', 'GET\r\n\r\n'],
    ['a target that is not a path', request('GET v1/pets')],
    ['lines that end in LF alone', `${LIST} HTTP/1.1\nHost: a\n\n`],
    ['a TLS ClientHello', Buffer.from('16030100c2010000be0303', 'hex')],
    ['NUL bytes', Buffer.alloc(64)],
    ['a header name with a space', list('My Header: x\r\n')],
    ['a header without a colon', list('header\r\n')],
    ['a NUL in a header', list('X: a\0b\r\n')],
    ['a folded header', list('X: a\r\n b\r\n')],
    [
      'Content-Length and Transfer-Encoding',
      request(CREATE, `${withPet}Transfer-Encoding: chunked\r\n`, PET),
    ],
    ['two Content-Lengths', request(CREATE, `${withPet}Content-Length: 3\r\n`, PET)],
    ['a Content-Length that is no number', list('Content-Length: 0x10\r\n')],
    ['a negative Content-Length', list('Content-Length: -1\r\n')],
    ['a Content-Length over 2^64', list('Content-Length: 99999999999999999999999\r\n')],
    ['a chunk without a size', chunked('zz\r\n{}\r\n0\r\n\r\n')],
    ['a chunk longer than its size', chunked('2\r\n{}{}\r\n0\r\n\r\n')],
    ['a transfer coding that does not end in chunked', chunked(PET, 'chunked, gzip')],
    ['CONNECT', request('CONNECT animal.store:443')],
    ['http in lower case', `${LIST} http/1.1\r\n${HOST}${AUTH}\r\n`],
  ],
  '501 bad_request': [
    ['an unknown method', request('FETCH /v1/pets')],
    ['an unknown method after an empty line', `\r\n${request('FETCH /v1/pets')}`],
    ['a method of RTSP', request('SETUP /v1/pets')],
    ['a method in lower case', request('get /v1/pets')],
    ['an unknown transfer coding', chunked(PET, 'gzip, chunked')],
  ],
  '505 bad_request': [
    ...['', ' HTTP/0.9', ' HTTP/1.2', ' HTTP/2.0', ' HTTP/3.7'].flatMap((version) =>
      [HOST, ''].map((host): [string, string] => [
        `a create in${version || ' no version'}${host && ' with a Host'}`,
        `${CREATE}${version}\r\n${host}${AUTH}Content-Length: ${PET.length}\r\n\r\n${PET}`,
      ]),
    ),
    ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
  ],
  '431 headers_too_large': [
    ['a header over 16 KiB', request(LIST, `${HOST}X: ${'x'.repeat(17_000)}\r\n`)],
    ['headers over 16 KiB in all', request(LIST, HOST + manyHeaders)],
  ],
  '414 uri_too_long': [
    ['a target over 16 KiB', request(`${LIST}?${'x'.repeat(17_000)}`)],
    ['a target over 64 KiB', request(`${LIST}?${'x'.repeat(70_000)}`)],
  ],
};

const hosts = ['a b/c?d', 'a/b', 'me@shop', 'a:b', 'a:80:80', '[::1', '::1', '%zz', 'caf\xe9', 'a, b'];

/** Requests that can be parsed, but not served. Who has no key is told nothing else. */
const refused: Readonly<Record<string, readonly [what: string, bytes: string][]>> = {
  '400 bad_request': [
    ['no Host', request(LIST, AUTH)],
    ['two Hosts', list(HOST)],
    ...hosts.map((host): [string, string] => [`Host: ${host}`, request(LIST, `Host: ${host}\r\n${AUTH}`)]),
    ['no Host outside /v1', request('GET /healthz', '')],
  ],
  '401 unauthorized': [
    ['no Host', request(LIST, '')],
    ['two Hosts', request(LIST, HOST + HOST)],
    ['no version, Host or key', `${LIST}\r\n\r\n`],
    ['a target over 8 KiB', request(`${LIST}?${'x'.repeat(8192)}`, HOST)],
    ['an unknown Expect', request(CREATE, `${HOST}Expect: tea\r\n`)],
    ['a broken chunk', request(CREATE, `${HOST}Transfer-Encoding: chunked\r\n`, 'zz')],
    ['a broken percent-encoding', request('GET /v1/%zz', HOST)],
  ],
  '404 not_found': [['OPTIONS *', request('OPTIONS *', HOST)]],
  '414 uri_too_long': [
    ['a target over 8 KiB', request(`${LIST}?${'x'.repeat(8192)}`)],
    ['a target over 8 KiB outside /v1', request(`GET /healthz?${'x'.repeat(8192)}`)],
  ],
  '417 bad_request': [['an unknown Expect', request(CREATE, `${withPet}Expect: tea\r\n`, PET)]],
};

async function assertRefused(answer: string, bytes: string | Uint8Array, isLast: boolean): Promise<void> {
  const [status, code] = answer.split(' ') as [string, ErrorCode];
  const { socket, send, next, rest } = converse(service.port);
  send(bytes);
  assertError(await next(), Number(status), code);
  if (isLast) assert.deepEqual(await rest(), []);
  socket.destroy();
  assert.equal((await service.call('GET', '/v1/pets')).text, '[]', 'it is served, and nothing was created');
}

it('Host is a name or an address, with or without a port, or empty', async () => {
  const names = ['', 'localhost', 'a_b.example:8080', 'a%20b', "a~!$&'()*+;=-b"];
  for (const host of [
    ...names,
    '127.0.0.1:',
    '[::1]',
    '[2001:db8::1]:80',
    '[v1.a:b]',
    '[fe80::1%25eth0]:8080',
  ]) {
    const { socket, send, next } = converse(service.port);
    send(request(LIST, `Host: ${host}\r\n${AUTH}`));
    assert.equal((await next()).status, 200, host);
    socket.destroy();
  }
});

it('A target of exactly 8 KiB is served', async () => {
  const target = '/v1/pets?'.padEnd(limits.targetBytes, 'x');
  assert.equal((await service.call('GET', target)).status, 200);
});

describe('a broken request', { timeout: 30_000 }, () => {
  for (const [answer, requests] of Object.entries(unreadable))
    for (const [what, bytes] of requests)
      it(`gets ${answer} and a closed connection for ${what}`, () => assertRefused(answer, bytes, true));

  for (const [answer, requests] of Object.entries(refused))
    for (const [what, bytes] of requests)
      it(`gets ${answer} for ${what}`, () => assertRefused(answer, bytes, false));

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
