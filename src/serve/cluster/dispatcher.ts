import type { Socket } from 'node:net';

/** On shutdown, how long connections may wait for a worker. */
const HAND_OVER_MS = 2000;

/** A process that serves connections. */
export interface Receiver {
  /** Calls back with whether the worker has the connection now. If not, the connection has not been touched. */
  receive(socket: Socket, done: (received: boolean) => void): void;
}

/**
 * Hands each connection to the worker that has been idle for longest, one at a time: a worker that does not receive its
 * connection gets no other. Until then the primary keeps the connection, so that it is not lost when the worker dies.
 */
export class Dispatcher {
  readonly #workers = new Set<Receiver>();
  readonly #waiting: Socket[] = [];
  readonly #maxWaiting: number;
  readonly #onRefused: () => void;
  #idle: Receiver[] = [];
  #offered = 0;
  #onHandedOver = (): void => {};

  /** At most `maxWaiting` connections wait for a worker. Beyond them, new ones are closed, and `onRefused` is called for each. */
  constructor(maxWaiting: number, onRefused: () => void) {
    this.#maxWaiting = maxWaiting;
    this.#onRefused = onRefused;
  }

  /** Takes a paused connection. */
  accept(socket: Socket): void {
    if (this.#waiting.length >= this.#maxWaiting) {
      socket.destroy();
      this.#onRefused();
      return;
    }
    this.#waiting.push(socket);
    this.#dispatch();
  }

  add(worker: Receiver): void {
    this.#workers.add(worker);
    this.#idle.push(worker);
    this.#dispatch();
  }

  remove(worker: Receiver): void {
    this.#workers.delete(worker);
    this.#idle = this.#idle.filter((one) => one !== worker);
  }

  /** Resolves when every accepted connection has been handed to a worker. Closes what no worker receives in time. */
  async drain(): Promise<void> {
    const handedOver = Promise.withResolvers<void>();
    this.#onHandedOver = handedOver.resolve;
    this.#dispatch();
    const timer = setTimeout(this.#onHandedOver, HAND_OVER_MS);
    await handedOver.promise;
    clearTimeout(timer);
    for (const socket of this.#waiting.splice(0)) socket.destroy();
  }

  #dispatch(): void {
    while (this.#idle.length > 0 && this.#waiting.length > 0)
      this.#offer(this.#idle.shift() as Receiver, this.#waiting.shift() as Socket);
    if (this.#waiting.length === 0 && this.#offered === 0) this.#onHandedOver();
  }

  #offer(worker: Receiver, socket: Socket): void {
    this.#offered++;
    worker.receive(socket, (received) => {
      this.#offered--;
      if (received) socket.destroy();
      else this.#waiting.unshift(socket);
      if (received && this.#workers.has(worker)) this.#idle.push(worker);
      this.#dispatch();
    });
  }
}
