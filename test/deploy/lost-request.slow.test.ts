import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { petsIn } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/service/free-port.ts';
import { spawnService } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';
import { AUTH, converse, request } from '../support/wire/conversation.ts';
import { PROXY_NAMES, startProxy } from './support/proxies.ts';

const PET = '{"name":"Rex","categoryId":7}';
const ESTABLISHED = '01';

/** How many bytes have arrived at connections of this port and are unread, according to Linux. */
function unreadBytes(port: number): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) && state === ESTABLISHED)
    .reduce((sum, [, , , , queues]) => sum + Number.parseInt(queues?.split(':')[1] ?? '', 16), 0);
}

/** HAProxy closes the connection of a client whose later request is lost. */
const mayClose = (name: string, isFirst: boolean): boolean => name === 'haproxy' && !isFirst;

describe('A create that is lost because the service dies', { timeout: 120_000 }, () => {
  for (const name of PROXY_NAMES) {
    for (const isFirst of [true, false]) {
      it(`gets an error, and is not sent a second time: ${name}, ${isFirst ? 'the first' : 'a later'} request of a connection`, async (t) => {
        if (!hasTools(t, name)) return;
        const file = join(await temporaryFolder(t), 'pets.db');
        const env = { DATABASE_URL: `sqlite:${file}`, PORT: `${await freePort()}` };
        const service = await spawnService(t, env);
        const { host, port, pathname } = new URL(await startProxy(t, name, service.port));
        const head = `Host: ${host}\r\n${AUTH}`;
        const { send, next } = converse(Number(port));
        if (!isFirst) {
          send(request(`GET ${pathname}/pets`, head));
          assert.equal((await next()).status, 200);
        }
        service.child.kill('SIGSTOP');
        send(request(`POST ${pathname}/pets`, `${head}Content-Length: ${PET.length}\r\n`, PET));
        await eventually(() => unreadBytes(service.port) > 0, 'the proxy has sent the request');
        service.child.kill('SIGKILL');
        await service.exited;
        const answer = await next().catch((error: Error) => {
          if (!mayClose(name, isFirst)) throw error;
        });
        if (answer) {
          assert.ok([502, 503].includes(answer.status), `${answer.status}`);
          assert.equal(answer.headers['retry-after'], '1');
          const { code, status } = JSON.parse(answer.body) as Record<string, unknown>;
          assert.deepEqual([code, status], ['unavailable', answer.status]);
        }
        const again = await spawnService(t, env);
        const response = await fetch(`http://${host}${pathname.replace('/v1', '/healthz')}`);
        assert.equal(response.status, 200, 'the proxy has found the new service');
        again.child.kill('SIGTERM');
        await again.exited;
        assert.deepEqual(petsIn(file), []);
      });
    }
  }
});
