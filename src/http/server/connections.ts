import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerLimits } from '../../contract/limits.ts';
import { Connection, type ConnectionEvents } from './connection.ts';
import type { RefusedConnections } from './refused-connections.ts';

/** The part of all connections closed at once when there are too many, so that finding them costs little for each. */
const EVICTED_AT_ONCE = 0.01;
const DRAIN_STEP_MS = 20;

/** The open connections of the service. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #events: ConnectionEvents;
  readonly #limits: ServerLimits;
  readonly #refused: RefusedConnections;
  readonly #timer: NodeJS.Timeout;

  constructor(events: ConnectionEvents, limits: ServerLimits, refused: RefusedConnections) {
    this.#events = events;
    this.#limits = limits;
    this.#refused = refused;
    this.#timer = setInterval(() => this.#check(), limits.checkMs).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Adds a connection, closing idle ones if necessary. Returns false if there is still no room. */
  add(socket: Socket): boolean {
    // For as long as the socket lives: node:http removes its own listener when a request asks for another protocol.
    socket.on('error', () => {});
    if (this.#open.size >= this.#limits.connections) this.#evict();
    if (this.#open.size >= this.#limits.connections) {
      socket.destroy();
      this.#refused.add();
      return false;
    }
    this.#open.set(socket, new Connection(socket, this.#events, this.#limits));
    socket.once('close', () => this.#open.delete(socket));
    return true;
  }

  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#destroyAll();
  }

  /** Resolves when every accepted request is answered and every connection is closed, or when time is up. */
  async drain(): Promise<void> {
    const { graceMs, drainMs } = this.#limits;
    const start = performance.now();
    const isBusy = () => this.#open.values().some((connection) => connection.busy);
    while (this.#open.size > 0) {
      const elapsed = performance.now() - start;
      if (elapsed >= drainMs || (elapsed >= graceMs && !isBusy())) break;
      await sleep(DRAIN_STEP_MS);
    }
    this.#destroyAll();
  }

  #destroyAll(): void {
    for (const connection of this.#open.values()) connection.destroy();
  }

  /** Node closes an idle connection itself, but counts from the last byte: a client could send empty lines for ever. */
  #check(): void {
    const tooOld = performance.now() - this.#limits.idleMs - this.#limits.checkMs;
    for (const connection of this.#open.values())
      if (connection.idleSince < tooOld && !connection.busy) connection.destroy();
  }

  /** Closes the longest idle connections. One with a part of a request counts as idle: its client may never send the rest. */
  #evict(): void {
    const idle = [...this.#open]
      .filter(([, connection]) => !connection.isWorking)
      .sort(([, a], [, b]) => a.idleSince - b.idleSince)
      .slice(0, Math.ceil(this.#limits.connections * EVICTED_AT_ONCE));
    for (const [socket, connection] of idle) {
      this.#open.delete(socket);
      connection.destroy();
    }
  }
}
