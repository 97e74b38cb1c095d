import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AUTH, type Conversation, converse, HOST, request } from '../support/conversation.ts';
import { type NamedPet, petsIn } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { isReachable } from '../support/is-reachable.ts';
import { KeepAliveClient } from '../support/keep-alive.ts';
import { temporaryFolder } from '../support/service.ts';
import { isAlive, type ServiceWithWorkers, spawnWithWorkers } from '../support/workers.ts';

const SHUTDOWN_MS = 10_000;
const SOON_MS = 6000;
/** The time that the operating system may take to remove a killed process. */
const REAP_MS = 2000;
const PET = '{"name":"Rex","categoryId":7}';

async function start(
  t: TestContext,
  env: Record<string, string> = {},
): Promise<ServiceWithWorkers & { file: string }> {
  const file = join(await temporaryFolder(t), 'pets.db');
  return { file, ...(await spawnWithWorkers(t, { DATABASE_URL: `sqlite:${file}`, ...env })) };
}

/** Starts a create that a worker has accepted and whose body it is waiting for. Workers receive connections in turn. */
async function beginCreate({ port }: ServiceWithWorkers): Promise<Conversation> {
  const conversation = converse(port);
  const head = `${HOST}${AUTH}Expect: 100-continue\r\nContent-Length: ${PET.length}\r\n`;
  conversation.send(request('POST /v1/pets', head));
  assert.equal((await conversation.next()).status, 100);
  return conversation;
}

/** Sends the body; expects the response, and the connection to be closed after it. */
async function assertCompletes({ send, next, rest }: Conversation): Promise<void> {
  send(PET);
  const { status, headers } = await next();
  assert.deepEqual([status, headers.connection], [201, 'close']);
  assert.deepEqual(await rest(), []);
}

async function assertExits(service: ServiceWithWorkers, code: number, withinMs: number): Promise<void> {
  const late = sleep(withinMs, `still running after ${withinMs} ms`, { ref: false });
  assert.equal(await Promise.race([service.exited, late]), code, service.output.stdout);
  await eventually(() => !service.workers().some(isAlive), 'no worker is running', REAP_MS);
}

/** The database was closed: its write-ahead log is gone. */
const assertClosed = async (file: string) => assert.deepEqual(await readdir(dirname(file)), ['pets.db']);

/** Sends one request after the other until a response closes the connection. Any error is a lost response. */
async function keepBusy(client: KeepAliveClient, id: number, acknowledged: string[]): Promise<void> {
  for (let n = 0; ; n++) {
    const { status, headers, body } = await client.createPet(`pet ${n} of client ${id}`);
    assert.equal(status, 201, body);
    acknowledged.push((JSON.parse(body) as NamedPet).name);
    if (headers.connection === 'close') return;
  }
}

