import { readFileSync } from 'node:fs';
import { UsageError } from '../config.ts';
import { limits } from '../contract/limits.ts';
import type { Log } from '../log.ts';
import { openFiles } from '../metrics/metrics.ts';

/** Files that the service opens later: the database with its log, or connections to it, a backup, the web pages. */
const LATER_FILES = 32;
/** With fewer connections, the service does not start. */
const LEAST = 4;

/**
 * How many connections this process may have; to be called before it opens its database. They leave descriptors free: at the limit of open
 * files, libuv closes every new connection without telling anyone, and the database could not open its files.
 */
export function connectionRoom(log: Log, limit = openFilesLimit(), open = openFiles() ?? 0): number {
  const room = limit - open - LATER_FILES;
  if (room < LEAST)
    throw new UsageError(
      `the limit of ${limit} open files leaves no room for clients, because the service itself needs ${open + LATER_FILES}: raise it, for example with ulimit -n 1024`,
    );
  if (room >= limits.connections) return limits.connections;
  log.warn({ connections: room }, 'the limit of open files allows few connections: raise it (ulimit -n)');
  return room;
}

/** Node raises the soft limit to the hard one when it starts. */
function openFilesLimit(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    // Not Linux.
    return Infinity;
  }
}
