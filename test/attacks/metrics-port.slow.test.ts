import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { converse, HOST, request } from '../support/conversation.ts';
import { spawnService } from '../support/process.ts';
import { temporaryFolder } from '../support/service.ts';
import { exchange, parseAnswer } from '../support/socket.ts';

const MAX_CONNECTIONS = 100;
/** More than the port serves at once. */
const SLOW_CLIENTS = 150;

async function startService(t: TestContext, env: Record<string, string> = {}) {
  const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const service = await spawnService(t, { DATABASE_URL, METRICS_PORT: '0', ...env });
  const [, port] = /^Metrics: http:\/\/127\.0\.0\.1:(\d+)/m.exec(service.output.stderr) ?? [];
  return { service, port: Number(port) };
}

describe('the port of --metrics-port', { timeout: 120_000 }, () => {
  for (const WORKERS of ['1', '2'])
    for (const payload of ['', 'GET /metrics HTTP/1.1\r\nX: ', request('GET /metrics', HOST)])
      it(`with ${WORKERS} workers serves a scrape while ${SLOW_CLIENTS} clients occupy it with ${JSON.stringify(payload.slice(0, 30))}`, async (t) => {
        const { port, service } = await startService(t, { WORKERS });
        for (let n = 0; n < SLOW_CLIENTS; n++) {
          const socket = connect(port, '127.0.0.1').on('error', () => {});
          t.after(() => socket.destroy());
          await once(socket, 'connect');
          socket.write(payload);
        }
        const scrape = request('GET /metrics', `${HOST}Connection: close\r\n`);
        assert.equal(parseAnswer(await exchange(port, scrape)).status, 200);
        service.child.kill('SIGTERM');
        assert.equal(await service.exited, 0);
        assert.equal(service.errors(), '');
      });

  it('closes the longest idle connection to make room for another', async (t) => {
    const { port } = await startService(t);
    const sockets: Socket[] = [];
    for (let n = 0; n < MAX_CONNECTIONS; n++) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      t.after(() => socket.destroy());
      await once(socket, 'connect');
      sockets.push(socket);
    }
    const [first, ...others] = sockets as [Socket, ...Socket[]];
    assert.equal(first.readyState, 'open');
    const received = text(first);
    const scrape = request('GET /metrics', `${HOST}Connection: close\r\n`);
    assert.equal(parseAnswer(await exchange(port, scrape)).status, 200);
    assert.equal(await received, '', 'not closed by the time-out, which has an answer');
    assert.ok(others.every(({ readyState }) => readyState === 'open'));
  });

  it('disconnects a client whose request does not arrive in time', async (t) => {
    const { port } = await startService(t);
    const { status, body } = parseAnswer(await exchange(port, 'GET /metrics HTTP/1.1\r\nX: '));
    assert.equal(status, 408);
    assert.equal(JSON.parse(body).code, 'request_timeout');
  });

  it('answers every malformed request with the Error body', async (t) => {
    const { port } = await startService(t);
    for (const [bytes, expected] of [
      ['NO HTTP\r\n\r\n', 400],
      ['GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      [request('GET /metrics', `${HOST}Connection: close\r\nExpect: more\r\n`), 400],
      [request('GET /metrics', `${HOST}X: ${'x'.repeat(20_000)}\r\n`), 431],
      [request('CONNECT animal.store:80', HOST), 400],
    ] as const) {
      const { status, headers, body } = parseAnswer(await exchange(port, bytes));
      assert.equal(status, expected, bytes.slice(0, 80));
      assert.equal(JSON.parse(body).status, expected);
      assert.ok(headers['x-request-id']);
    }
  });

  it('answers pipelined requests in order, also in absolute form', async (t) => {
    const { port } = await startService(t);
    const client = converse(port);
    client.send(request('GET http://animal.store/metrics', HOST));
    client.send(request('GET /v1/pets', HOST));
    client.send(request('GET /metrics?x=1', `${HOST}Connection: close\r\n`));
    const answers = await client.rest();
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 404, 200],
    );
  });
});
