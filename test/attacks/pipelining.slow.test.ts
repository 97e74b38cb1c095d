import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startAttackedService } from '../support/service/attacked-service.ts';
import { AUTH, converse, HOST, request } from '../support/wire/conversation.ts';
import { flood } from '../support/wire/flood.ts';
import { heldConnections } from '../support/wire/server-sockets.ts';

const WAITING_AT_MOST = 16;
const WAITING_IN_ALL = 4096;
const NUMBERS = Array.from({ length: 1 + WAITING_AT_MOST }, (_, n) => `${n}`);
const create = (name: string, id: string, length = 0) => {
  const body = JSON.stringify({ name, categoryId: 7 }).padEnd(length);
  return request(
    'POST /v1/pets',
    `${HOST}${AUTH}X-Request-Id: ${id}\r\nContent-Length: ${body.length}\r\n`,
    body,
  );
};
const get = (path: string, id: string) => request(`GET ${path}`, `${HOST}${AUTH}X-Request-Id: ${id}\r\n`);
const PATHS = ['/v1/pets', '/openapi.json', '/v1/pets/1', '/healthz', '/v1/nothing', '/v1/store/inventory'];

describe('pipelined requests', { timeout: 60_000 }, () => {
  it('are answered in order, up to the limit of waiting requests', async (t) => {
    const { port } = await startAttackedService(t);
    const { socket, send, next } = converse(port);
    t.after(() => socket.destroy());
    send(
      NUMBERS.map((id, n) =>
        n % 5 === 0 ? create('Rex', id) : get(PATHS[n % PATHS.length] ?? '/', id),
      ).join(''),
    );
    for (const id of NUMBERS) assert.equal((await next()).headers['x-request-id'], id);
  });

  it('are executed one after the other, and each sees the effect of the previous one', async (t) => {
    const { port } = await startAttackedService(t);
    const { socket, send, next } = converse(port);
    t.after(() => socket.destroy());
    const names = NUMBERS.slice(0, WAITING_AT_MOST / 2);
    send(names.map((name) => create(name, name) + get('/v1/pets?limit=1', name)).join(''));
    for (const name of names) {
      assert.equal((await next()).status, 201);
      const [pet] = JSON.parse((await next()).body);
      assert.equal(pet?.name, name);
    }
  });

  it('are answered in order, however many there are, if their bodies are too large to be read together', async (t) => {
    const { port } = await startAttackedService(t);
    const { socket, send, next } = converse(port);
    t.after(() => socket.destroy());
    const ids = Array.from({ length: 4 * WAITING_AT_MOST }, (_, n) => `${n}`);
    send(ids.map((id) => create('Rex', id, 60_000)).join(''));
    for (const id of ids) {
      const { status, headers } = await next();
      assert.deepEqual([status, headers['x-request-id']], [201, id]);
    }
  });

  it('of connections that are lost do not count any more', async (t) => {
    const { port } = await startAttackedService(t);
    for (let round = 0; round < 3; round++) {
      const { child } = await flood(t, {
        port,
        connections: 200,
        payload: get('/v1/pets', '0').repeat(1 + WAITING_AT_MOST),
        reads: false,
      });
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const { socket, send, next } = converse(port);
    t.after(() => socket.destroy());
    send(NUMBERS.map((id) => get('/v1/pets', id)).join(''));
    for (const id of NUMBERS) assert.equal((await next()).headers['x-request-id'], id);
  });

  it('close the connection when they exceed the limit of waiting requests', async (t) => {
    const { port } = await startAttackedService(t);
    const COUNT = 1600;
    const { socket, send, rest } = converse(port);
    socket.on('error', () => {});
    send(request('GET /openapi.json', HOST).repeat(COUNT));
    const answers = await Promise.race([
      rest().catch(() => []),
      new Promise<never[]>((_resolve, reject) => {
        socket.setTimeout(10_000, () => reject(new Error('the connection is still open')));
      }),
    ]);
    assert.ok(answers.length < COUNT, `${answers.length} answers`);
  });

  it('close the connection when too many wait on all connections together; the others are answered', async (t) => {
    const { port, databaseFile } = await startAttackedService(t);
    const other = new DatabaseSync(databaseFile);
    t.after(() => other.close());
    // The first create of each connection waits for the lock, and the others for the first.
    other.exec('BEGIN IMMEDIATE');
    let closed = 0;
    const clients = Array.from({ length: 300 }, () => {
      const client = converse(port);
      t.after(() => client.socket.destroy());
      client.socket.on('error', () => {}).once('close', () => closed++);
      client.send(NUMBERS.map((id) => create('Rex', id)).join(''));
      return client;
    });
    await eventually(() => closed > 0, 'a connection is closed');
    other.exec('ROLLBACK');
    const answered = clients.map(async ({ next }) => {
      for (const id of NUMBERS) assert.equal((await next()).headers['x-request-id'], id);
    });
    const outcomes = await Promise.allSettled(answered);
    const complete = outcomes.filter(({ status }) => status === 'fulfilled');
    assert.ok(complete.length >= Math.floor(WAITING_IN_ALL / WAITING_AT_MOST), `${complete.length} answered`);
    assert.ok(complete.length < clients.length);
  });

  it('whose responses are not read close the connection when they exceed the limit', async (t) => {
    const { port } = await startAttackedService(t);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      .on('error', () => {})
      .pause();
    t.after(() => socket.destroy());
    await new Promise((resolve) => socket.write(request('GET /openapi.json', HOST).repeat(1600), resolve));
    const isHeld = () => heldConnections(port).has(socket.localPort ?? 0);
    await eventually(isHeld, 'the connection is accepted', 2000).catch(() => {}); // or already closed
    await eventually(() => !isHeld(), 'the service closes the connection', 5000);
  });
});
