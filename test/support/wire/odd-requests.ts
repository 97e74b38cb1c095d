import { encodeCursor } from '../../../src/contract/cursor.ts';
import { AUTH, HOST } from './conversation.ts';

/** A request as bytes, in two parts that may be sent in separate packets. */
export interface Sent {
  /** The request line and the headers, each with its line end, without the empty line after them. */
  readonly head: string;
  readonly body: string;
  /** Whether the body is sent in a separate packet. */
  readonly apart: boolean;
}

const LISTS = ['GET /v1/pets', 'GET /v1/store/orders'];
export const READS = [...LISTS, 'GET /v1/pets/1', 'GET /v1/pets/99', 'GET /v1/store/inventory'];
export const UPDATES = ['PATCH /v1/store/orders/1', 'PATCH /v1/store/orders/2'];
export const METHODS = ['GET', 'POST', 'PATCH', 'HEAD', 'OPTIONS', 'DELETE', 'PUT'];
export const FOLDERS = ['/v1/pets/', '/v1/store/orders/', '/v1/store/inventory/'];

export const ids = [
  ...[
    '1',
    '2',
    '0',
    '-1',
    '01',
    'abc',
    '1.0',
    '9223372036854775808',
    '__proto__',
    'constructor',
    '%31',
    '1%',
  ],
  ...['1'.repeat(600), 'a'.repeat(480)],
];

export const paths = [
  ...[
    '/',
    '/?',
    '//v1/pets',
    '/v1//pets',
    '/v1/pets/',
    '/v1/pets//1',
    '/v1/pets/1/',
    '/v1/pets/1/2',
    '/v1',
    '/v1/',
  ],
  ...[
    '/V1/pets',
    '/v1/Pets',
    '/v1/pet',
    '/v1/petss',
    '/v1/%70ets',
    '/%761/pets',
    '/v1%2Fpets',
    '/v1/-',
    '/v1/store',
  ],
  ...[
    '/v1/store/',
    '/v1/store/orders/',
    '/v1/./pets',
    '/v1/x/../pets',
    '/v1/pets;x=1',
    '/v1/pets,1',
    '/v1/pets#x',
  ],
  ...[
    'http://a.b/v1/pets',
    'HTTPS://a.b/v1/pets/1',
    'http://a.b',
    'ftp://a.b/v1/pets',
    '/v1/pets#',
    '/v1/pets%20',
  ],
];

const cursors = ['listPets', 'listOrders', 'listPets&status,sold'].map((scope) =>
  encodeCursor(scope, { id: 3n }),
);
export const parameters = [
  ...['limit=1', 'limit=2', 'limit=100', 'limit=0', 'limit=101', 'limit=', 'limit', 'limit=01', 'limit=5.0'],
  ...[
    'LIMIT=5',
    'limit=%31',
    '%6cimit=0',
    'limit=+1',
    'limit=1e1',
    'limit[]=1',
    'limit=1=1',
    'limit=-1',
    'limit=1#x',
  ],
  ...[
    'limit=5&limit=6',
    'limit=1&x',
    'status=sold',
    'status=pending',
    'status=Sold',
    'status=',
    'status=sold&status=sold',
  ],
  ...[
    'id=1',
    'id=2&id=1',
    'id=01',
    'id=-1',
    'id=',
    'id=1%2C2',
    'id=9223372036854775808',
    'x',
    'x=',
    '=',
    '',
    '=1',
    '&&',
  ],
  ...[
    '__proto__=1',
    'constructor=x',
    'hasOwnProperty=1',
    'toString',
    'x=<>',
    'x="',
    'x=%zz',
    'x=-_',
    'x=é',
    '?x',
  ],
  ...['cursor=', 'cursor=abc', ...cursors.map((cursor) => `cursor=${cursor}`), `c%75rsor=${cursors[0]}`],
  ...[`x=${'x'.repeat(450)}`, `x=${'x'.repeat(9000)}`],
];

export const brokenBodies = [
  ...['', '{', '[]', 'null', '"x"', '{}', '{"__proto__":{"name":"x"}}', '\ufeff{}', '[['.repeat(2000)],
  ...[
    '{"name":"Rex","categoryId":9007199254740993}',
    '{"name":"Rex","categoryId":1e2}',
    '{"name":"\ufffd\u{1F415}',
  ],
  ...['{"name":"\\ud800","categoryId":1}', '{"name":"Rex","categoryId":1,"name":"Ada"}', ' {"petId":1} '],
];

