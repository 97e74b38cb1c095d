import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../contract/limits.ts';
import { Connection, type ConnectionEvents } from './connection.ts';

/** The part of all connections closed at once when there are too many, so that finding the idle ones costs little for each. */
const EVICTED_AT_ONCE = 0.01;
/** For this long a keep-alive client may still send a request on an idle connection and be answered. */
const GRACE_MS = 1000;
/** Then a request that is still arriving, or a client that does not read, is cut off. */
const DRAIN_MS = 7000;
const STEP_MS = 20;
const SWEEP_MS = 5000;
/** Node closes an idle connection itself, but counts from the last byte: a client could send empty lines for ever. */
const MAX_IDLE_MS = limits.keepAliveMs + SWEEP_MS;

/** The open connections of the service. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #events: ConnectionEvents;
  readonly #max: number;
  readonly #waitingInAll = { count: 0 };
  readonly #sweep = setInterval(() => this.#closeIdle(), SWEEP_MS).unref();

  constructor(events: ConnectionEvents, max: number) {
    this.#events = events;
    this.#max = max;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Adds a connection, closing the longest idle ones if necessary. Returns false if there is still no room. */
  add(socket: Socket): boolean {
    // For as long as the socket lives: node:http removes its own listener when a request asks for another protocol.
    socket.on('error', () => {});
    if (this.#open.size >= this.#max) this.#evictIdle();
    if (this.#open.size >= this.#max) {
      socket.destroy();
      return false;
    }
    this.#open.set(socket, new Connection(socket, this.#events, this.#waitingInAll));
    socket.once('close', () => this.#open.delete(socket));
    return true;
  }

  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket);
  }

  close(): void {
    clearInterval(this.#sweep);
    this.#destroyAll();
  }

  /** Resolves when every accepted request is answered and every connection is closed, or when time is up. */
  async drain(): Promise<void> {
    const start = performance.now();
    const isBusy = () => this.#open.values().some((connection) => connection.busy);
    while (this.#open.size > 0) {
      const elapsed = performance.now() - start;
      if (elapsed >= DRAIN_MS || (elapsed >= GRACE_MS && !isBusy())) break;
      await sleep(STEP_MS);
    }
    this.#destroyAll();
  }

  #destroyAll(): void {
    for (const connection of this.#open.values()) connection.destroy();
  }

  #closeIdle(): void {
    const tooOld = performance.now() - MAX_IDLE_MS;
    for (const connection of this.#open.values())
      if (connection.activeAt < tooOld && !connection.busy) connection.destroy();
  }

  #evictIdle(): void {
    const idle = [...this.#open].filter(([, connection]) => !connection.busy);
    idle.sort(([, a], [, b]) => a.activeAt - b.activeAt);
    for (const [socket, connection] of idle.slice(0, Math.ceil(this.#max * EVICTED_AT_ONCE))) {
      this.#open.delete(socket);
      connection.destroy();
    }
  }
}
