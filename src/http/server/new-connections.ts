import type { Socket } from 'node:net';

/** Connections that begin in one tick: each may have sent much, and reading it must not delay others for long. */
const BEGUN_PER_TICK = 8;
/** While further connections arrive, at most this many wait; then reading begins all the same. */
const MAX_WAITING = 512;

/**
 * Decides when reading from a new connection begins. A single connection does not wait. In a burst, all connections are accepted
 * before reading begins: Node accepts one per tick, so otherwise a client that connects after 200 expensive ones would wait for
 * the work of all of them. Then the newest and the oldest take turns: a client that connects during the burst is served soon, and
 * none waits for ever.
 */
export class NewConnections {
  readonly #begin: (socket: Socket) => void;
  #waiting: Socket[] = [];
  #scheduled = false;
  /** Whether a connection arrived after the latest call of `#next`. */
  #arrived = false;

  constructor(begin: (socket: Socket) => void) {
    this.#begin = begin;
  }

  add(socket: Socket): void {
    this.#arrived = true;
    if (this.#scheduled) return void this.#waiting.push(socket);
    this.#schedule();
    this.#begin(socket);
  }

  #schedule(): void {
    this.#scheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#scheduled = false;
    const mayGrow = this.#arrived && this.#waiting.length < MAX_WAITING;
    if (this.#arrived || this.#waiting.length > BEGUN_PER_TICK) this.#schedule();
    this.#arrived = false;
    if (mayGrow) return;
    const newest = this.#waiting.splice(-BEGUN_PER_TICK / 2);
    for (const socket of [...newest, ...this.#waiting.splice(0, BEGUN_PER_TICK / 2)])
      if (!socket.destroyed) this.#begin(socket);
  }
}
