import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Files are written at most once in this time: a hand-over to the thread pool costs more than the write itself. */
const FILE_INTERVAL_MS = 25;
/** The kernel writes any number of bytes to a file in one piece. */
const FILE_PIECE_BYTES = 1024 * 1024;
const PIPE_PIECE_BYTES = 65_536;
/** Several processes that share a pipe write pieces that it takes whole (PIPE_BUF), so that their lines never mix. */
const SHARED_PIPE_PIECE_BYTES = 4096;

/** Where the bytes of the log go. It never blocks the event loop. */
export interface LogTarget {
  /** How many bytes are written with one system call, at most. */
  readonly pieceBytes: number;
  /** Writes what it can and returns the number of bytes written, or throws. With a promise, one call at a time. */
  write(bytes: Buffer): number | Promise<number>;
  /** As `write`, but synchronously, for a process that is about to exit. */
  writeSync(bytes: Buffer): number;
  /** Whether it may block after all, because this version of Node lacks what prevents it. */
  readonly mayBlock?: boolean;
}

/** The target for standard output (1) or standard error (2). With `shared`, other processes write to it, too. */
export function openLogTarget(fd: 1 | 2, shared = false): LogTarget {
  if (fstatSync(fd).isFile()) return fileTarget(fd);
  const pieceBytes = shared ? SHARED_PIPE_PIECE_BYTES : PIPE_PIECE_BYTES;
  const reopened = reopenNonBlocking(fd);
  if (reopened) return { pieceBytes, write: reopened, writeSync: reopened };
  return { pieceBytes, ...keepNonBlocking(fd) };
}

/** A disk can make any write wait, so files are written on libuv's thread pool, of which this occupies one thread. */
function fileTarget(fd: number): LogTarget {
  const writeAsync = promisify(write);
  return {
    pieceBytes: FILE_PIECE_BYTES,
    async write(bytes) {
      const { bytesWritten } = await writeAsync(fd, bytes, 0, bytes.length, null);
      await sleep(FILE_INTERVAL_MS, undefined, { ref: false });
      return bytesWritten;
    },
    writeSync: (bytes) => writeSync(fd, bytes),
  };
}

/**
 * A pipe or a terminal takes what fits into its buffer and refuses the rest with EAGAIN. It is opened a second time,
 * because a descriptor shares its non-blocking flag with every process that inherited it, and each of them changes the
 * flag when it starts and when it exits. The thread pool is not an option: a write that waits for a stopped reader keeps
 * the process from exiting.
 */
function reopenNonBlocking(fd: number): LogTarget['writeSync'] | undefined {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    const own = openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    return (bytes) => writeSync(own, bytes);
  } catch {
    return undefined;
  }
}

/**
 * A socket cannot be opened a second time, so the shared flag is set again before each write. Only an internal handle of Node
 * can do that. Without it, a reader that stops would stop the service.
 */
function keepNonBlocking(fd: 1 | 2): Pick<LogTarget, 'write' | 'writeSync' | 'mayBlock'> {
  const stream = (fd === 1 ? process.stdout : process.stderr) as Writable & {
    readonly _handle?: { setBlocking?(blocking: boolean): void };
  };
  const writeNow = (bytes: Buffer) => {
    stream._handle?.setBlocking?.(false);
    return writeSync(fd, bytes);
  };
  return { write: writeNow, writeSync: writeNow, mayBlock: stream._handle?.setBlocking === undefined };
}
