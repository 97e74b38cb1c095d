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
import { KeyLimit } from './key-limit.ts';
import { Pool, type PoolOptions } from './pool.ts';

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

interface Call {
  readonly key: string | undefined;
  readonly start: (connection: Connection) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A database as one kind of calls sees it: with its own connections, so that it never waits for another kind, and with
 * every call bounded in number and time.
 */
export class Database {
  readonly #pool: Pool;
  /** In the order of arrival. */
  readonly #waiting = new Set<Call>();
  readonly #keyLimit: KeyLimit;
  #calls = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(address: Address, options: Partial<PoolOptions> = {}) {
    const available = () => this.#startCalls();
    const failed = (error: Error) => {
      for (const { reject } of this.#waiting) reject(new NotSent(error));
    };
    const all = { ...defaults, ...options };
    this.#pool = new Pool(address, all, { available, failed });
    this.#keyLimit = new KeyLimit(all.connections);
  }

  read<T>(work: (sql: Db) => Promise<T>): Promise<T> {
    return this.#run('read', work);
  }

  /** Calls with the same key may wait for the same lock: they never occupy all connections. */
  write<T>(work: (sql: Db) => Promise<T>, key?: string): Promise<T> {
    return this.#run('write', work, key);
  }

  /** Closes the connections when the calls that were accepted have ended. */
  async end(): Promise<void> {
    this.#idle ??= Promise.withResolvers();
    if (this.#calls > 0) await this.#idle.promise;
    await this.#pool.end();
  }

  async #run<T>(access: Access, work: (sql: Db) => Promise<T>, key?: string): Promise<T> {
    if (this.#calls >= MAX_CALLS) throw unavailable('Too many calls are waiting for the database.');
    this.#calls++;
    try {
      return await this.#enqueue(access, work, key);
    } catch (error) {
      throw fromPostgresError(error, access);
    } finally {
      this.#calls--;
      if (this.#calls === 0) this.#idle?.resolve();
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
    const call: Call = { key, start, reject };
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
      if (call.key !== undefined && !this.#keyLimit.allows(call.key)) continue;
      const connection = this.#pool.take();
      if (!connection) return;
      this.#waiting.delete(call);
      call.start(connection);
    }
  }

  /** Counts a call on a connection, and returns what ends it. */
  #occupy(connection: Connection, key: string | undefined): () => void {
    connection.calls++;
    const keyEnded = key === undefined ? undefined : this.#keyLimit.start(key);
    return () => {
      this.#pool.release(connection);
      keyEnded?.();
      this.#startCalls();
      if (key !== undefined) this.#keyLimit.forgetIfIdle(key);
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
