import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { LONG_RUN, startAttackedService } from '../support/service/attacked-service.ts';
import { mayOpenFiles } from '../support/service/tools.ts';
import { converse, HOST, request } from '../support/wire/conversation.ts';
import { flood } from '../support/wire/flood.ts';
import { heldConnections } from '../support/wire/server-sockets.ts';

const LIMIT = 10_000;
const HELPERS = 4;
const NEW_CLIENTS = 50;
const HEALTH = request('GET /healthz', HOST);
const BURST = 200;
const DOCUMENTS = request('GET /openapi.json', HOST).repeat(5);
/** How many of the others may be answered before a client that should not wait. */
const FEW = 40;

describe('ten thousand connections', { timeout: 400_000 }, () => {
  for (const { what, payload } of [
    { what: 'that have sent nothing', payload: '' },
    { what: 'that have sent one request', payload: HEALTH },
    { what: 'that have started a request', payload: 'GET /healthz HTTP/1.1\r\nX: ' },
  ].slice(0, LONG_RUN ? undefined : 1)) {
    it(`${what} are closed to make room for new ones, the longest idle first`, async (t) => {
      if (!mayOpenFiles(t, LIMIT + 500)) return;
      const service = await startAttackedService(t);
      const { port } = service;
      const active = converse(port);
      const use = async () => {
        active.send(HEALTH);
        assert.equal((await active.next()).status, 200, 'an active client keeps its connection');
      };
      await use();

      const oldest = await flood(t, { port, connections: 100, payload, reads: true });
      const connections = (LIMIT - 200) / HELPERS;
      await Promise.all(
        Array.from({ length: HELPERS }, () => flood(t, { port, connections, payload, reads: true })),
      );
      // While there is still room: at the limit, a connection that was used before the others would be closed first.
      await use();
      await flood(t, { port, connections: 200, payload, reads: true });
      for (let n = 0; n < NEW_CLIENTS; n++) await service.healthMs();
      await use();
      const held = heldConnections(port);
      assert.ok(held.size <= LIMIT + 1, `${held.size} connections are open`);
      const first = oldest.ports.slice(0, 10);
      await eventually(
        () => first.every((one) => !heldConnections(port).has(one)),
        'the oldest connections are closed',
        5000,
      );
      await sleep(100);
      await use();
      active.socket.destroy();
    });
  }
});

describe('two hundred clients that connect at once', { timeout: 60_000 }, () => {
  it('neither delay the one that connects after them, nor the first of them', async (t) => {
    const { port, child } = await startAttackedService(t);
    // All of them have connected and sent their requests before the service accepts the first one.
    child.kill('SIGSTOP');
    const answered: number[] = [];
    const sockets = Array.from({ length: BURST + 1 }, (_, n) => {
      const socket = connect(port, '127.0.0.1').once('data', () => answered.push(n));
      t.after(() => socket.destroy());
      socket.write(DOCUMENTS);
      return socket;
    });
    const all = Promise.all(sockets.map((socket) => once(socket, 'data')));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await new Promise(setImmediate);
    child.kill('SIGCONT');
    await all;
    const [first, last] = [0, BURST].map((n) => answered.indexOf(n)) as [number, number];
    t.diagnostic(`${last} were answered before the last client, ${first} before the first`);
    assert.ok(last < FEW, `${last} were answered before the last client`);
    assert.ok(first < FEW, `${first} were answered before the first client`);
  });
});
