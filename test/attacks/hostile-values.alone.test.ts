import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BASE_PATH, type Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations/all.ts';
import { startServiceForFile } from '../support/shared.ts';
import { AUTH, converse, HOST, request } from '../support/wire/conversation.ts';

/** Values that make careless parsers try again and again from every position, each about `size` characters long. */
const shapes: Readonly<Record<string, (size: number) => string>> = {
  spaces: (size) => `a${' '.repeat(size)}a`,
  tabs: (size) => `a${'\t'.repeat(size)}a`,
  'spaces after a scheme': (size) => `bearer${' '.repeat(size)}a\t`,
  commas: (size) => ','.repeat(size),
  semicolons: (size) => ';'.repeat(size),
  'separators and spaces': (size) => ' ;\t, ;  ='.repeat(size / 9),
  'empty quoted texts': (size) => '"",'.repeat(size / 3),
  'unclosed quotes': (size) => `a="${'\\"'.repeat(size / 2)}`,
  backslashes: (size) => `"${'\\'.repeat(size)}`,
  'qualities of zero': (size) => 'br;q=0.000,gzip;q=0,'.repeat(size / 20),
  'trusted addresses': (size) => '127.0.0.1,'.repeat(size / 10),
  'unclosed brackets': (size) => '['.repeat(size),
  'words and colons': (size) => 'a:1,'.repeat(size / 4),
  'broken percent-encoding': (size) => '%ff=%ff&'.repeat(size / 8),
  'percent signs': (size) => '%'.repeat(size),
  'many names': (size) => Array.from({ length: size / 6 }, (_, n) => `A${n.toString(36)}`).join('&'),
  digits: (size) => `${'9'.repeat(size)}x`,
  'one id many times': (size) => `7${'&id=7'.repeat(size / 5)}`,
  slashes: (size) => '/'.repeat(size),
  'letters that expand': (size) => '%EF%B7%BA'.repeat(size / 9),
  'the beginning of a key': (size) => 'anst_'.repeat(size / 5),
  'high bytes': (size) => '\xff'.repeat(size),
};
const plain = (size: number) => 'a'.repeat(size);

/** Every header that the service reads, and one that it does not. */
const headers = [
  ...['Accept', 'Accept-Encoding', 'Access-Control-Request-Method', 'Authorization', 'Connection'],
  ...['Content-Encoding', 'Content-Type', 'Cookie', 'Expect', 'Forwarded', 'Host', 'Idempotency-Key'],
  ...['If-Match', 'If-None-Match', 'Origin', 'Traceparent', 'Upgrade', 'X-Forwarded-For'],
  ...['X-Forwarded-Host', 'X-Request-Id', 'X-Unknown'],
];
/** Almost all of what the limits of 16 KiB for the headers and of 8 KiB for the target allow. */
const HEADER_SIZE = 15_000;
const QUERY_SIZE = 7800;

const BODY = '{"name":"Rex","categoryId":7}';
const LENGTH = `Content-Length: ${BODY.length}\r\n`;

interface Target {
  readonly method: string;
  readonly path: string;
  readonly hasBody: boolean;
  readonly parameters: readonly string[];
}

const ofContract: Target[] = Object.values<Operation>(operations).map(({ method, path, query, body }) => ({
  method,
  path: BASE_PATH + path.replace(/\{\w+\}/, '7'),
  hasBody: body !== undefined,
  parameters: Object.keys(query?.entries ?? {}),
}));
const others = ['/healthz', '/readyz', '/openapi.json', '/metrics', '/', '/docs', '/assets/a.js', '/nothing'];
const targets: Target[] = [
  ...ofContract,
  ...others.map((path) => ({ method: 'GET', path, hasBody: false, parameters: [] })),
  { method: 'OPTIONS', path: '/v1/pets', hasBody: false, parameters: [] },
];

/** Allows every cross-origin request, and believes what this machine says about addresses. */
const config = { trustProxy: ['127.0.0.1'], corsOrigin: ['*'], rateLimit: { quota: 1_000_000, seconds: 60 } };
const service = await startServiceForFile({ config });

/** How much longer than a plain value a hostile one may take. Most take as long, or less. */
const FACTOR = 10;
/** On a busy machine all attempts of a moment are slow: there are at least this many, for at least this long. */
const ATTEMPTS = 20;
const PATIENCE_MS = 10_000;
const NOISE_MS = 2;

async function tookMs(bytes: string): Promise<number> {
  const { socket, send, next } = converse(service.port);
  const start = performance.now();
  send(Buffer.from(bytes, 'latin1'));
  await next();
  const took = performance.now() - start;
  socket.destroy();
  return took;
}

/** Asserts that a request takes about as long with each of the shapes as with the plain value. */
async function assertCheap(what: string, bytes: (value: (size: number) => string) => string): Promise<void> {
  let plainMs = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 4; n++) plainMs = Math.min(plainMs, await tookMs(bytes(plain)));
  // Any answer may take this long. What grows with the square of its size takes several hundred times as long.
  const reference = Math.max(plainMs, NOISE_MS);
  const limit = FACTOR * reference;
  for (const [name, shape] of Object.entries(shapes)) {
    // Other programs may slow down any attempt, but not all of them. An expensive shape never passes.
    let least = Number.POSITIVE_INFINITY;
    const patientUntil = performance.now() + PATIENCE_MS;
    for (let n = 0; least > limit && (n < ATTEMPTS || performance.now() < patientUntil); n++)
      least = Math.min(least, await tookMs(bytes(shape)));
    assert.ok(least <= limit, `${name} in ${what}: ${least} ms, a plain value ${reference} ms`);
  }
}

describe('the largest values in hostile shapes cost about as much as plain ones', {
  timeout: 900_000,
}, () => {
  for (const { method, path, hasBody, parameters } of targets) {
    const line = `${method} ${path}`;
    const body = hasBody ? BODY : '';
    const length = hasBody ? LENGTH : '';

    it(`in each header of ${line}`, async () => {
      for (const header of headers) {
        const usual = [HOST, AUTH].filter((one) => !one.startsWith(`${header}:`)).join('');
        await assertCheap(header, (value) =>
          request(line, `${usual}${length}${header}: ${value(HEADER_SIZE)}\r\n`, body),
        );
      }
    });

    it(`in the path and in each parameter of ${line}`, async () => {
      for (const before of [...parameters.map((name) => `?${name}=`), '?unknown=', '?', '/'])
        await assertCheap(before, (value) =>
          request(line + before + inTarget(value(QUERY_SIZE)), HOST + AUTH + length, body),
        );
    });
  }

  it('in the Last-Event-ID of a stream', async () => {
    const stream = `${HOST}${AUTH}Accept: text/event-stream\r\n`;
    await assertCheap('Last-Event-ID', (value) =>
      request('GET /v1/events', `${stream}Last-Event-ID: ${value(HEADER_SIZE)}\r\n`),
    );
  });
});

/** What cannot be in a request target, percent-encoded. */
const inTarget = (value: string): string =>
  value.replaceAll(/[ \t"\\]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
