import type { Socket } from 'node:net';
import { eventually } from '../eventually.ts';

/**
 * Sends one request after the other on a connection that is not read, each when the one before it is answered, until the kernel takes no more of
 * the answers. `answers` tells how many there are so far. The last request is sent while an answer is still in the service.
 */
export async function fillKernel(
  socket: Socket,
  request: string,
  answers: () => number,
  waitMs: number,
): Promise<void> {
  for (let before = -1; before < answers() && socket.writable; ) {
    before = answers();
    socket.write(request);
    await eventually(() => answers() > before, 'it is answered', waitMs).catch(() => {});
  }
}
