import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Files are written at most once in this time: a hand-over to the thread pool costs more than the write itself. */
const FILE_INTERVAL_MS = 5;

/** Where the bytes of the log go. It never blocks the event loop. */
export interface LogTarget {
  /** Writes what it can and returns the number of bytes written, or throws. With a promise, one call at a time. */
  write(bytes: Buffer): number | Promise<number>;
  /** The same before it returns, for a process that is about to exit. */
  writeSync(bytes: Buffer): number;
}

/** The target for a file descriptor of this process. */
export function openLogTarget(fd: number): LogTarget {
  return fstatSync(fd).isFile() ? fileTarget(fd) : streamTarget(openNonBlocking(fd));
}

/** A disk can make any write wait, so files are written on libuv's thread pool, of which this occupies one thread. */
function fileTarget(fd: number): LogTarget {
  const writeAsync = promisify(write);
  return {
    async write(bytes) {
      const { bytesWritten } = await writeAsync(fd, bytes, 0, bytes.length, null);
      await sleep(FILE_INTERVAL_MS, undefined, { ref: false });
      return bytesWritten;
    },
    writeSync: (bytes) => writeSync(fd, bytes),
  };
}

/**
 * A pipe, a socket or a terminal takes what fits into its buffer and refuses the rest with EAGAIN. The thread pool is
 * no option here: a write that waits for a stopped reader keeps the process from exiting.
 */
function streamTarget(fd: number): LogTarget {
  const writeNow = (bytes: Buffer) => writeSync(fd, bytes);
  return { write: writeNow, writeSync: writeNow };
}

/**
 * Opens the pipe or terminal a second time, because the descriptor shares its non-blocking flag with every process that
 * inherited it, and Node restores the flag whenever one of them exits. A socket cannot be opened again. There the
 * shared flag has to do; Node sets it when it creates its own stream.
 */
function openNonBlocking(fd: number): number {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    void (fd === 2 ? process.stderr : process.stdout);
    return fd;
  }
}
