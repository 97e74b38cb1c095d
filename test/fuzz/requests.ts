import fc from 'fast-check';
import { anyRequest } from '../support/any-request.ts';
import { effectiveHeaders, ignoredHeaders, parameters, USUAL } from '../support/odd-requests.ts';
import { bodyOf, newOrder, newPet, orderUpdate } from './bodies.ts';

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

const headers = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...ignoredHeaders) },
      { weight: 1, arbitrary: fc.constantFrom(...effectiveHeaders, 'Expect: 100-continue') },
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 500 }).map((n) => `Idempotency-Key: key-${n}`) },
    ),
    { maxLength: 3 },
  )
  .map((lines) => lines.map((line) => `${line}\r\n`).join(''));

const write = fc
  .oneof(
    fc.tuple(fc.constant('POST /v1/pets'), framingOf(bodyOf(newPet))),
    fc.tuple(fc.constant('POST /v1/store/orders'), framingOf(bodyOf(newOrder))),
    fc.tuple(
      id.map((id) => `PATCH /v1/store/orders/${id}`),
      framingOf(bodyOf(orderUpdate)),
    ),
  )
  .chain(([line, { header, body }]) =>
    headers.map((more) => build(`${line} HTTP/1.1\r\n`, USUAL + header + more, body)),
  );

const read = fc
  .tuple(
    fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS'),
    fc.oneof(
      fc
        .tuple(
          fc.constantFrom('/v1/pets?', '/v1/store/orders?'),
          fc.array(fc.constantFrom(...parameters, 'name=re', 'name=%F0%9F%90%95'), { maxLength: 4 }),
        )
        .map(([path, query]) => path + query.join('&')),
      id.map((id) => `/v1/pets/${id}`),
      fc.constantFrom('/v1/store/inventory', '/healthz', '/openapi.json', '/', '/docs', '/metrics'),
    ),
    headers,
  )
  .map(([method, target, more]) => build(`${method} ${target} HTTP/1.1\r\n`, USUAL + more, Buffer.alloc(0)));

const odd = anyRequest.map(({ head, body }) => {
  const end = head.indexOf('\r\n') + 2;
  return build(head.slice(0, end), head.slice(end), Buffer.from(body));
});

/** Node's parser refuses other targets before it says what the method was, so the error has a body even for HEAD. */
const isParsed = (target: string): boolean => /^[\x21-\x7e]{0,8000}$/.test(target);

/** Well-formed requests for every operation and everything around them; any part of one can be unusual. */
export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc
  .oneof({ weight: 5, arbitrary: write }, { weight: 3, arbitrary: read }, { weight: 3, arbitrary: odd })
  .filter(({ method, target }) => method !== 'HEAD' || isParsed(target));

function build(line: string, headers: string, body: Buffer): FuzzRequest {
  const [method = '', target = ''] = line.split(' ');
  const closes = /HTTP\/1\.0|^connection: close|^upgrade:/im.test(line + headers);
  const bytes = Buffer.concat([Buffer.from(`${line}${headers}\r\n`), body]);
  return { method, target, closes, endsMalformed: body.includes(FORBIDDEN_TRAILER), bytes };
}
