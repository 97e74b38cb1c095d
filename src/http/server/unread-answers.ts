import type { OwnConnection } from './exchange.ts';

/** A client has this long to read an answer, however much of it it reads meanwhile. */
const READ_MS = 30_000;
const SWEEP_MS = 1000;
/** Bytes of answers that clients have not read yet, in all; beyond that the slowest readers are cut off. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The connections whose clients read more slowly than they are answered, and what they may cost. */
export class UnreadAnswers {
  /** Since when each has been sending, in that order. */
  readonly #since = new Map<OwnConnection, number>();
  readonly #sweep = setInterval(() => this.#cutSlow(), SWEEP_MS).unref();

  /** To be called after an answer was written to the connection. */
  track(connection: OwnConnection): void {
    if (connection.socket.writableLength === 0) return;
    this.#since.delete(connection);
    this.#since.set(connection, performance.now());
    this.#cutBeyondBudget();
  }

  stop(): void {
    clearInterval(this.#sweep);
  }

  #cutSlow(): void {
    const now = performance.now();
    for (const [connection, since] of this.#since) {
      if (this.#isRead(connection)) this.#since.delete(connection);
      else if (now - since >= READ_MS) this.#cut(connection);
    }
  }

  #cutBeyondBudget(): void {
    let bytes = 0;
    for (const connection of this.#since.keys()) {
      if (this.#isRead(connection)) this.#since.delete(connection);
      else bytes += connection.socket.writableLength;
    }
    for (const connection of this.#since.keys()) {
      if (bytes <= MAX_BYTES) return;
      bytes -= connection.socket.writableLength;
      this.#cut(connection);
    }
  }

  #isRead({ socket }: OwnConnection): boolean {
    return socket.destroyed || socket.writableLength === 0;
  }

  #cut(connection: OwnConnection): void {
    this.#since.delete(connection);
    connection.destroy();
  }
}
