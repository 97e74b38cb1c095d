import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { listen } from '../../src/serve/listen.ts';
import { hasIpv6, isReachable } from '../support/service/is-reachable.ts';

async function open(t: TestContext, host: string, port = 0, reusePort = false) {
  const accepted: Socket[] = [];
  const listener = await listen({ host, port, reusePort }, (socket) => void accepted.push(socket));
  t.after(async () => {
    await listener.close();
    for (const socket of accepted) socket.destroy();
  });
  return { ...listener, accepted };
}

describe('listen', () => {
  for (const host of ['::1', '[::1]']) {
    it(`listens on ${host}`, { skip: !hasIpv6 && 'this machine has no IPv6' }, async (t) => {
      const { port } = await open(t, host);
      assert.equal(await isReachable(port, '::1'), true);
      assert.equal(await isReachable(port, '127.0.0.1'), false);
    });
  }

  it('names the port that is already in use, even on the second address of localhost', async (t) => {
    for (const host of hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']) {
      const other = createServer().listen(0, host);
      t.after(() => other.close());
      await once(other, 'listening');
      const { port } = other.address() as { port: number };
      await assert.rejects(open(t, 'localhost', port), {
        message: `port ${port} is already in use on localhost: choose another with --port or PORT, or start every process on it with --reuse-port true`,
      });
      // Addresses opened before the failure are closed again.
      const free = host === '::1' ? '127.0.0.1' : '::1';
      assert.equal(await isReachable(port, free), false);
    }
  });

  it('shares a port with others that reuse it, and with no other', {
    skip: process.platform !== 'linux' && 'only Linux distributes the connections',
  }, async (t) => {
    const one = await open(t, '127.0.0.1', 0, true);
    const other = await open(t, '127.0.0.1', one.port, true);
    await assert.rejects(open(t, '127.0.0.1', one.port), /is already in use on 127\.0\.0\.1/);
    for (let clients = 0; one.accepted.length === 0 || other.accepted.length === 0; clients++) {
      assert.ok(clients < 1000, 'each gets connections');
      const client = connect(one.port, '127.0.0.1');
      await once(client, 'connect');
      client.destroy();
    }
    await other.close();
    assert.equal(await isReachable(one.port, '127.0.0.1'), true);
  });

  it('says what to do about a host that does not exist or is not this machine', async (t) => {
    await assert.rejects(
      open(t, 'no.such.host.invalid'),
      /^Error: the host "no\.such\.host\.invalid" is unknown \(E\w+\): set --host or HOST to an address of this machine, such as 127\.0\.0\.1$/,
    );
    await assert.rejects(
      open(t, '192.0.2.1'),
      /^Error: this machine does not have the address 192\.0\.2\.1: set /,
    );
  });

  it('stops accepting on close, and keeps accepted connections open, also if the client has ended its side', async (t) => {
    const { port, accepted, close } = await open(t, '127.0.0.1');
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    t.after(() => client.destroy());
    await once(client, 'connect');
    await close();
    assert.equal(await isReachable(port, '127.0.0.1'), false);
    const [socket] = accepted;
    assert.ok(socket, 'the connection was accepted');
    client.end();
    await once(socket.resume(), 'end');
    socket.write('still here');
    assert.equal(String((await once(client, 'data'))[0]), 'still here');
  });

  it('accepts the connections in the kernel queue on close', async (t) => {
    const { port, accepted, close } = await open(t, '127.0.0.1');
    const clients = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'));
    t.after(() => clients.map((client) => client.destroy()));
    await Promise.all(clients.map((client) => once(client, 'connect')));
    await close();
    assert.equal(accepted.length, 50);
  });

  it('survives a reset of a connection before its first request', async (t) => {
    const { port, accepted } = await open(t, '127.0.0.1');
    const client = connect(port, '127.0.0.1');
    await once(client, 'connect');
    client.resetAndDestroy();
    while (accepted.length === 0) await new Promise(setImmediate);
    const [socket] = accepted;
    socket?.resume();
    while (!socket?.closed) await new Promise(setImmediate);
    assert.equal(await isReachable(port, '127.0.0.1'), true);
  });
});
