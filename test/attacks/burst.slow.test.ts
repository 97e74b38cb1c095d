import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { startAttackedService } from '../support/service/attacked-service.ts';
import { HOST, request } from '../support/wire/conversation.ts';

const CONNECTIONS = 200;
const DOCUMENT = request('GET /openapi.json', HOST);
/** How many of the others may be answered before a client that should not wait. */
const FEW = 40;

describe('two hundred clients that connect at once', { timeout: 60_000 }, () => {
  it('neither delay the one that connects after them, nor the first of them', async (t) => {
    const { port, child } = await startAttackedService(t);
    // All of them have connected and sent their requests before the service accepts the first one.
    child.kill('SIGSTOP');
    const answered: number[] = [];
    const sockets = Array.from({ length: CONNECTIONS + 1 }, (_, n) => {
      const socket = connect(port, '127.0.0.1').once('data', () => answered.push(n));
      t.after(() => socket.destroy());
      socket.write(DOCUMENT.repeat(5));
      return socket;
    });
    const all = Promise.all(sockets.map((socket) => once(socket, 'data')));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await new Promise(setImmediate);
    child.kill('SIGCONT');
    await all;
    const [first, last] = [0, CONNECTIONS].map((n) => answered.indexOf(n)) as [number, number];
    t.diagnostic(`${last} were answered before the last client, ${first} before the first`);
    assert.ok(last < FEW, `${last} were answered before the last client`);
    assert.ok(first < FEW, `${first} were answered before the first client`);
  });
});
