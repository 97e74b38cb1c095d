import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { describe, it, type TestContext } from 'node:test';
import { spawnService } from '../support/process.ts';
import { KEY } from '../support/service.ts';
import { hasTools } from '../support/tools.ts';
import { PROXIES, startProxy } from './support/proxies.ts';

const ROUNDS = 20;
/** More than the sockets and the proxy buffer: a part of it is still to come when the service answers. nginx itself refuses more than 1 MB. */
const BYTES = { nginx: 900 * 1024, caddy: 3 * 1024 * 1024, haproxy: 3 * 1024 * 1024 };

/** Requests that the service refuses before it has read their bodies. */
const REFUSED = [
  { path: '/pets', headers: {}, status: 401 },
  { path: '/nothing', headers: { authorization: `Bearer ${KEY}` }, status: 404 },
  { path: '/pets', headers: { authorization: `Bearer ${KEY}` }, status: 413 },
];

async function connectTo(t: TestContext, baseUrl: string): Promise<ClientHttp2Session> {
  const session = connect(new URL(baseUrl).origin);
  t.after(() => session.destroy());
  await once(session, 'connect');
  return session;
}

const statusOf = async (stream: ReturnType<ClientHttp2Session['request']>): Promise<number> => {
  const [headers] = await once(stream, 'response');
  return Number((headers as Record<string, unknown>)[':status']);
};

/** Sends a large body, and leaves when it is refused. */
async function sendTooMuch(
  session: ClientHttp2Session,
  prefix: string,
  { path, headers, status }: (typeof REFUSED)[number],
  bytes: number,
): Promise<void> {
  const stream = session.request({
    ':method': 'POST',
    ':path': prefix + path,
    'content-type': 'application/json',
    'content-length': bytes,
    ...headers,
  });
  stream.on('error', () => {});
  stream.end(Buffer.alloc(bytes, ' '));
  assert.equal(await statusOf(stream), status);
  stream.close();
}

async function listPets(session: ClientHttp2Session, prefix: string): Promise<number> {
  const stream = session.request({ ':path': `${prefix}/pets`, authorization: `Bearer ${KEY}` });
  const status = await statusOf(stream);
  stream.resume();
  await once(stream, 'close');
  return status;
}

describe('A request through a proxy with HTTP/2', { timeout: 300_000 }, () => {
  for (const name of Object.keys(PROXIES) as (keyof typeof PROXIES)[]) {
    for (const refused of REFUSED) {
      it(`is not swallowed by the unread body of one before it, which got ${refused.status}: ${name}`, async (t) => {
        if (!hasTools(t, name)) return;
        const { port } = await spawnService(t, { DATABASE_URL: 'sqlite::memory:' });
        const baseUrl = await startProxy(t, name, port, { isHttp2: true });
        const prefix = new URL(baseUrl).pathname;
        for (let round = 0; round < ROUNDS; round++) {
          const session = await connectTo(t, baseUrl);
          await sendTooMuch(session, prefix, refused, BYTES[name]);
          assert.equal(await listPets(session, prefix), 200, `in round ${round}`);
          session.destroy();
        }
      });
    }
  }
});
