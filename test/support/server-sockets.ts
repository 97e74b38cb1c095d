import { readFileSync } from 'node:fs';

const LISTEN = '0A';

/**
 * The client ports of the connections to `port` that a process on this machine still has open. A socket that was
 * closed but whose last bytes the kernel is still sending belongs to no process, and is not counted.
 */
export function heldConnections(port: number): Set<number> {
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => linesOf(file).slice(1));
  const held = new Set<number>();
  for (const row of rows) {
    const [, local = '', remote = '', state, , , , , , inode] = row.trim().split(/\s+/);
    if (portOf(local) === port && state !== LISTEN && inode !== '0') held.add(portOf(remote));
  }
  return held;
}

const portOf = (address: string): number => Number.parseInt(address.slice(address.indexOf(':') + 1), 16);

/** Empty if the machine does not support this address family. */
function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
