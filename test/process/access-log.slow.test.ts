import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { AUTH, converse, HOST, request } from '../support/wire/conversation.ts';

const CONNECTIONS = 50;
const REQUESTS = 12;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the access log', { timeout: 60_000 }, () => {
  it('has one line for every request of a burst, even if the service is stopped immediately after it', async (t) => {
    const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const service = await spawnService(t, { DATABASE_URL });
    const closed = once(service.child, 'close');
    const targets = Array.from({ length: REQUESTS }, (_, n) => (n % 3 === 0 ? '/v1/pets/7' : '/v1/pets'));
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, c) => {
        const { socket, send, next } = converse(service.port);
        const head = (n: number) => `${HOST}${AUTH}X-Request-Id: ${c}-${n}\r\n`;
        for (const [n, target] of targets.entries()) {
          send(request(`GET ${target}`, head(n)));
          assert.equal((await next()).headers['x-request-id'], `${c}-${n}`);
        }
        socket.end();
      }),
    );
    service.child.kill('SIGTERM');
    assert.equal(await service.exited, 0);
    await closed;

    const lines = service.output.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      .filter(({ msg }) => msg === 'request');
    assert.equal(lines.length, CONNECTIONS * REQUESTS);
    const byId = new Map(lines.map((line) => [line.requestId, line]));
    for (let c = 0; c < CONNECTIONS; c++) {
      for (const [n, target] of targets.entries()) {
        const line = byId.get(`${c}-${n}`);
        const [operation, status] = target === '/v1/pets' ? ['listPets', 200] : ['getPet', 404];
        const { level, method } = line ?? {};
        assert.deepEqual([level, line?.operation, method, line?.status], [30, operation, 'GET', status]);
        assert.match(String(line?.time), ISO);
        assert.equal(typeof line?.ms, 'number');
        assert.match(String(line?.keyId), /^env-[0-9a-f]{8}$/);
      }
    }
  });

  it('is omitted with LOG_LEVEL=warn', async (t) => {
    const service = await spawnService(t, { DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'warn' });
    const closed = once(service.child, 'close');
    assert.equal((await call(service.origin, 'GET', '/v1/pets')).status, 200);
    service.child.kill('SIGTERM');
    assert.equal(await service.exited, 0);
    await closed;
    assert.equal(service.output.stdout, '');
  });
});
