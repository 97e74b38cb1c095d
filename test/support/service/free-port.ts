import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the kernel gives to outgoing connections and to servers that listen on port 0. */
const [FIRST, COUNT] = [10_000, 22_000];
/** The most ports that a test file is expected to take. */
const OF_A_FILE = 20;

// Test files that run at the same time are separate processes, so each begins elsewhere.
let taken = process.pid * OF_A_FILE;

/**
 * A port for a program that cannot choose one itself, or that is started again on the same one: nothing that gets its port from the kernel
 * takes it meanwhile.
 */
export async function freePort(): Promise<number> {
  const port = FIRST + (taken++ % COUNT);
  return (await isFree(port)) ? port : freePort();
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
