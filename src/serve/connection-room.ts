import { readFileSync } from 'node:fs';
import { serverLimits } from '../http/server/limits.ts';
import type { Log } from '../log.ts';

/** Open files that the service itself needs: the database, its connections or threads, the log. */
const OWN_FILES = 60;
/** Prometheus needs one. */
const METRICS_CONNECTIONS = 100;

interface ConnectionRoom {
  /** Connections that this process may have on the main port. */
  readonly main: number;
  /** The same for `--metrics-port`. Those of the main port leave room for them. */
  readonly metrics: number;
}

/**
 * How many connections this process may have. They leave descriptors free: at the limit of open files, libuv closes every
 * new connection without telling anyone, and the database could not open its files.
 */
export function connectionRoom(files = openFilesLimit()): ConnectionRoom {
  const metrics = Math.min(METRICS_CONNECTIONS, Math.floor(files / 10));
  const reserved = Math.min(OWN_FILES + metrics, Math.ceil(files / 2));
  return { main: Math.min(serverLimits.connections, files - reserved), metrics };
}

/** Says at the start that the limit of open files is what bounds the number of connections. */
export function warnOfLittleRoom(log: Log, { main }: ConnectionRoom): void {
  if (main < serverLimits.connections)
    log.warn({ connections: main }, 'the limit of open files allows few connections: raise it (ulimit -n)');
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
