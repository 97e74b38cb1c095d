import { setTimeout as sleep } from 'node:timers/promises';
import { createLog, type LogOutput } from '../log.ts';
import type { LogTarget } from './log-target.ts';

/** How many characters may wait to be written. Beyond that, lines are dropped until half of them are left. */
const MAX_WAITING = 1024 * 1024;
/** A target that refuses is tried again after this time, then after twice as long each time, up to the maximum. */
const FIRST_RETRY_MS = 2;
const MAX_RETRY_MS = 100;
/** Flushing gives up when nothing could be written for this long. */
const PATIENCE_MS = 500;
const POLL_MS = 2;

/**
 * Takes lines at any speed and writes them as the target accepts them: in order, whole, those of one tick of the event
 * loop together. A target that is full, closed or stuck costs lines, never time: lines that do not fit are dropped and
 * counted, and the count is logged when writing works again.
 */
export class LogBuffer implements LogOutput {
  readonly #target: LogTarget;
  /** Whole lines, joined up to the size of a piece. */
  readonly #pieces: string[] = [];
  #waiting = 0;
  /** What is left of the piece that is being written. */
  #current: Buffer | undefined;
  #draining = false;
  /** Whether the target has `#current` and has not returned. */
  #pending = false;
  #lastProgress = 0;
  #dropping = false;
  #unreported = 0;
  #dropped = 0;

  constructor(target: LogTarget) {
    this.#target = target;
  }

  /** The number of lines dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  write(line: string): void {
    if (this.#dropping || this.#waiting + line.length > MAX_WAITING) {
      this.#dropping = true;
      this.#dropped++;
      this.#unreported++;
      return;
    }
    this.#append(line);
    if (this.#draining) return;
    this.#draining = true;
    this.#lastProgress = performance.now();
    setImmediate(() => void this.#drain());
  }

  /** Resolves when every line has been written, or when the target has stopped accepting any. */
  async flush(): Promise<void> {
    while (!this.#isEmpty && !this.#isStuck) await sleep(POLL_MS);
  }

  /** As `flush`, but synchronously, for a process that is about to exit. Returns whether every line has been written. */
  flushSync(): boolean {
    // A write on libuv's thread pool is finished before the process exits.
    if (this.#pending) this.#current = undefined;
    const timer = new Int32Array(new SharedArrayBuffer(4));
    while (!this.#isEmpty) {
      const bytes = this.#currentPiece();
      try {
        this.#advance(bytes, this.#target.writeSync(bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || this.#isStuck) return false;
        Atomics.wait(timer, 0, 0, POLL_MS);
      }
    }
    return true;
  }

  get #isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#current === undefined;
  }

  get #isStuck(): boolean {
    return performance.now() - this.#lastProgress > PATIENCE_MS;
  }

  #append(line: string): void {
    const last = this.#pieces.length - 1;
    const piece = this.#pieces[last];
    if (piece !== undefined && piece.length + line.length <= this.#target.pieceBytes)
      this.#pieces[last] = piece + line;
    else this.#pieces.push(line);
    this.#waiting += line.length;
  }

  async #drain(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!this.#isEmpty) {
      const bytes = this.#currentPiece();
      try {
        this.#pending = true;
        const written = this.#target.write(bytes);
        this.#advance(bytes, typeof written === 'number' ? written : await written);
        retryMs = FIRST_RETRY_MS;
      } catch {
        this.#pending = false;
        await sleep(retryMs, undefined, { ref: false });
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      }
    }
    this.#draining = false;
  }

  #currentPiece(): Buffer {
    this.#current ??= this.#nextPiece();
    return this.#current;
  }

  #nextPiece(): Buffer {
    const piece = this.#pieces.shift() ?? '';
    this.#waiting -= piece.length;
    const bytes = Buffer.from(piece);
    if (bytes.length <= this.#target.pieceBytes) return bytes;
    // Characters beyond ASCII have made it too long for one system call: line by line it fits.
    const [first = '', ...rest] = piece.split(/(?<=\n)/);
    this.#pieces.unshift(...rest);
    this.#waiting += piece.length - first.length;
    return rest.length === 0 ? bytes : Buffer.from(first);
  }

  #advance(bytes: Buffer, written: number): void {
    this.#pending = false;
    this.#lastProgress = performance.now();
    this.#current = written < bytes.length ? bytes.subarray(written) : undefined;
    if (!this.#dropping || this.#waiting > MAX_WAITING / 2) return;
    const report = { dropped: this.#unreported };
    this.#dropping = false;
    this.#unreported = 0;
    createLog({ write: (line) => this.#append(line) }).warn(report, 'log lines dropped');
  }
}
