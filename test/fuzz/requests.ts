import fc from 'fast-check';
import { eventId } from '../../src/contract/event-id.ts';
import { INT64_MAX, INT64_MIN } from '../../src/contract/int64.ts';
import {
  bodyOf,
  keyRotation,
  newCategory,
  newKey,
  newOrder,
  newPet,
  newPets,
  orderUpdate,
  petUpdate,
} from './bodies.ts';
import { effectiveHeaders, ignoredHeaders, oddRequest, parameters, USUAL } from './odd-requests.ts';

/** One complete request as bytes, with what its response depends on. */
export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  readonly bytes: Buffer;
  /** Whether it asks for the connection to be closed after it. What follows it may be lost, and responses with it. */
  readonly closes: boolean;
  /** Whether its last bytes are malformed. If the response is sent before they arrive, it cannot announce that the connection ends. */
  readonly endsMalformed: boolean;
}

const FORBIDDEN_TRAILER = 'Content-Length: 5\r\n';

type Framing = { readonly header: string; readonly body: Buffer };

const id = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 300 }) }, fc.integer()).map(String);
const categoryId = fc.oneof(
  fc.constantFrom('1', '7', '0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808'),
  fc.integer({ min: 1, max: 40 }).map(String),
  fc.constantFrom('9223372036854775808', '01', 'x', '%37'),
);

const keyId = fc.oneof(
  id,
  fc.constantFrom('current', 'env-0', '01', '%31', '9223372036854775808', '%00', '..'),
);

/** A length, once or twice, or chunks of any sizes with extensions and trailers. */
const framingOf = (body: fc.Arbitrary<Buffer>): fc.Arbitrary<Framing> =>
  fc.oneof({ weight: 3, arbitrary: body.map(withLength) }, { weight: 2, arbitrary: chunked(body) });

const withLength = (body: Buffer): Framing => ({ header: `Content-Length: ${body.length}\r\n`, body });

function chunked(body: fc.Arbitrary<Buffer>): fc.Arbitrary<Framing> {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 20_000 })), {
    minLength: 1,
    maxLength: 20,
  });
  const style = fc.record({
    extension: fc.constantFrom('', '', '', ';a', ';a=b', ';a="b;c"'),
    zeros: fc.constantFrom('', '', '0', '000'),
    upperCase: fc.boolean(),
    trailer: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom('', '', 'X-A: b\r\n', 'Authorization: x\r\n') },
      { weight: 1, arbitrary: fc.constant(FORBIDDEN_TRAILER) },
    ),
  });
  return fc.tuple(body, sizes, style).map(([body, sizes, { extension, zeros, upperCase, trailer }]) => {
    const parts: Buffer[] = [];
    for (let at = 0, n = 0; at < body.length; n++) {
      // After the given sizes, the rest in one chunk: more than 1,024 chunks would be refused.
      const size = n < sizes.length ? Math.min(sizes[n] ?? 1, body.length - at) : body.length - at;
      const hex = upperCase ? size.toString(16).toUpperCase() : size.toString(16);
      parts.push(
        Buffer.from(`${zeros}${hex}${extension}\r\n`),
        body.subarray(at, at + size),
        Buffer.from('\r\n'),
      );
      at += size;
    }
    parts.push(Buffer.from(`0${extension}\r\n${trailer}\r\n`));
    return { header: 'Transfer-Encoding: chunked\r\n', body: Buffer.concat(parts) };
  });
}

const tags = fc.oneof(
  fc.constantFrom('*', '"a"'),
  fc.constantFrom('W/"a"', '"a", "b"', ',"a",', '""', '"\xff"'),
  fc.constantFrom('', 'a', '"', '"a" "b"', '*, "a"', ','.repeat(8000), '"'.repeat(8000), '"a",'.repeat(2000)),
);
const condition = fc
  .tuple(fc.constantFrom('If-Match', 'If-None-Match'), tags)
  .map(([name, value]) => `${name}: ${value}`);

const headers = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...ignoredHeaders) },
      { weight: 1, arbitrary: fc.constantFrom(...effectiveHeaders, 'Expect: 100-continue') },
      { weight: 1, arbitrary: fc.constant('Content-Type: application/merge-patch+json') },
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 500 }).map((n) => `Idempotency-Key: key-${n}`) },
      { weight: 2, arbitrary: condition },
    ),
    { maxLength: 3 },
  )
  .map((lines) => lines.map((line) => `${line}\r\n`).join(''));

const noBody = fc.constant<Framing>({ header: '', body: Buffer.alloc(0) });
const at = (line: string, id: fc.Arbitrary<string>) => id.map((text) => line.replace('{}', text));

