import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import postgres, { type ISql, type Sql } from 'postgres';
import { connectionClosed, connectionTimeout, isRefusedByRule } from '../errors.ts';
import type { Address, Host } from '../url.ts';
import {
  SESSION_STATE,
  type ServerState,
  type SessionState,
  setUpStatement,
  type Timeouts,
  verifyDirect,
  verifyServer,
  verifySession,
} from './settings.ts';

type Types = { bigint: bigint };
/** Runs statements on one connection. */
export type Db = ISql<Types>;

/** For a server that accepts the connection and then sends nothing. */
const CONNECT_MS = 3500;
/** How long a session that accepts no writes is used for reads, if no other server would accept them. */
const READ_ONLY_MS = 1000;
/** How long a server may take to close a connection that is no longer needed. */
const CLOSE_MS = 1000;

/**
 * One connection. It has the settings that the service depends on, and its server was verified before the first call.
 * The driver would reconnect, perhaps to another server at the same address. This connection never does: once it
 * is lost, every further statement on it fails.
 */
export class Connection {
  readonly sql: Sql<Types>;
  /** Resolves when the connection is closed, for whatever reason. */
  readonly closed: Promise<void>;
  /** Calls that were given to this connection and have not ended. */
  calls = 0;
  /** When the server last answered. */
  answeredAt = performance.now();
  readonly #address: Address;
  readonly #session = randomUUID();
  readonly #openedAt = performance.now();
  #socket: Socket | undefined;

  private constructor(address: Address, server: Host, ssl: Address['login']['ssl']) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#address = address;
    this.closed = promise;
    const options = {
      ...address.login,
      ssl,
      ...server,
      socket: () => this.#connectOnce(server),
      max: 1,
      max_lifetime: null,
      connect_timeout: 3,
      keep_alive: 5,
      // Arrays are sent as text. The driver would ask for the types of arrays in a call whose failure nothing handles.
      fetch_types: false,
      types: { bigint: postgres.BigInt },
      connection: { application_name: 'animal-store' },
      onnotice: () => {},
      onclose: () => {
        resolve();
        void this.sql.end({ timeout: 0 });
      },
    };
    this.sql = postgres(options);
  }

  /**
   * Opens a connection to one server. Rejects if the server is not what the store needs. With `sslmode=prefer`, a server that
   * supports TLS but accepts no client that uses it is tried again without TLS.
   */
  static async open(address: Address, server: Host, timeouts: Timeouts): Promise<Connection> {
    const { ssl } = address.login;
    try {
      return await Connection.#openWith(ssl, address, server, timeouts);
    } catch (error) {
      if (ssl !== 'prefer' || !isRefusedByRule(error)) throw error;
      return Connection.#openWith(false, address, server, timeouts);
    }
  }

  static async #openWith(
    ssl: Address['login']['ssl'],
    address: Address,
    server: Host,
    timeouts: Timeouts,
  ): Promise<Connection> {
    const connection = new Connection(address, server, ssl);
    try {
      await inTime(connection.#setUp(timeouts));
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  async #setUp(timeouts: Timeouts): Promise<void> {
    // Before anything is set: with a pooler in between, it could be set for another client.
    const backend = await this.sql.unsafe<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
    verifyDirect(backend[0].pid === backend.state.pid, this.#address);
    const [state] = await this.sql.unsafe<[ServerState]>(setUpStatement(this.#session, timeouts));
    verifyServer(state, this.#address.writable);
  }

  /**
   * Rejects if the server has become a standby, or the connection is no longer the one that was set up. Rejects also if the
   * session accepts no writes: a session keeps the default from when it began, and a new one may get another.
   */
  async verify(): Promise<void> {
    const [state] = await this.sql.unsafe<[SessionState]>(SESSION_STATE);
    const isOld = performance.now() - this.#openedAt > READ_ONLY_MS;
    verifySession(state, this.#session, this.#address.writable || isOld);
  }

  /** Finishes what is under way, for at most five seconds. */
  async close(): Promise<void> {
    await this.sql.end({ timeout: 5 });
  }

  /** Closes the connection. Statements under way fail at once, with an unknown outcome. */
  destroy(): void {
    void this.sql.end({ timeout: 0 });
    // Later, so that the driver can send its last message: it does not handle the error if it cannot.
    setTimeout(() => this.#socket?.destroy(), CLOSE_MS).unref();
  }

  async #connectOnce({ host, port }: Host): Promise<Socket> {
    if (this.#socket) throw connectionClosed();
    this.#socket = connect({ host, port, noDelay: true });
    await once(this.#socket, 'connect');
    // The driver reads the name for TLS from here.
    return Object.assign(this.#socket, { host });
  }
}

function inTime(work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(connectionTimeout()), CONNECT_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
