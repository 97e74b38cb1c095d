import fc from 'fast-check';
import { encodeCursor } from '../../src/contract/cursor.ts';
import { AUTH, HOST } from '../support/wire/conversation.ts';

const READS = [
  ...['GET /v1/pets', 'GET /v1/store/orders', 'GET /v1/pets/1', 'GET /v1/pets/99', 'GET /v1/store/inventory'],
];
const UPDATES = ['PATCH /v1/store/orders/1', 'PATCH /v1/store/orders/2'];
const METHODS = ['GET', 'POST', 'PATCH', 'HEAD', 'OPTIONS', 'DELETE', 'PUT'];
const FOLDERS = ['/v1/pets/', '/v1/store/orders/', '/v1/store/inventory/'];

const ids = [
  ...'1 2 0 -1 01 abc 1.0 9223372036854775808 __proto__ constructor %31 1%'.split(' '),
  ...['1'.repeat(600), 'a'.repeat(480)],
];

const paths = [
  ...'/ /? //v1/pets /v1//pets /v1/pets/ /v1/pets//1 /v1/pets/1/ /v1/pets/1/2 /v1 /v1/ /v1/store'.split(' '),
  ...'/V1/pets /v1/Pets /v1/pet /v1/petss /v1/%70ets /%761/pets /v1%2Fpets /v1/- /v1/./pets'.split(' '),
  ...'/v1/store/ /v1/store/orders/ /v1/x/../pets /v1/pets;x=1 /v1/pets,1 /v1/pets#x /v1/pets#'.split(' '),
  ...'http://a.b/v1/pets HTTPS://a.b/v1/pets/1 http://a.b ftp://a.b/v1/pets /v1/pets%20'.split(' '),
];

const cursors = ['listPets', 'listOrders', 'listPets&status,sold'].map((scope) =>
  encodeCursor(scope, { id: 3n }),
);
export const parameters = [
  ...'limit=1 limit=2 limit=100 limit=0 limit=101 limit= limit limit=01 limit=5.0 limit=+1 limit=-1'.split(
    ' ',
  ),
  ...'LIMIT=5 limit=%31 %6cimit=0 limit=1e1 limit[]=1 limit=1=1 limit=1#x limit=5&limit=6 limit=1&x'.split(
    ' ',
  ),
  ...'status=sold status=pending status=Sold status= status=sold&status=sold id=1 id=2&id=1 id=01'.split(' '),
  ...'id=-1 id= id=1%2C2 id=9223372036854775808 x x= = =1 && __proto__=1 constructor=x'.split(' '),
  ...'hasOwnProperty=1 toString x=<> x=" x=%zz x=-_ x=é ?x cursor= cursor=abc'.split(' '),
  ...['', ...cursors.map((cursor) => `cursor=${cursor}`), `c%75rsor=${cursors[0]}`],
  ...[`x=${'x'.repeat(450)}`, `x=${'x'.repeat(9000)}`],
];

export const brokenBodies = [
  ...['', '{', '[]', 'null', '"x"', '{}', '{"__proto__":{"name":"x"}}', '\ufeff{}', '[['.repeat(2000)],
  ...['{"name":"Rex","categoryId":9007199254740993}', '{"name":"Rex","categoryId":1e2}', ' {"petId":1} '],
  ...['{"name":"\\ud800","categoryId":1}', '{"name":"Rex","categoryId":1,"name":"Ada"}'],
  '{"name":"\ufffd\u{1F415}',
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
const identities = [HOST, AUTH, `${HOST}Authorization: Bearer wrong\r\n`, AUTH.toLowerCase() + HOST];

const of = (...values: string[]) => fc.constantFrom(...values);
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''));
const json = (...values: fc.Arbitrary<unknown>[]) =>
  fc.oneof(...values).map((value) => JSON.stringify(value));
const mostly = <T>(weight: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });

const rex = fc.constant({ name: 'Rex', categoryId: 7 });
const order = fc.record({ petId: fc.integer({ min: 0, max: 30 }) });
const update = fc.record({ status: of('completed', 'cancelled', 'placed') });

/** Request lines without their query, with bodies: matching pairs and arbitrary pairs. */
const lineAndBody = fc.oneof(
  fc.tuple(of(...READS), of('')),
  fc.tuple(of('POST /v1/pets'), json(rex)),
  fc.tuple(of('POST /v1/store/orders'), json(order)),
  fc.tuple(of(...UPDATES), json(update)),
  fc.tuple(
    fc.oneof(
      of(...READS, ...UPDATES, 'POST /v1/pets'),
      joined(of(...METHODS), of(' '), fc.oneof(of(...paths), joined(of(...FOLDERS), of(...ids)))),
    ),
    fc.oneof(of(''), json(rex, order, update), of(...brokenBodies)),
  ),
);
const query = joined(
  of('?', '?', '?', '??', '?&'),
  fc.array(of(...parameters), { maxLength: 3 }).map((parts) => parts.join('&')),
);
const extras = fc
  .array(mostly(4, of(...ignoredHeaders), of(...effectiveHeaders)), { maxLength: 2 })
  .map((lines) => lines.map((line) => `${line}\r\n`).join(''));

/** The request line, the headers with their length, and the body of a request for any operation or an unknown path. */
export const oddRequest = fc
  .record({
    lineAndBody,
    query: mostly(1, of(''), query),
    version: mostly(9, of('1.1'), of('1.0')),
    headers: joined(mostly(9, of(USUAL), of(...identities)), extras),
    isChunked: mostly(9, fc.constant(false), fc.constant(true)),
  })
  .map(({ lineAndBody: [line, body], query, version, headers, isChunked }) => {
    const length = Buffer.byteLength(body);
    const sized = length > 0 ? `Content-Length: ${length}\r\n` : '';
    const chunk = length > 0 ? `${length.toString(16)}\r\n${body}\r\n` : '';
    return {
      line: `${line}${query} HTTP/${version}\r\n`,
      headers: headers + (isChunked ? 'Transfer-Encoding: chunked\r\n' : sized),
      body: Buffer.from(isChunked ? `${chunk}0\r\n\r\n` : body),
    };
  });