const write = fc
  .oneof(
    fc.tuple(fc.constant('POST /v1/pets'), framingOf(bodyOf(newPet))),
    fc.tuple(fc.constant('POST /v1/pets/batch'), framingOf(bodyOf(newPets))),
    fc.tuple(at('PATCH /v1/pets/{}', id), framingOf(bodyOf(petUpdate))),
    fc.tuple(at('DELETE /v1/pets/{}', id), noBody),
    fc.tuple(at('POST /v1/pets/{}/restore', id), fc.oneof(noBody, framingOf(bodyOf(newPet)))),
    fc.tuple(fc.constant('POST /v1/categories'), framingOf(bodyOf(newCategory))),
    fc.tuple(at('PUT /v1/categories/{}', categoryId), framingOf(bodyOf(newCategory))),
    fc.tuple(at('DELETE /v1/categories/{}', categoryId), noBody),
    fc.tuple(fc.constant('POST /v1/store/orders'), framingOf(bodyOf(newOrder))),
    fc.tuple(at('PATCH /v1/store/orders/{}', id), framingOf(bodyOf(orderUpdate))),
    fc.tuple(fc.constant('POST /v1/keys'), framingOf(bodyOf(newKey))),
    fc.tuple(at('POST /v1/keys/{}/rotate', keyId), framingOf(bodyOf(keyRotation))),
    fc.tuple(at('DELETE /v1/keys/{}', keyId), noBody),
  )
  .chain(([line, { header, body }]) =>
    headers.map((more) => build(`${line} HTTP/1.1\r\n`, USUAL + header + more, body)),
  );

const filters = [
  ...['name=re', 'name=%F0%9F%90%95', 'removed=true', 'removed=false', 'removed=1', 'petId=7', 'petId=x'],
  ...['categoryId=7', 'categoryId=-9223372036854775808', 'categoryId=9223372036854775808', 'categoryId='],
];

/** Ids of events that no store has, and what is not one. */
const positions = [INT64_MIN, -1n, 0n, 1n, INT64_MAX].map(
  (id) => `after=${eventId({ id, at: new Date(id < 0n ? -8.64e15 : 8.64e15) })}`,
);
const feedFilters = [...positions, 'after=', 'after=x', 'order=newest', 'order=oldest', 'order=x'];

const read = fc
  .tuple(
    fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS'),
    fc.oneof(
      fc
        .tuple(
          fc.constantFrom('/v1/pets?', '/v1/store/orders?', '/v1/categories?', '/v1/keys?', '/v1/events?'),
          fc.array(fc.constantFrom(...parameters, ...filters, ...feedFilters), { maxLength: 4 }),
        )
        .map(([path, query]) => path + query.join('&')),
      at('/v1/pets/{}', id),
      at('/v1/store/orders/{}', id),
      at('/v1/categories/{}', categoryId),
      fc.constantFrom('/v1/pets/batch', '/v1/pets/1/restore', '/v1/keys/current', '/v1/keys/1/rotate'),
      fc.constantFrom('/v1/store/inventory', '/healthz', '/openapi.json', '/', '/docs', '/metrics'),
    ),
    headers,
  )
  .map(([method, target, more]) => build(`${method} ${target} HTTP/1.1\r\n`, USUAL + more, Buffer.alloc(0)));

const existing = fc.integer({ min: 1, max: 50 }).map(String);
const conditional = fc
  .tuple(
    fc.oneof(
      fc.tuple(at('GET /v1/pets/{}', existing), noBody),
      fc.tuple(
        at('PATCH /v1/pets/{}', existing),
        petUpdate.map((text) => withLength(Buffer.from(text))),
      ),
      fc.tuple(at('DELETE /v1/pets/{}', existing), noBody),
    ),
    fc.array(condition, { minLength: 1, maxLength: 2 }),
  )
  .map(([[line, { header, body }], conditions]) =>
    build(`${line} HTTP/1.1\r\n`, `${USUAL}${header}${conditions.join('\r\n')}\r\n`, body),
  );

const odd = oddRequest.map(({ line, headers, body }) => build(line, headers, body));

/** Node's parser refuses other targets before it says what the method was, so the error has a body even for HEAD. */
const isParsed = (target: string): boolean => /^[\x21-\x7e]{0,8000}$/.test(target);

/** Well-formed requests for every operation and everything around them; any part of one can be unusual. */
export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc
  .oneof(
    { weight: 5, arbitrary: write },
    { weight: 3, arbitrary: read },
    { weight: 1, arbitrary: conditional },
    { weight: 3, arbitrary: odd },
  )
  .filter(({ method, target }) => method !== 'HEAD' || isParsed(target));

function build(line: string, headers: string, body: Buffer): FuzzRequest {
  const [method = '', target = ''] = line.split(' ');
  const closes = /HTTP\/1\.0|^connection: close/im.test(line + headers);
  const bytes = Buffer.concat([Buffer.from(`${line}${headers}\r\n`), body]);
  return { method, target, closes, endsMalformed: body.includes(FORBIDDEN_TRAILER), bytes };
}
