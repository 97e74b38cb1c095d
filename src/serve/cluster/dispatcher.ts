import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

/** Connections that may wait for a worker; beyond them a client is turned away. */
const MOST_WAITING = 10_000;
/** For this long, at most, we wait for a moment in which nobody comes. */
const QUIET_MS = 250;
/** For this long the last connections may look for a worker, once nobody new comes in. */
const HAND_OVER_MS = 2000;

export interface Taker {
  /** Calls back with whether the connection is with the worker now. If not, it has not been touched. */
  take(socket: Socket, done: (taken: boolean) => void): void;
}

/**
 * Listens for all workers, and hands each connection to the one that has been free for longest. One at a time: a worker
 * that does not come to take its connection gets no other. Until then the connection is ours as well, so that no
 * worker's end loses it.
 */
export class Door {
  readonly #servers: Server[] = [];
  readonly #takers = new Set<Taker>();
  readonly #waiting: Socket[] = [];
  #free: Taker[] = [];
  #arrived = 0;
  #offered = 0;
  #onQuiet = (): void => {};

  /** Resolves with the port. */
  async open(host: string, port: number): Promise<number> {
    const first = await this.#listen(host, port);
    if (host !== 'localhost') return first;
    // A name for two addresses. Where the machine has but one of them, it will do.
    for (const { address } of (await lookup(host, { all: true })).slice(1))
      await this.#listen(address, first).catch(() => {});
    return first;
  }

  join(taker: Taker): void {
    this.#takers.add(taker);
    this.#free.push(taker);
    this.#handOut();
  }

  part(taker: Taker): void {
    this.#takers.delete(taker);
    this.#free = this.#free.filter((one) => one !== taker);
  }

  /** Lets nobody in any more. Resolves when everyone who is in is with a worker. */
  async close(): Promise<void> {
    await this.#nobodyComes();
    for (const server of this.#servers) server.close();
    const handedOver = Promise.withResolvers<void>();
    this.#onQuiet = handedOver.resolve;
    this.#handOut();
    const timer = setTimeout(this.#onQuiet, HAND_OVER_MS);
    await handedOver.promise;
    clearTimeout(timer);
    for (const socket of this.#waiting) socket.destroy();
  }

  /** Closing resets those who have come and whom we have not seen yet: so it waits for a turn in which nobody comes. */
  async #nobodyComes(): Promise<void> {
    const end = performance.now() + QUIET_MS;
    await turnOfTheLoop();
    for (let seen = -1; seen !== this.#arrived && performance.now() < end; await turnOfTheLoop())
      seen = this.#arrived;
  }

  async #listen(host: string, port: number): Promise<number> {
    // Not read here: what a client has sent is for the worker. No delay, as node:http has it.
    const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#letIn(socket));
    server.maxConnections = MOST_WAITING;
    server.listen(port, host);
    await once(server, 'listening');
    // One who could not be let in, for want of descriptors. The next can.
    server.on('error', () => {});
    this.#servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  #letIn(socket: Socket): void {
    socket.on('error', () => {});
    this.#arrived++;
    this.#waiting.push(socket);
    this.#handOut();
  }

  #handOut(): void {
    while (this.#free.length > 0 && this.#waiting.length > 0)
      this.#offer(this.#free.shift() as Taker, this.#waiting.shift() as Socket);
    if (this.#waiting.length === 0 && this.#offered === 0) this.#onQuiet();
  }

  #offer(taker: Taker, socket: Socket): void {
    this.#offered++;
    taker.take(socket, (taken) => {
      this.#offered--;
      if (taken) socket.destroy();
      else this.#waiting.unshift(socket);
      if (taken && this.#takers.has(taker)) this.#free.push(taker);
      this.#handOut();
    });
  }
}