export const ignoredHeaders = [
  ...[
    'Content-Type: application/json',
    'content-type: application/json',
    'Content-Language: de',
    'Cookie: a=b',
  ],
  ...['X-Request-Id: mine', 'X-REQUEST-ID: not ours', 'X-Request-Id:', `X-Request-Id: ${'x'.repeat(129)}`],
  ...['Idempotency-Key: a', 'idempotency-key: "b"', 'Idempotency-Key: c d', 'Idempotency-Key:'],
  ...['Connection: close', 'Connection: keep-alive', 'Connection: x-request-id', 'Keep-Alive: timeout=1'],
  ...['Accept: text/html', 'Accept-Encoding: gzip', 'Accept-Version: 2', 'TE: trailers', 'Range: bytes=0-1'],
  ...['If-None-Match: *', 'X-HTTP-Method-Override: DELETE', 'Origin: http://a.b'],
];
export const effectiveHeaders = [
  ...[
    'Content-Type: text/plain',
    'Content-Type:',
    'Content-Type: Application/JSON;charset=utf8',
    'Host: again',
  ],
  ...['Content-Encoding: gzip', AUTH.trim(), 'Authorization: Bearer wrong', 'Authorization: Basic x'],
  ...['Expect: tea', 'Upgrade: h2c'],
  ...['X-Request-Id: a', 'Idempotency-Key: a', 'Content-Type: application/json'].map(
    (line) => `${line}\r\n${line}`,
  ),
];
export const USUAL = HOST + AUTH;
export const identities = [HOST, AUTH, `${HOST}Authorization: Bearer wrong\r\n`, AUTH.toLowerCase() + HOST];

interface Parts {
  readonly line: string;
  readonly version?: string;
  readonly headers?: string;
  readonly body?: string;
  readonly chunked?: boolean;
  readonly apart?: boolean;
}

export function sent({
  line,
  version = '1.1',
  headers = USUAL,
  body = '',
  chunked = false,
  apart = false,
}: Parts): Sent {
  const length = Buffer.byteLength(body);
  const sized = length > 0 ? `Content-Length: ${length}\r\n` : '';
  const framing = chunked ? 'Transfer-Encoding: chunked\r\n' : sized;
  const chunk = length > 0 ? `${length.toString(16)}\r\n${body}\r\n` : '';
  return {
    head: `${line} HTTP/${version}\r\n${headers}${framing}`,
    body: chunked ? `${chunk}0\r\n\r\n` : body,
    apart,
  };
}

const CREATE = { line: 'POST /v1/pets', body: '{"name":"Rex","categoryId":7}' };

/** Each of the unusual parts above, one at a time. */
export const oddRequests: readonly Sent[] = [
  ...[...READS, ...UPDATES, ...paths.map((path) => `GET ${path}`)].map((line) => ({ line })),
  ...FOLDERS.flatMap((folder) => ids.map((id) => ({ line: `GET ${folder}${id}` }))),
  ...ids.map((id) => ({ line: `PATCH /v1/store/orders/${id}`, body: '{"status":"cancelled"}' })),
  ...METHODS.flatMap((method) => [
    { line: `${method} /v1/pets` },
    { line: `${method} /v1/store/orders/1?x` },
  ]),
  ...LISTS.flatMap((list) => parameters.map((parameter) => ({ line: `${list}?${parameter}` }))),
  ...brokenBodies.flatMap((body) => [
    { ...CREATE, body },
    { line: 'GET /v1/pets', body },
  ]),
  ...[...ignoredHeaders, ...effectiveHeaders].map((header) => ({
    line: 'GET /v1/pets',
    headers: `${USUAL}${header}\r\n`,
  })),
  ...[...ignoredHeaders, ...effectiveHeaders].map((header) => ({
    ...CREATE,
    headers: `${USUAL}${header}\r\n`,
  })),
  ...identities.flatMap((headers) => [
    { line: 'GET /v1/pets', headers },
    { ...CREATE, headers },
  ]),
  ...[CREATE, { line: 'GET /v1/pets' }].flatMap((one) => [
    ...[one, { ...one, chunked: true }, { ...one, apart: true }, { ...one, chunked: true, apart: true }],
    ...[HOST, AUTH, USUAL, `${USUAL}Connection: keep-alive\r\n`].map((headers) => ({
      ...one,
      version: '1.0',
      headers,
    })),
  ]),
].map(sent);
