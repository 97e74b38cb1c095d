import { InFlight } from '../../in-flight.ts';
import {
  type Access,
  fromPostgresError,
  isAnswer,
  isReadOnly,
  NotSent,
  noAnswer,
  noConnectionInTime,
  unavailable,
} from '../errors.ts';
import type { Address } from '../url.ts';
import type { Connection, Db } from './connection.ts';
import { LockLimit } from './lock-limit.ts';
import { Pool, type PoolOptions } from './pool.ts';
import { Servers } from './servers.ts';

/** Calls that are running or waiting for a connection; more are refused at once. */
const MAX_CALLS = 2000;
/** A call that takes longer fails: a server that drops packets must not block a client for long. */
const CALL_MS = 4000;
/** A call that waits longer for a connection is refused while it is certain that it had no effect. */
const WAIT_MS = 2500;

const defaults: PoolOptions = {
  connections: 4,
  callsPerConnection: 100,
  // Before a call times out, the server itself cancels a statement that is slow, and the connection can be used again.
  statementMs: 3000,
  lockMs: 2000,
};

interface WaitingCall {
  readonly key: string | undefined;
  readonly start: (connection: Connection) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The connections that one kind of calls has to itself, so that it never waits for another kind. Every call is bounded in
 * number and time.
 */
export class ConnectionGroup {
  readonly #pool: Pool;
  /** In the order of arrival. */
  readonly #waiting = new Set<WaitingCall>();
  readonly #lockLimit: LockLimit;
  readonly #calls = new InFlight(MAX_CALLS);

  constructor(address: Address, options: Partial<PoolOptions> = {}, servers = new Servers(address)) {
    const available = () => this.#startCalls();
    const failed = (error: Error) => {
      for (const { reject } of this.#waiting) reject(new NotSent(error));
    };
    const all = { ...defaults, ...options };
    this.#pool = new Pool(servers, all, { available, failed });
    this.#lockLimit = new LockLimit(all.connections);
  }

  read<T>(work: (sql: Db) => Promise<T>): Promise<T> {
    return this.#run('read', work);
  }

  /** Calls with the same key may wait for the same lock: they never occupy all connections. */
  write<T>(work: (sql: Db) => Promise<T>, key?: string): Promise<T> {
    return this.#run('write', work, key);
  }

  /** Resolves if a connection is open, or when one has been opened. */
  async connect(): Promise<void> {
    if (!this.#pool.isConnected) await this.read(async () => {});
  }

  /** Closes the connections when the calls that were accepted have ended. */
  async end(): Promise<void> {
    await this.#calls.close();
    await this.#pool.end();
  }

  async #run<T>(access: Access, work: (sql: Db) => Promise<T>, key?: string): Promise<T> {
    if (this.#calls.isFull) throw unavailable('Too many calls are waiting for the database.');
    this.#calls.start();
    try {
      return await this.#enqueue(access, work, key);
    } catch (error) {
      throw fromPostgresError(error, access);
    } finally {
      this.#calls.end();
    }
  }

  /** Settles within CALL_MS, whether or not the call is ever given to a connection. */
  async #enqueue<T>(access: Access, work: (sql: Db) => Promise<T>, key?: string): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let end = () => {};
    let timer = setTimeout(() => reject(noConnectionInTime()), WAIT_MS);
    const startedAt = performance.now();
    const start = (connection: Connection) => {
      const sentAt = performance.now();
      clearTimeout(timer);
      const timedOut = () => {
        this.#pool.timedOut(connection, sentAt);
        reject(noAnswer(access));
      };
      timer = setTimeout(timedOut, CALL_MS - (sentAt - startedAt));
      end = this.#occupy(connection, key);
      this.#execute(connection, work).then(resolve, reject);
    };
    const call: WaitingCall = { key, start, reject };
    this.#waiting.add(call);
    this.#startCalls();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(call);
      end();
    }
  }

  #startCalls(): void {
    for (const call of this.#waiting) {
      if (call.key !== undefined && !this.#lockLimit.allows(call.key)) continue;
      const connection = this.#pool.take();
      if (!connection) return;
      this.#waiting.delete(call);
      call.start(connection);
    }
  }

  /** Counts a call on a connection, and returns what ends it. */
  #occupy(connection: Connection, key: string | undefined): () => void {
    connection.calls++;
    const keyEnded = key === undefined ? undefined : this.#lockLimit.start(key);
    return () => {
      this.#pool.release(connection);
      keyEnded?.();
      this.#startCalls();
      if (key !== undefined) this.#lockLimit.forgetIfIdle(key);
    };
  }

  async #execute<T>(connection: Connection, work: (sql: Db) => Promise<T>): Promise<T> {
    try {
      const result = await work(connection.sql);
      connection.answeredAt = performance.now();
      this.#pool.succeeded();
      return result;
    } catch (error) {
      if (isAnswer(error)) connection.answeredAt = performance.now();
      if (isReadOnly(error)) void this.#pool.verify(connection);
      throw error;
    }
  }
}
