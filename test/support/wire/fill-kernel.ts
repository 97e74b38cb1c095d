import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.ts';

/** Longer than an answer takes on a busy machine. */
const WAIT_MS = 2000;

/**
 * Sends one request after the other on a connection that is not read, each `pauseMs` after the one before it is answered, until the kernel takes no
 * more of the answers. `answers` tells how many there are so far. The last request is sent while an answer is still in the service. The pause is for
 * the kernel, which may take the rest of an answer a little later.
 */
export async function fillKernel(
  socket: Socket,
  request: string,
  answers: () => number,
  pauseMs: number,
): Promise<void> {
  for (let before = -1; before < answers() && socket.writable; ) {
    before = answers();
    socket.write(request);
    await eventually(() => answers() > before, 'it is answered', WAIT_MS).catch(() => {});
    await sleep(pauseMs);
  }
}
