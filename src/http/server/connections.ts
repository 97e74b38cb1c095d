import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits, type ServerLimits } from '../../contract/limits.ts';
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
  readonly #waitingInAll = { count: 0 };
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

  /** Adds a connection, closing others that are not at work if necessary. Returns false if there is still no room. */
  add(socket: Socket): boolean {
    // For as long as the socket lives: node:http removes its own listener when a request asks for another protocol.
    socket.on('error', () => {});
    if (this.#open.size >= this.#limits.connections) this.#evict();
    if (this.#open.size >= this.#limits.connections) {
      socket.destroy();
      this.#refused.add();
      return false;
    }
    this.#open.set(socket, new Connection(socket, this.#events, this.#waitingInAll, this.#limits));
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

  #check(): void {
    const now = performance.now();
    // Node closes an idle connection itself, but counts from the last byte: a client could send empty lines for ever.
    const tooOld = now - this.#limits.idleMs - this.#limits.checkMs;
    for (const connection of this.#open.values()) {
      if (connection.activeAt < tooOld && !connection.busy) connection.destroy();
      else connection.checkPace(now);
    }
  }

  /** Closes connections that are not at work: first those of a key or address that holds too many, then the longest idle ones. */
  #evict(): void {
    const { connections: max } = this.#limits;
    const held = new Map<string, number>();
    for (const { holder } of this.#open.values()) held.set(holder, (held.get(holder) ?? 0) + 1);
    const holdsTooMany = ({ holder }: Connection) => (held.get(holder) ?? 0) > max * limits.shareOfHolder;
    const idle = [...this.#open]
      .filter(([, connection]) => !connection.isWorking)
      .map(([socket, connection]) => ({ socket, connection, first: holdsTooMany(connection) }))
      .sort((a, b) => Number(b.first) - Number(a.first) || a.connection.activeAt - b.connection.activeAt)
      .slice(0, Math.ceil(max * EVICTED_AT_ONCE));
    for (const { socket, connection } of idle) {
      this.#open.delete(socket);
      connection.destroy();
    }
  }
}
