import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { limits } from '../../src/contract/limits.ts';
import { createLongNamedPets, ESCAPED_NAME, LONG_PAGE } from '../support/database/long-names.ts';
import { startService } from '../support/service/service.ts';
import { fillKernel, sizeOfAnswer } from '../support/wire/fill-kernel.ts';
import { heldConnections } from '../support/wire/server-sockets.ts';

/** How long a client may take to read a response: a fifth of that of production. */
const ANSWER_MS = limits.responseMs / 5;
/** The response that fills the kernel's buffers may be read just in time; the next one is not. */
const LATE_MS = ANSWER_MS + 15_000;
/** Enough for the kernel to reopen the window, and too little to read a response in time. */
const READ_BYTES = 96 * 1024;

describe('a client that reads too slowly', { concurrency: true, timeout: 180_000 }, () => {
  for (const everyMs of [1600, 2400])
    it(`is disconnected in time after a response began, although it reads a little every ${everyMs} ms`, async (t) => {
      const { port } = await startService(t, { limits: { responseMs: ANSWER_MS } });
      await createLongNamedPets(port, ESCAPED_NAME);
      const size = await sizeOfAnswer(port, LONG_PAGE);
      let reads = 0;
      // Reads at most this much from the kernel at a time, and nothing until it is resumed.
      const onread = { buffer: Buffer.alloc(READ_BYTES), callback: () => ++reads === 0 };
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, onread });
      socket.on('error', () => {});
      t.after(() => socket.destroy());
      await once(socket, 'connect');
      const start = performance.now();
      let sent = await fillKernel(socket, port, LONG_PAGE, size);
      const reading = setInterval(() => socket.resume(), everyMs);
      t.after(() => clearInterval(reading));
      const isHeld = () => heldConnections(port).has(socket.localPort ?? 0);
      // An answer that the client has read in the end is followed by another.
      while (isHeld() && performance.now() - start < ANSWER_MS + LATE_MS)
        sent = await fillKernel(socket, port, LONG_PAGE, size, sent);
      const took = performance.now() - start;
      assert.ok(took < ANSWER_MS + LATE_MS, `still open after ${took} ms`);
      assert.ok(took > ANSWER_MS - limits.checkMs, `cut after ${took} ms`);
      t.diagnostic(`cut after ${Math.round(took)} ms and ${reads} reads`);
    });

  it('is disconnected before others that came later when all of them together leave too much unread', async (t) => {
    const { port } = await startService(t, { limits: { responseMs: 600_000 } });
    await createLongNamedPets(port, ESCAPED_NAME);
    const size = await sizeOfAnswer(port, LONG_PAGE);
    const open = async () => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
      t.after(() => socket.destroy());
      await once(socket.pause(), 'connect');
      await fillKernel(socket, port, LONG_PAGE, size);
      return socket.localPort ?? 0;
    };
    const isHeld = (client: number) => heldConnections(port).has(client);
    const first = await open();
    assert.ok(isHeld(first));
    const later: number[] = [];
    while (isHeld(first) && later.length < 500)
      later.push(...(await Promise.all(Array.from({ length: 25 }, open))));
    assert.ok(!isHeld(first), 'the first connection is closed');
    assert.ok(later.some(isHeld), 'others are not');
  });
});
