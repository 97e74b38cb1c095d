import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { assertError } from '../support/assert.ts';
import { type NamedPet, petsIn } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { startAttackedService } from '../support/service/attacked-service.ts';
import { isReachable } from '../support/service/is-reachable.ts';
import { assertShutsDown, type RunningService } from '../support/service/process.ts';
import { AUTH, type Conversation, converse, HOST, request } from '../support/wire/conversation.ts';
import { KeepAliveClient } from '../support/wire/keep-alive.ts';

/** For a shutdown that has nothing to wait for. A request that never ends takes twice as long. */
const SOON_MS = 4000;
/** The thread that writes is never told to close. */
const NEVER_CLOSES = `import { Worker } from 'node:worker_threads';
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message) { if (message !== 'close') postMessage.call(this, message); };`;
const PET = '{"name":"Rex","categoryId":7}';

/** Starts a create that the service has accepted and whose body it is waiting for. */
async function beginCreate({ port }: RunningService): Promise<Conversation> {
  const conversation = converse(port);
  const head = `${HOST}${AUTH}Expect: 100-continue\r\nContent-Length: ${PET.length}\r\n`;
  conversation.send(request('POST /v1/pets', head));
  assert.equal((await conversation.next()).status, 100);
  return conversation;
}

/** Sends the signal, and waits until the service acts on it: it stops listening, and soon after that it closes connections. */
async function signalDrain({ port, child }: RunningService, ...signals: NodeJS.Signals[]): Promise<void> {
  const { send, next } = converse(port);
  send(request('GET /healthz', HOST));
  assert.equal((await next()).headers.connection, 'keep-alive');
  for (const signal of signals) {
    child.kill(signal);
    await nextTick();
  }
  await eventually(async () => !(await isReachable(port)), 'it stops listening');
  await eventually(async () => {
    send(request('GET /healthz', HOST));
    return (await next()).headers.connection === 'close';
  }, 'it closes connections');
}

const namesIn = (file: string) => petsIn(file).map(({ name }) => name);

/** Sends one request after the other until a response closes the connection. Any error is a lost response. */
async function keepBusy(client: KeepAliveClient, id: number, acknowledged: string[]): Promise<void> {
  for (let n = 0; ; n++) {
    const reads = n % 4 === 3;
    const { status, headers, body } = await (reads
      ? client.get('/v1/pets')
      : client.createPet(`pet ${n} of client ${id}`));
    assert.equal(status, reads ? 200 : 201, body);
    if (!reads) acknowledged.push((JSON.parse(body) as NamedPet).name);
    if (headers.connection === 'close') return;
  }
}

describe('graceful shutdown', { concurrency: 2, timeout: 120_000 }, () => {
  it('answers every request of 16 busy keep-alive clients', async (t) => {
    const service = await startAttackedService(t);
    const acknowledged: string[] = [];
    const clients = Array.from({ length: 16 }, () => new KeepAliveClient(service.port));
    t.after(() => clients.map((client) => client.close()));
    const done = Promise.all(clients.map((client, id) => keepBusy(client, id, acknowledged)));
    const isBusy = eventually(() => acknowledged.length >= 500, 'the clients are busy');
    await Promise.race([isBusy, done]);
    await Promise.all([assertShutsDown(service), done]);
    assert.deepEqual(namesIn(service.databaseFile).sort(), acknowledged.sort());
    assert.equal(service.errors(), '');
  });

  it('answers what it has accepted, also a create on an open connection, reports not ready, and refuses new streams', async (t) => {
    const service = await startAttackedService(t);
    const pending = await beginCreate(service);
    pending.send(PET.slice(0, 5));
    const requests = {
      readyz: request('GET /readyz', HOST),
      // A stream would end at once.
      stream: request('GET /v1/events', `${HOST}${AUTH}Accept: text/event-stream\r\n`),
      create: request('POST /v1/pets', `${HOST}${AUTH}Content-Length: ${PET.length}\r\n`, PET),
    };
    const connections: [name: keyof typeof requests, Conversation][] = [];
    for (const name of ['readyz', 'stream', 'create'] as const) {
      const connection = converse(service.port);
      connection.send(requests.readyz);
      const { status, headers } = await connection.next();
      assert.deepEqual([status, headers.connection], [200, 'keep-alive']);
      connections.push([name, connection]);
    }
    await signalDrain(service, 'SIGTERM');
    for (const [name, connection] of connections) connection.send(requests[name]);
    for (const [name, connection] of connections) {
      const [answer, ...more] = await connection.rest();
      assert.ok(answer);
      assert.deepEqual([answer.headers.connection, more], ['close', []], name);
      if (name === 'create') assert.equal(answer.status, 201);
      else {
        assertError(answer, 503, 'unavailable');
        assert.match(answer.headers['retry-after'] ?? '', /^\d+$/);
      }
    }
    pending.send(PET.slice(5));
    const { status, headers } = await pending.next();
    assert.deepEqual([status, headers.connection, await pending.rest()], [201, 'close', []]);
    assert.equal(await service.exited, 0);
    assert.deepEqual(namesIn(service.databaseFile), ['Rex', 'Rex']);
  });

  it('does not wait for idle connections', async (t) => {
    const service = await startAttackedService(t);
    const [used, silent] = [converse(service.port), converse(service.port)];
    used.send(request('GET /v1/pets'));
    assert.equal((await used.next()).status, 200);
    await assertShutsDown(service, SOON_MS);
    assert.deepEqual(await Promise.all([used.rest(), silent.rest()]), [[], []]);
  });

  it('closes the connection of a request that never ends, before the deadline', async (t) => {
    const service = await startAttackedService(t);
    await beginCreate(service);
    await assertShutsDown(service);
  });

  it('exits with 1 if it cannot end in time', async (t) => {
    const NODE_OPTIONS = `--import="data:text/javascript,${encodeURIComponent(NEVER_CLOSES)}"`;
    const service = await startAttackedService(t, undefined, { NODE_OPTIONS });
    service.child.kill('SIGTERM');
    assert.equal(await service.exited, 1);
  });

  it('exits at once on a second signal, later than a second after the first', async (t) => {
    const service = await startAttackedService(t);
    await beginCreate(service);
    await signalDrain(service, 'SIGTERM');
    // A shutdown that the signals do not shorten ends with 0.
    const timer = setInterval(() => service.child.kill('SIGTERM'), 100);
    t.after(() => clearInterval(timer));
    assert.equal(await service.exited, 1);
  });

  it('treats a signal that is repeated at once, for example by npm, as one signal', async (t) => {
    const service = await startAttackedService(t);
    const { send, next } = await beginCreate(service);
    // Different ones, because the system merges equal signals that arrive together.
    await signalDrain(service, 'SIGINT', 'SIGTERM', 'SIGQUIT');
    send(PET);
    assert.equal((await next()).status, 201);
    assert.equal(await service.exited, 0);
  });
});
