import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { header } from '../../support/assert.ts';
import { linesOf, settleLog } from '../../support/service/log.ts';
import { KEY } from '../../support/service/service.ts';
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
  for (const [sent, address] of Object.entries(chains)) {
    it(`is ${address} when a trusted proxy sends X-Forwarded-For: ${sent}`, async () => {
      const line = await lineOf('GET /v1/pets', [`X-Forwarded-For: ${sent}`], proxied);
      assert.equal(line.address, address);
    });
  }

  it('is found in several X-Forwarded-For headers as in one', async () => {
    const headers = ['X-Forwarded-For: 192.0.2.7', 'X-Forwarded-For: 10.1.2.3'];
    assert.equal((await lineOf('GET /v1/pets', headers, proxied)).address, '192.0.2.7');
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
    const { createLog } = await import('../../../src/log.ts');
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

  it('does not contain an API key that was sent in the wrong place', async () => {
    const line = await lineOf('GET /v1/pets/anst_Secret0123456789/x');
    assert.equal(line.path, '/v1/pets/anst_…/x');
    const { requestId } = await lineOf('GET /v1/pets', ['X-Request-Id: till-anst_Secret0123456789']);
    assert.doesNotMatch(String(requestId), /anst_/);
  });

  it('does not contain a key of API_KEYS either', async () => {
    assert.equal((await lineOf(`GET /v1/pets/${KEY}/x`)).path, '/v1/pets/…/x');
    const { requestId } = await lineOf('GET /v1/pets', [`X-Request-Id: till:${KEY}`]);
    assert.ok(!String(requestId).includes(KEY));
  });
});

describe('The trace id in the access log', () => {
  const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
  const PARENT = '00f067aa0ba902b7';
  const valid = [`00-${ID}-${PARENT}-01`, `00-${ID}-${PARENT}-ff`, `cc-${ID}-${PARENT}-01-what-comes-later`];
  for (const sent of valid) {
    it(`is that of traceparent: ${sent}`, async () => {
      assert.equal((await lineOf('GET /v1/pets', [`traceparent: ${sent}`])).traceId, ID);
    });
  }
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
  for (const sent of invalid) {
    it(`is left out for an invalid traceparent: ${sent}`, async () => {
      assert.equal((await lineOf('GET /v1/pets', [`traceparent: ${sent}`])).traceId, undefined);
    });
  }

  it('is left out for two of them', async () => {
    const two = [valid[0], valid[0]].map((value) => `traceparent: ${value}`);
    assert.equal((await lineOf('GET /v1/pets', two)).traceId, undefined);
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
