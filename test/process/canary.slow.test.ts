import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { server } from '../support/database/both-stores.ts';
import { createDatabase } from '../support/database/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';

const KEY = 'canary-key-of-a-client-of-the-shop';
const WRONG_KEY = 'canary-key-that-is-wrong';
const PASSWORD = 'canary-password';
const CANARY = /canary/i;

/** On SIGUSR2 the process fails with an error that has the secrets in its properties, as errors of libraries do. */
const CRASH = `process.on('SIGUSR2', () => {
  const { DATABASE_URL, API_KEYS } = process.env;
  throw Object.assign(new Error('on purpose'), { options: { DATABASE_URL, API_KEYS } });
})`;

/** Every way in which a client can send a key, rightly and wrongly, and a body that names it. Returns all responses. */
async function callEverything(origin: string): Promise<string> {
  const responses = [
    await call(origin, 'GET', '/v1/pets', { key: KEY }),
    await call(origin, 'POST', '/v1/pets', { key: KEY, body: { name: 5 } }),
    await call(origin, 'POST', '/v1/pets', { key: KEY, raw: `{"name":"${PASSWORD}` }),
    await call(origin, 'GET', '/v1/pets/1', { key: WRONG_KEY }),
    await call(origin, 'GET', `/v1/pets?api_key=${KEY}&limit=0`, { key: KEY }),
    await call(origin, 'GET', `/v1/unknown?key=${KEY}`, { key: KEY }),
    await call(origin, 'GET', '/v1/pets', { key: null, headers: { authorization: `Basic ${KEY}` } }),
    await call(origin, 'GET', '/v1/pets', { key: null, headers: { authorization: `Bearer ${KEY} ${KEY}` } }),
    await call(origin, 'GET', '/v1/pets', { key: KEY, headers: { 'x-api-key': KEY, cookie: `key=${KEY}` } }),
    await call(origin, 'GET', '/openapi.json', { key: KEY }),
    await call(origin, 'GET', '/metrics', { key: KEY }),
    await call(origin, 'GET', '/readyz', { key: KEY }),
  ];
  return responses.map(({ headers, text }) => `${JSON.stringify([...headers])}\n${text}`).join('\n');
}

describe('a secret of the configuration or of a client', { timeout: 120_000 }, () => {
  it('appears in no log line, response, metric or message, in an outage and in a crash', async (t) => {
    // The server accepts local connections whatever their password is.
    const url = new URL(await createDatabase(server));
    url.password = PASSWORD;
    const service = await spawnService(t, {
      DATABASE_URL: url.href,
      API_KEYS: KEY,
      NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(CRASH)}"`,
    });
    assert.doesNotMatch(await callEverything(service.origin), CANARY);
    await server.stop();
    t.after(() => server.start());
    const during = await callEverything(service.origin);
    assert.match(during, /"unavailable"/);
    assert.doesNotMatch(during, CANARY);
    service.child.kill('SIGUSR2');
    assert.equal(await service.exited, 1);
    await eventually(() => service.output.stdout.includes('on purpose'), 'the crash is logged');
    assert.match(service.output.stdout, /"msg":"request"/);
    assert.doesNotMatch(service.output.stdout, CANARY);
    assert.doesNotMatch(service.output.stderr, CANARY);
  });
});
