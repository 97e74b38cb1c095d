import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { converse, request } from '../support/conversation.ts';
import { type NamedPet, petsIn } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { KeepAliveClient } from '../support/keep-alive.ts';
import { call, temporaryFolder } from '../support/service.ts';
import { connectClients, type ServiceWithWorkers, spawnWithWorkers } from '../support/workers.ts';

const CLIENTS = 16;

async function start(t: TestContext): Promise<ServiceWithWorkers & { file: string }> {
  const file = join(await temporaryFolder(t), 'pets.db');
  return { file, ...(await spawnWithWorkers(t, { DATABASE_URL: `sqlite:${file}` })) };
}

/** Resolves when other workers have replaced those that were killed. */
const replaced = ({ workers }: ServiceWithWorkers, ...victims: number[]) =>
  eventually(
    () => workers().length === 2 && !workers().some((pid) => victims.includes(pid)),
    'they have been replaced',
  );

/** Creates one animal after the other until `isOver`. Resolves with whether every request was answered. */
async function createUntil(
  client: KeepAliveClient,
  label: number,
  acknowledged: string[],
  isOver: () => boolean,
): Promise<boolean> {
  for (let n = 0; !isOver(); n++) {
    const reply = await client.createPet(`pet ${n} of client ${label}`).catch(() => undefined);
    if (!reply) return false;
    assert.equal(reply.status, 201, reply.body);
    acknowledged.push((JSON.parse(reply.body) as NamedPet).name);
  }
  return true;
}

describe('a worker that is killed', { concurrency: 2, timeout: 300_000 }, () => {
  it('under load loses only its own connections and no acknowledged write, and is replaced', async (t) => {
    const service = await start(t);
    const [victim = 0, other = 0] = service.workers();
    const clients = await connectClients(t, service.port, CLIENTS);
    const acknowledged: string[] = [];
    let over = false;
    const creating = clients.map((client, label) => createUntil(client, label, acknowledged, () => over));
    await eventually(() => acknowledged.length > 300, 'the load has started');
    process.kill(victim, 'SIGKILL');
    await replaced(service, victim);
    const enough = acknowledged.length + 100;
    await eventually(() => acknowledged.length > enough, 'the other worker has continued');
    over = true;
    // Connections are distributed round-robin: every second one belonged to the victim.
    const fine = await Promise.all(creating);
    assert.deepEqual([fine[0], fine[1]].sort(), [false, true]);
    assert.deepEqual(
      fine,
      Array.from({ length: CLIENTS }, (_, n) => fine[n % 2]),
    );
    assert.ok(service.workers().includes(other));
    assert.deepEqual(
      new Set(acknowledged).difference(new Set(petsIn(service.file).map(({ name }) => name))),
      new Set(),
    );
    const died = service.log().filter(({ msg }) => msg === 'worker replaced');
    assert.deepEqual(
      died.map(({ worker, end, pauseMs }) => ({ worker, end, pauseMs })),
      [{ worker: victim, end: 'SIGKILL', pauseMs: 0 }],
    );

    // The new worker serves: of new connections, every second one ends with it.
    const [next = 0] = service.workers().filter((pid) => pid !== other);
    let ended = 0;
    for (let n = 0; n < 4; n++) {
      const { socket, send, next: answer } = converse(service.port);
      t.after(() => socket.destroy());
      send(request('GET /v1/pets'));
      assert.equal((await answer()).status, 200);
      socket.on('error', () => {}).on('close', () => ended++);
    }
    process.kill(next, 'SIGKILL');
    await eventually(() => ended === 2, 'two connections end');
    await replaced(service, next);
    assert.equal(ended, 2);
    assert.equal(service.errors(), '');
  });

  it('leaves no new connection hanging: each gets a response or is closed', async (t) => {
    const service = await start(t);
    let over = false;
    let answered = 0;
    const connectRepeatedly = async () => {
      while (!over) {
        const client = new KeepAliveClient(service.port);
        const late = sleep(15_000, 'hangs', { ref: false });
        const reply = await Promise.race([client.get('/v1/pets').catch(() => undefined), late]);
        client.close();
        assert.notEqual(reply, 'hangs');
        if (reply) answered++;
      }
    };
    const connecting = Promise.all(Array.from({ length: 8 }, connectRepeatedly));
    for (let round = 1; round <= 2; round++) {
      await eventually(() => answered > round * 100, 'clients connect and disconnect');
      const [victim = 0] = service.workers();
      process.kill(victim, 'SIGKILL');
      await replaced(service, victim);
    }
    over = true;
    await connecting;

    // A connection that its worker has not received goes to another worker, or waits for the next one to start.
    for (const count of [1, 2]) {
      const victims = service.workers().slice(0, count);
      for (const victim of victims) process.kill(victim, 'SIGSTOP');
      const clients = Array.from({ length: 6 }, () => new KeepAliveClient(service.port));
      t.after(() => clients.map((client) => client.close()));
      const calls = clients.map((client) => client.get('/v1/pets'));
      await sleep(300);
      for (const victim of victims) process.kill(victim, 'SIGKILL');
      assert.deepEqual(
        (await Promise.all(calls)).map(({ status }) => status),
        Array(6).fill(200),
      );
      await replaced(service, ...victims);
    }
  });

  it('is replaced after increasing pauses while its successors fail to start, and the other worker continues', async (t) => {
    const service = await start(t);
    const [victim = 0, other = 0] = service.workers();
    const program = setProgram(service.file, 7);
    process.kill(victim, 'SIGKILL');
    const replacements = () => service.log().filter(({ msg }) => msg === 'worker replaced');
    const pauses = () => replacements().map(({ pauseMs }) => pauseMs);
    await eventually(() => pauses().includes(400), 'several successors have failed');
    // Two are without a pause if the victim had been running for long.
    assert.deepEqual(pauses(), [...(pauses()[1] === 0 ? [0] : []), 0, 100, 200, 400]);
    assert.match(String(replacements().at(-1)?.end), /belongs to another program/);
    assert.deepEqual(service.workers(), [other]);
    assert.equal(
      (await call(service.origin, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7 } })).status,
      201,
    );
    setProgram(service.file, program);
    await eventually(() => service.workers().length === 2, 'a successor has started');
  });
});

it('a connection that is reset before or while it is passed to a worker ends no worker', {
  timeout: 60_000,
}, async (t) => {
  const service = await start(t);
  const workers = service.workers();
  for (let round = 0; round < 5; round++) {
    for (const worker of workers) process.kill(worker, 'SIGSTOP');
    const sockets = Array.from({ length: 20 }, () => connect(service.port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    for (const worker of workers) process.kill(worker, 'SIGCONT');
    for (const socket of sockets) socket.resetAndDestroy();
    assert.equal((await call(service.origin, 'GET', '/v1/pets')).status, 200);
  }
  assert.deepEqual(service.workers(), workers, 'no worker was replaced');
  assert.equal(service.errors(), '');
});

/** Marks the file as one of another program, which no new process opens. Returns the previous mark. */
function setProgram(file: string, program: number): number {
  const db = new DatabaseSync(file, { timeout: 5000 });
  const before = Number(db.prepare('PRAGMA application_id').get()?.application_id);
  db.exec(`PRAGMA application_id = ${program}`);
  db.close();
  return before;
}
