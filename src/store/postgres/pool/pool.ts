import { isFailedTransaction, NotSent } from '../errors.ts';
import type { Connection } from './connection.ts';
import type { Servers } from './servers.ts';
import type { Timeouts } from './settings.ts';

const VERIFY_MS = 1000;
/** After this time without any answer, a connection counts as dead. */
const SILENT_MS = 4000;
/** Silent connections are abandoned together, within this time. The next ones follow after a pause as long as the silence, up to `MAX_PAUSE_MS`. */
const TOGETHER_MS = 2000;
const MAX_PAUSE_MS = 60_000;
/** After a failed attempt to connect, the next one waits for a moment. */
const RETRY_MS = 50;
/** How long a call waits for a connection that is being opened, before it is given to a busy one. */
const PREFER_NEW_MS = 100;

export interface PoolOptions extends Timeouts {
  readonly connections: number;
  /** Calls on one connection at a time: the server works on them one after the other. */
  readonly callsPerConnection: number;
}

/** A call that waits for a connection. It is rejected if there is no connection, and none can be opened. */
interface WaitingCall {
  readonly start: (connection: Connection) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The open connections for one purpose. One is kept open, so that this purpose has its share when the server runs out of connections, and
 * another one is opened when all are busy. Each is verified once a second, and replaced when it is lost, silent, or leads to a standby. A
 * connection that is replaced is given no more calls, and closed when those under way have ended, so that replacing one never makes a call fail.
 */
export class Pool {
  readonly #servers: Servers;
  readonly #options: PoolOptions;
  readonly #open = new Set<Connection>();
  /** In the order of arrival. */
  readonly #waiting = new Set<WaitingCall>();
  /** When `verify` sent the statement that each of these connections has not answered yet. */
  readonly #verifying = new Map<Connection, number>();
  readonly #timer = setInterval(() => this.#maintain(), VERIFY_MS).unref();
  #opening = 0;
  #openingAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** When the first overdue statement was sent since a call last succeeded. */
  #silentSince: number | undefined;
  #abandonedAt = Number.NEGATIVE_INFINITY;
  #retry: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor(servers: Servers, options: PoolOptions) {
    this.#servers = servers;
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#open.size > 0;
  }

  /** Starts a call as soon as a connection can take it, which is to be released when the call has ended. */
  add(call: WaitingCall): void {
    this.#waiting.add(call);
    this.#startCalls();
  }

  /** To be called when a call no longer waits. */
  remove(call: WaitingCall): void {
    this.#waiting.delete(call);
  }

  /** To be called when a call has ended. */
  release(connection: Connection): void {
    connection.calls--;
    if (connection.calls === 0 && !this.#open.has(connection)) connection.destroy();
    this.#startCalls();
  }

  succeeded(): void {
    this.#silentSince = undefined;
  }

  /**
   * To be called when the answer to a statement that was sent at this time is overdue. The server may keep an abandoned connection open, for example
   * while a commit waits for a lost standby. So the longer all are silent, the less often one is replaced: `#maintain` calls this until each is.
   */
  overdue(connection: Connection, sentAt: number): void {
    if (connection.answeredAt >= sentAt) return;
    if (this.#open.has(connection) && !this.#mayAbandon(sentAt)) return;
    this.#replace(connection);
    // What it still sends would belong to a transaction whose call has ended.
    if (this.#options.callsPerConnection === 1) connection.destroy();
  }

  #startCalls(): void {
    for (const call of this.#waiting) {
      const connection = this.#take();
      if (!connection) return;
      this.#waiting.delete(call);
      connection.calls++;
      call.start(connection);
    }
  }

  /** The connection with the fewest calls, or undefined if none can take one now. */
  #take(): Connection | undefined {
    let best: Connection | undefined;
    for (const connection of this.#open) if (!best || connection.calls < best.calls) best = connection;
    if (!best || best.calls > 0) this.#openAnother();
    if (!best || best.calls >= this.#options.callsPerConnection) return undefined;
    const isOpeningOne = this.#opening > 0 && performance.now() - this.#openingAt < PREFER_NEW_MS;
    return best.calls > 0 && isOpeningOne ? undefined : best;
  }

  #mayAbandon(sentAt: number): boolean {
    this.#silentSince ??= sentAt;
    const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(SILENT_MS, this.#abandonedAt - this.#silentSince));
    const sinceMs = performance.now() - this.#abandonedAt;
    if (sinceMs > TOGETHER_MS && sinceMs >= pauseMs) this.#abandonedAt = performance.now();
    return sinceMs <= TOGETHER_MS || sinceMs >= pauseMs;
  }

  async verify(connection: Connection): Promise<void> {
    if (this.#verifying.has(connection)) return;
    this.#verifying.set(connection, performance.now());
    try {
      await connection.verify();
      connection.answeredAt = performance.now();
    } catch (error) {
      if (!isFailedTransaction(error)) this.#replace(connection);
    } finally {
      this.#verifying.delete(connection);
    }
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
    await Promise.all([...this.#open].map((connection) => connection.close()));
  }

  #maintain(): void {
    for (const connection of this.#open) {
      const sentAt = this.#verifying.get(connection) ?? Number.POSITIVE_INFINITY;
      if (performance.now() - sentAt >= SILENT_MS) this.overdue(connection, sentAt);
      else void this.verify(connection);
    }
    if (!this.isConnected) this.#openAnother();
  }

  #replace(connection: Connection): void {
    if (this.#open.delete(connection) && connection.calls === 0) connection.destroy();
  }

  #openAnother(): void {
    if (this.#isEnding || this.#open.size + this.#opening >= this.#options.connections) return;
    const waitMs = this.#failedAt + RETRY_MS - performance.now();
    if (waitMs <= 0) return void this.#connect();
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#openAnother();
    }, waitMs);
  }

  async #connect(): Promise<void> {
    this.#opening++;
    this.#openingAt = performance.now();
    setTimeout(() => this.#startCalls(), PREFER_NEW_MS + 1).unref();
    try {
      const connection = await this.#servers.connect(this.#options);
      this.#opening--;
      if (this.#isEnding) return connection.destroy();
      this.#open.add(connection);
      void connection.closed.then(() => this.#open.delete(connection));
      this.#startCalls();
    } catch (error) {
      this.#opening--;
      this.#failedAt = performance.now();
      if (this.isConnected) this.#startCalls();
      else if (this.#opening === 0) for (const { reject } of this.#waiting) reject(new NotSent(error));
    }
  }
}
