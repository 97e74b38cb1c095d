import { readFileSync } from 'node:fs';

const LISTEN = '0A';

/**
 * The client ports of the connections to `port` that a process on this machine still has open. A socket that was
 * closed but whose last bytes the kernel is still sending belongs to no process, and is not counted.
 */
export function heldConnections(port: number): Set<number> {
  const hex = hexOf(port);
  // Local address, remote address, state, queues, timer, retransmits, user, time-out, inode. Thousands of rows may belong to other ports.
  const row = new RegExp(
    `^ *\\d+: \\w+:${hex} \\w+:(?<remote>\\w+) (?<state>\\w+)(?: +\\S+){5} +(?<inode>\\d+)`,
    'gm',
  );
  const held = new Set<number>();
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const { groups: { remote = '', state, inode } = {} } of textOf(file).matchAll(row))
      if (state !== LISTEN && inode !== '0') held.add(Number.parseInt(remote, 16));
  }
  return held;
}

/** How many bytes the kernel has on the way between two ports: those that are not acknowledged, and those that are not read. */
export function kernelBytes(from: number, to: number): number {
  const text = textOf('/proc/net/tcp');
  const unsent = new RegExp(`: \\w+:${hexOf(from)} \\w+:${hexOf(to)} \\w+ (\\w+):`).exec(text)?.[1];
  const unread = new RegExp(`: \\w+:${hexOf(to)} \\w+:${hexOf(from)} \\w+ \\w+:(\\w+)`).exec(text)?.[1];
  return Number.parseInt(unsent ?? '0', 16) + Number.parseInt(unread ?? '0', 16);
}

const hexOf = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/** Empty if the machine does not support this address family. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
