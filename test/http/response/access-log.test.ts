import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainAddress } from '../../../src/http/server/exchange.ts';
import { createLog } from '../../../src/log.ts';
import { header } from '../../support/assert.ts';
import { linesOf, settleLog } from '../../support/service/log.ts';
import { KEY, startService } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';

const service = await startServiceForFile();
const proxied = await startServiceForFile({
  config: { trustProxy: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'] },
});

async function lineOf(requestLine: string, headers: readonly string[] = [], of = service) {
  const answer = await rawRequest(of.port, requestLine, [AUTHORIZED, ...headers]);
  const [line = {}, ...more] = await linesOf(of, answer);
  assert.equal(more.length, 0);
  return line;
}

describe('The address in the access log', () => {
  it('is that of the connection, whatever the client claims', async () => {
    const claims = ['X-Forwarded-For: 192.0.2.7', 'Forwarded: for=192.0.2.7', 'X-Real-IP: 192.0.2.7'];
    assert.equal((await lineOf('GET /v1/pets', claims)).address, '127.0.0.1');
    for (const address of ['192.0.2.1', '2001:db8::1', '::ffff:0:1', ''])
      assert.equal(plainAddress(address), address);
    assert.equal(plainAddress('::ffff:192.0.2.1'), '192.0.2.1', 'the same on every socket');
  });

  const chains: Readonly<Record<string, string>> = {
    '': '127.0.0.1',
    '192.0.2.7': '192.0.2.7',
    'spoofed, 192.0.2.7': '192.0.2.7',
    '198.51.100.1, 192.0.2.7': '192.0.2.7',
    '192.0.2.7, 10.1.2.3': '192.0.2.7',
    '10.9.9.9, 10.1.2.3': '10.9.9.9',
    '192.0.2.7:4711, 10.1.2.3': '192.0.2.7',
    '[2001:db9::7]:4711, 2001:db8::1': '2001:db9::7',
    '2001:db9::7': '2001:db9::7',
    '::ffff:192.0.2.7': '192.0.2.7',
    '::FFFF:192.0.2.7': '192.0.2.7',
    'fe80::1%eth0': 'fe80::1',
    '","evil":"': '127.0.0.1',
    '192.0.2.7, "x"': '127.0.0.1',
    'unknown, 10.1.2.3': '10.1.2.3',
    '192.0.2.7,': '127.0.0.1',
  };
  it('is the last one in X-Forwarded-For that no trusted proxy has, if a trusted proxy sent it', async (t) => {
    for (const [sent, address] of Object.entries(chains))
      assert.equal(
        (await lineOf('GET /v1/pets', [`X-Forwarded-For: ${sent}`], proxied)).address,
        address,
        sent,
      );
    const two = ['X-Forwarded-For: 192.0.2.7', 'X-Forwarded-For: 10.1.2.3'];
    assert.equal((await lineOf('GET /v1/pets', two, proxied)).address, '192.0.2.7');
    const direct = await startService(t, { config: { trustProxy: ['10.0.0.0/8'] } });
    assert.equal((await lineOf('GET /v1/pets', two, direct)).address, '127.0.0.1');
  });
});

describe('The path in the access log', () => {
  it('is there for a path that matches nothing, without its query, and for no other', async () => {
    assert.equal((await lineOf('GET /wp-login.php?user=x')).path, '/wp-login.php');
    assert.equal((await lineOf('GET /v1/pets/1/x')).path, '/v1/pets/1/x');
    for (const line of ['GET /v1/pets', 'GET /v1/pets/nope', 'DELETE /v1/pets'])
      assert.equal((await lineOf(line)).path, undefined);
  });

  it('is bounded', async () => {
    assert.equal(String((await lineOf(`GET /${'x'.repeat(5000)}`)).path).length, 200);
  });

  it('is printable ASCII in JSON, whatever was sent', async () => {
    const raw: string[] = [];
    const { logRequest } = await import('../../../src/http/response/send.ts');
    const { identify } = await import('../../../src/http/request/head.ts');
    const { Routes } = await import('../../../src/http/request/route.ts');
    const { RequestHeaders } = await import('../../../src/http/server/exchange.ts');
    const log = createLog({ write: (line) => void raw.push(line) });
    const odd = '%22%5C%0A%1B%C2%9B%E2%80%A8%7F%F0%9F%90%95"\\é';
    const received = {
      method: 'GET',
      target: `/${odd}`,
      httpVersion: '1.1',
      headers: new RequestHeaders([]),
      remoteAddress: '127.0.0.1',
      failure: undefined,
      readBody: () => Buffer.alloc(0),
      sendContinue() {},
    };
    logRequest(
      log,
      identify(received, new Routes(), () => '127.0.0.1', log.mask),
      404,
      1,
    );
    assert.match(raw[0] ?? '', /^[\x20-\x7e]+\n$/);
    assert.equal(JSON.parse(raw[0] ?? '').path, '/"\\\n\u001b\u009b\u2028\u007f🐕"\\é');
    assert.equal((await lineOf('GET /%22%5C%0A%1B')).path, '/"\\\n\u001b');
  });

  it('does not contain an API key that was sent in the wrong place, stored or of API_KEYS', async () => {
    for (const [key, shown] of [
      ['anst_Secret0123456789', 'anst_…'],
      [KEY, '…'],
    ] as const) {
      assert.equal((await lineOf(`GET /v1/pets/${key}/x`)).path, `/v1/pets/${shown}/x`);
      const { requestId } = await lineOf('GET /v1/pets', [`X-Request-Id: till-${key}`]);
      assert.ok(!String(requestId).includes(key.slice(0, 9)));
    }
    const { path } = await lineOf(`GET /${'x'.repeat(190)}${KEY}`);
    assert.ok(!String(path).includes(KEY.slice(0, 5)), 'no part of it either');
  });
});

it('A key in an error or a message is not logged, even if it has characters that JSON escapes', () => {
  const lines: string[] = [];
  const key = 'till"3\\secret';
  const log = createLog({ write: (line) => void lines.push(line) }, 'info', [key]);
  for (const one of [key, 'anst_secret0123456789'])
    log.error({ err: new Error(`refused ${one}`, { cause: one }), sent: [one] }, `refused ${one}`);
  assert.match(lines.join(''), /"msg":"refused …".*"msg":"refused anst_…"/s);
  assert.doesNotMatch(lines.join(''), /secret/);
});

describe('The trace id in the access log', () => {
  const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
  const PARENT = '00f067aa0ba902b7';
  const valid = [`00-${ID}-${PARENT}-01`, `00-${ID}-${PARENT}-ff`, `cc-${ID}-${PARENT}-01-what-comes-later`];
  const invalid = [
    '',
    'x',
    `ff-${ID}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${ID}-${'0'.repeat(16)}-01`,
    `00-${ID.toUpperCase()}-${PARENT}-01`,
    `00-${ID}-${PARENT}-01-more`,
    `cc-${ID}-${PARENT}-01more`,
    `00-${ID}-${PARENT}`,
    `00-${ID}","x":"-${PARENT}-01`,
  ];
  it('is that of one valid traceparent', async () => {
    const traceIdOf = async (...sent: string[]) =>
      (
        await lineOf(
          'GET /v1/pets',
          sent.map((value) => `traceparent: ${value}`),
        )
      ).traceId;
    for (const sent of valid) assert.equal(await traceIdOf(sent), ID, sent);
    for (const sent of invalid) assert.equal(await traceIdOf(sent), undefined, sent);
    assert.equal(await traceIdOf(...valid), undefined);
  });
});

describe('A health check', () => {
  it('is logged only when it fails', async () => {
    const ids = new Set<string | undefined>();
    for (const line of ['GET /healthz', 'HEAD /healthz', 'GET /readyz'])
      ids.add(header(await rawRequest(service.port, line, []), 'x-request-id'));
    await settleLog(service);
    assert.deepEqual(
      service.log.filter(({ requestId }) => ids.has(String(requestId))),
      [],
    );
    assert.equal((await lineOf('DELETE /healthz')).status, 405);
    assert.equal((await lineOf('GET /readyz', ['Host: two'])).status, 400);
    assert.ok(!JSON.stringify(service.log).includes(KEY));
  });
});
