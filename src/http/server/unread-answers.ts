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

  /** To be called after writing an answer that the kernel did not take at once. */
  track(socket: Socket): void {
    this.#since.delete(socket);
    this.#since.set(socket, performance.now());
    this.#cutOff();
  }

  /**
   * Records since when the connection of a stream has had something to send. To be called before each part is written, and at
   * intervals.
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
