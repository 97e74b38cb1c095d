import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { NewConnections } from '../../src/http/server/new-connections.ts';

/** How long each tick of a busy service takes. */
const TICK_MS = 30;
const ARRIVE = 60;

function work(): void {
  for (const end = performance.now() + TICK_MS; performance.now() < end; );
}

describe('new connections', () => {
  it('of a burst are each read once', async () => {
    const begun: Socket[] = [];
    const connections = new NewConnections((socket) => begun.push(socket));
    for (let n = 0; n < 100; n++) {
      connections.add(new Socket());
      await nextTick();
    }
    for (let n = 0; n < 20; n++) await nextTick();
    assert.equal(begun.length, 100);
    assert.equal(new Set(begun).size, 100);
  });

  it('do not wait for one another for long when ticks are slow and further ones keep arriving', async () => {
    const begun: Socket[] = [];
    const connections = new NewConnections((socket) => begun.push(socket));
    const arrived = Array.from({ length: ARRIVE }, () => new Socket());
    for (const socket of arrived) {
      connections.add(socket);
      work();
      await nextTick();
    }
    // All that arrived before the limit of 250 ms, which ends at most nine such ticks after the second.
    const early = arrived.slice(0, ARRIVE / 2);
    assert.equal(early.filter((socket) => !begun.includes(socket)).length, 0, 'of the first half still wait');
  });
});
