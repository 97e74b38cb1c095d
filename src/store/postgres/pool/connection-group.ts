import { InFlight } from '../../batcher.ts';
import {
  type Access,
  connectionsBusy,
  connectionTimeout,
  fromPostgresError,
  isAnswer,
  isLostPlan,
  isReadOnly,
  NotSent,
  noAnswer,
  unavailable,
} from '../errors.ts';
import type { Address } from '../url.ts';
import { afterMs, type Connection, type Db } from './connection.ts';
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

/** The connections that one kind of calls has to itself, so that it never waits for another kind. Calls are bounded in number and time. */
export class ConnectionGroup {
  readonly #pool: Pool;
  /** Whether a connection has one call at a time, so that a call may be a transaction of several statements. */
  readonly #isExclusive: boolean;
  readonly #calls = new InFlight(MAX_CALLS);

  constructor(address: Address, options: Partial<PoolOptions> = {}, servers = new Servers(address)) {
    const all = { ...defaults, ...options };
    this.#pool = new Pool(servers, all);
    this.#isExclusive = all.callsPerConnection === 1;
  }

  read<T>(work: (sql: Db) => Promise<T>): Promise<T> {
    return this.#run('read', work);
  }

  write<T>(work: (sql: Db) => Promise<T>): Promise<T> {
    return this.#run('write', work);
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

  /**
   * Settles within CALL_MS, whether or not the call is ever given to a connection. A call that has timed out may still be in the middle of its
   * transaction: its connection is given to another call only when it has ended.
   */
  async #run<T>(access: Access, work: (sql: Db) => Promise<T>): Promise<T> {
    if (this.#calls.isClosed) throw unavailable('The store is closed.');
    if (this.#calls.isFull) throw unavailable('Too many calls are waiting for the database.');
    this.#calls.start();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const notStarted = () => (this.#pool.isConnected ? connectionsBusy() : connectionTimeout());
    let cancel = afterMs(WAIT_MS, () => reject(new NotSent(notStarted())));
    const startedAt = performance.now();
    const start = (connection: Connection) => {
      const sentAt = performance.now();
      cancel();
      const timedOut = () => {
        this.#pool.overdue(connection, sentAt);
        reject(noAnswer(access));
      };
      cancel = afterMs(CALL_MS - (sentAt - startedAt), timedOut);
      const release = () => this.#pool.release(connection);
      const executing = this.#execute(connection, work);
      executing.then(resolve, reject);
      (this.#isExclusive ? executing : promise).then(release, release);
    };
    const call = { start, reject };
    this.#pool.add(call);
    try {
      return await promise;
    } catch (error) {
      throw fromPostgresError(error, access);
    } finally {
      cancel();
      this.#pool.remove(call);
      this.#calls.end();
    }
  }

  async #execute<T>(connection: Connection, work: (sql: Db) => Promise<T>): Promise<T> {
    try {
      // A call that has lost a plan has done nothing, or has rolled back what it did.
      const result = await work(connection).catch((error) => {
        if (!isLostPlan(error)) throw error;
        return work(connection);
      });
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
