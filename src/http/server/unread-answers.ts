import type { Socket } from 'node:net';
import { limits, type ServerLimits } from '../../contract/limits.ts';

/** Tracks the connections whose clients read more slowly than responses are sent, and limits their memory. */
export class UnreadAnswers {
  /** Since when each has been sending, the longest first. */
  readonly #since = new Map<Socket, number>();
  readonly #responseMs: number;
  readonly #timer: NodeJS.Timeout;

  constructor({ responseMs, checkMs }: ServerLimits) {
    this.#responseMs = responseMs;
    this.#timer = setInterval(() => this.#cutOff(), checkMs).unref();
  }

  /** To be called after an answer was written to the socket that did not leave at once. */
  track(socket: Socket): void {
    this.#since.delete(socket);
    this.#since.set(socket, performance.now());
    this.#cutOff();
  }

  /**
   * For a connection that is written to again and again: remembers since when it has had something to send. To be called before each
   * part, and now and then.
   */
  observe(socket: Socket): void {
    if (socket.writableLength === 0) this.#since.delete(socket);
    else if (!this.#since.has(socket)) this.#since.set(socket, performance.now());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #cutOff(): void {
    const tooLate = performance.now() - this.#responseMs;
    let bytes = 0;
    for (const [socket, since] of this.#since) {
      if (!socket.destroyed && socket.writableLength > 0 && since < tooLate) socket.destroy();
      if (socket.destroyed || socket.writableLength === 0) this.#since.delete(socket);
      else bytes += socket.writableLength;
    }
    for (const socket of this.#since.keys()) {
      if (bytes <= limits.unreadBytes) return;
      bytes -= socket.writableLength;
      socket.destroy();
    }
  }
}
