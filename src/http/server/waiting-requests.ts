import { limits } from '../../contract/limits.ts';
import type { Exchange } from './exchange.ts';

/** How many requests wait on all connections that share it. */
export interface WaitingInAll {
  count: number;
}

/** The requests that wait on one connection until those before them are answered. */
export class WaitingRequests {
  readonly #inAll: WaitingInAll;
  readonly #queue: Exchange[] = [];

  constructor(inAll: WaitingInAll) {
    this.#inAll = inAll;
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  get latest(): Exchange | undefined {
    return this.#queue.at(-1);
  }

  /** Returns false if too many wait already. */
  add(exchange: Exchange): boolean {
    if (this.#queue.length >= limits.waitingRequests || this.#inAll.count >= limits.waitingInAll)
      return false;
    this.#inAll.count++;
    this.#queue.push(exchange);
    return true;
  }

  takeFirst(): Exchange | undefined {
    if (!this.isEmpty) this.#inAll.count--;
    return this.#queue.shift();
  }

  clear(): void {
    this.#inAll.count -= this.#queue.length;
    this.#queue.length = 0;
  }
}