describe('graceful shutdown with workers', { concurrency: 2, timeout: 300_000 }, () => {
  it('answers and logs every request of 16 busy keep-alive clients', async (t) => {
    const service = await start(t);
    const acknowledged: string[] = [];
    const clients = Array.from({ length: 16 }, () => new KeepAliveClient(service.port));
    t.after(() => clients.map((client) => client.close()));
    const done = Promise.all(clients.map((client, id) => keepBusy(client, id, acknowledged)));
    while (acknowledged.length < 500) await Promise.race([sleep(10), done]);
    service.child.kill('SIGTERM');
    await done;
    await assertExits(service, 0, SHUTDOWN_MS);
    await assertClosed(service.file);
    assert.deepEqual(
      petsIn(service.file)
        .map(({ name }) => name)
        .sort(),
      acknowledged.sort(),
    );
    assert.equal(service.errors(), '');
    const requests = service.log().filter(({ msg }) => msg === 'request');
    assert.equal(requests.length, acknowledged.length);
  });

  it('answers every connection accepted before the signal, even if no worker has received it yet', async (t) => {
    const service = await start(t);
    for (const worker of service.workers()) process.kill(worker, 'SIGSTOP');
    const conversations = Array.from({ length: 10 }, () => converse(service.port));
    for (const { socket, send } of conversations) {
      await once(socket, 'connect');
      send(request('GET /v1/pets'));
    }
    await sleep(200);
    service.child.kill('SIGTERM');
    await eventually(() => service.output.stdout.includes('shutting down'), 'it is shutting down');
    for (const worker of service.workers()) process.kill(worker, 'SIGCONT');
    const answers = await Promise.all(conversations.map(({ next }) => next()));
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(10).fill(200),
    );
    await refused(service.port);
    await assertExits(service, 0, SHUTDOWN_MS);
  });

  it('treats a signal to every process, such as from a terminal, as one signal, and does not wait for idle clients', async (t) => {
    const service = await start(t);
    const pending = [await beginCreate(service), await beginCreate(service)];
    const idle = converse(service.port);
    idle.send(request('GET /v1/pets'));
    assert.equal((await idle.next()).status, 200);
    for (const worker of service.workers()) process.kill(worker, 'SIGINT');
    await sleep(20);
    service.child.kill('SIGINT');
    await sleep(500);
    await Promise.all(pending.map(assertCompletes));
    assert.deepEqual(await idle.rest(), []);
    await assertExits(service, 0, SOON_MS);
    await assertClosed(service.file);
    assert.deepEqual(
      service.log().filter(({ msg }) => msg === 'worker replaced'),
      [],
    );
  });

  it('closes the connection of a request that never ends, before the deadline', async (t) => {
    const service = await start(t);
    await beginCreate(service);
    service.child.kill('SIGTERM');
    await assertExits(service, 0, SHUTDOWN_MS);
    await assertClosed(service.file);
  });

  it('kills a worker that does not respond by the deadline', async (t) => {
    const service = await start(t);
    const [victim = 0] = service.workers();
    process.kill(victim, 'SIGSTOP');
    service.child.kill('SIGTERM');
    await assertExits(service, 1, SHUTDOWN_MS + 1000);
  });

  it('starts no worker during the pause before a replacement', async (t) => {
    const folder = await temporaryFolder(t);
    const [starts, broken] = [join(folder, 'starts'), join(folder, 'broken')];
    // Every worker records its start, and fails while the file exists.
    const hook = `import fs from 'node:fs';
      if (process.argv[1].endsWith('worker.ts')) {
        fs.appendFileSync('${starts}', '+');
        if (fs.existsSync('${broken}')) process.exit(7);
      }`;
    const service = await start(t, {
      NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(hook)}"`,
    });
    const [victim = 0] = service.workers();
    // Keeps the service from exiting before the pause is over. The second connection is on the other worker.
    const pending = [await beginCreate(service), await beginCreate(service)];
    for (const { socket } of pending) socket.on('error', () => {});
    await writeFile(broken, '');
    process.kill(victim, 'SIGKILL');
    const paused = () => service.log().some(({ pauseMs }) => Number(pauseMs) >= 1600);
    await eventually(paused, 'several replacements have failed');
    const before = await readFile(starts, 'utf8');
    service.child.kill('SIGTERM');
    await assertExits(service, 0, SHUTDOWN_MS);
    assert.equal(await readFile(starts, 'utf8'), before);
  });

  it('exits at once on a second signal, later than a second after the first', async (t) => {
    const service = await start(t);
    await beginCreate(service);
    service.child.kill('SIGTERM');
    await sleep(1100);
    assert.equal(service.child.exitCode, null);
    service.child.kill('SIGTERM');
    await assertExits(service, 1, SOON_MS);
  });

  it('exits with 1 if a worker is killed during shutdown, after the other worker has answered its requests', async (t) => {
    const service = await start(t);
    const [first = 0] = service.workers();
    const [on1, on2] = [await beginCreate(service), await beginCreate(service)];
    on1.socket.on('error', () => {});
    service.child.kill('SIGTERM');
    await sleep(500);
    process.kill(first, 'SIGKILL');
    await sleep(300);
    await assertCompletes(on2);
    await assertExits(service, 1, SOON_MS);
  });

  it('replaces a worker that receives a signal on its own, and lets it finish its requests', async (t) => {
    const service = await start(t);
    const [first = 0, second = 0] = service.workers();
    const [on1, on2] = [await beginCreate(service), await beginCreate(service)];
    process.kill(first, 'SIGTERM');
    await eventually(
      () => service.workers().length === 2 && !service.workers().includes(first),
      'it has been replaced',
    );
    assert.ok(service.workers().includes(second));
    assert.ok(isAlive(first), 'it still has a request to answer');
    await assertCompletes(on1);
    await eventually(() => !isAlive(first), 'it has ended');
    on2.send(PET);
    const { status, headers } = await on2.next();
    assert.deepEqual([status, headers.connection], [201, 'keep-alive']);
    service.child.kill('SIGTERM');
    await assertExits(service, 0, SOON_MS);
    await assertClosed(service.file);
  });

  it('lets the workers answer accepted requests and then exit when the primary is killed', async (t) => {
    const service = await start(t);
    const pending = [await beginCreate(service), await beginCreate(service)];
    service.child.kill('SIGKILL');
    assert.equal(await service.exited, 'SIGKILL');
    await refused(service.port);
    await sleep(300);
    await Promise.all(pending.map(assertCompletes));
    await eventually(() => !service.workers().some(isAlive), 'all have ended');
    assert.equal(petsIn(service.file).length, 2);
  });
});

/** Resolves when new connections are refused. */
const refused = (port: number): Promise<void> =>
  eventually(async () => !(await isReachable(port)), 'it no longer listens', SOON_MS);
