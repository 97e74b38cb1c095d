import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { userInfo } from 'node:os';
import { Client, type CustomTypesConfig, escapeIdentifier, type QueryResult, types } from 'pg';
import { StoreError } from '../../store.ts';
import {
  connectionClosed,
  connectionTimeout,
  isAnswer,
  isForbidden,
  isLostPlan,
  isRefusedWithTls,
  markRefused,
  notReplicated,
  rolledBack,
  tlsRefused,
} from '../errors.ts';
import type { Address, Host } from '../url.ts';
import {
  NEW_SESSION,
  SERVER_STATE,
  type ServerState,
  setUpStatement,
  type Timeouts,
  verifyDirect,
  verifyServer,
} from './settings.ts';

export type Value = string | bigint | number;

/** The columns of a row as the server writes them. */
export type TextRow = readonly (string | null)[];

/** With `values`, even if there are none, it is prepared once per connection. Without, it may be several statements. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly Value[] | undefined;
}

/** Runs statements on one connection. */
export interface Db {
  /** The rows of a statement, or of the last of several. */
  query(text: string, values?: readonly Value[]): Promise<TextRow[]>;
  /** Rows by the names of their columns, with the usual types; an int8 is a bigint. */
  objects<Row>(text: string, values?: readonly Value[]): Promise<Row[]>;
  /**
   * Sends statements in one packet; returns the rows of each. `false` is a statement that is not needed: it is left out, and has no rows. Settles
   * when the server has answered all of them. When one fails, those after it in the same transaction fail as well: the first failure is the reason.
   */
  together<const S extends readonly (Statement | false)[]>(
    statements: S,
  ): Promise<{ [I in keyof S]: TextRow[] }>;
}

/** What ends a transaction. Fails if the server has rolled back, or warns that a standby may not have the commit. */
export const COMMIT: Statement = { text: 'COMMIT' };

/** For a server that accepts the connection and then sends nothing. */
const CONNECT_MS = 3500;
/** How long a session that accepts no writes is used for reads, if no other server would accept them. */
const READ_ONLY_MS = 1000;
/** How long a server may take to close a connection that is no longer needed, and to finish what is under way before. */
const CLOSE_MS = 1000;
const FINISH_MS = 5000;
/** A timer that is so late was suspended with its process. */
const RESUME_MS = 1000;

const AS_TEXT: CustomTypesConfig = { getTypeParser: () => (text: unknown) => text };
const AS_USUAL: CustomTypesConfig = {
  getTypeParser: (oid: number) => (oid === types.builtins.INT8 ? BigInt : types.getTypeParser(oid)),
};

/** The result of a query of several statements is a list, which the types of pg do not say. */
type Result = QueryResult<object>;

/**
 * One connection. It has the settings that the service depends on, and its server was verified before the first call.
 * It never reconnects: once it is lost, every further statement on it fails.
 */
export class Connection implements Db {
  /** Resolves when the connection is closed, for whatever reason. */
  readonly closed: Promise<unknown>;
  /** Calls that were given to this connection and have not ended. */
  calls = 0;
  /** When the server last answered. */
  answeredAt = performance.now();
  readonly #address: Address;
  readonly #client: Client;
  readonly #socket = new Socket();
  readonly #session = randomUUID();
  readonly #openedAt = performance.now();
  /** Names of prepared statements by their text. */
  readonly #names = new Map<string, string>();
  #prepared = 0;
  #unanswered = 0;
  /** Whether the server has sent a warning with the answer to the statement that it is working on. */
  #hasWarned = false;
  /** Reports that the statement before has failed, when it is known whether the session goes on. */
  #reportFailure: (goesOn: boolean) => void = nothingFailed;

  private constructor(address: Address, { host, port }: Host) {
    this.#address = address;
    this.#client = new Client({
      host,
      port,
      user: address.user || process.env.PGUSER || userInfo().username,
      database: address.database,
      password: address.password || process.env.PGPASSWORD || noPassword,
      // A copy, because pg changes it.
      ssl: address.ssl && { ...address.ssl },
      stream: () => this.#socket,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
      application_name: 'animal-store',
      types: AS_TEXT,
      pipeline: true,
    });
    this.closed = new Promise((resolve) => this.#client.once('end', resolve));
    this.#client.on('end', () => this.#reportFailure(false));
    this.#client.on('error', () => this.#socket.destroy());
    // `client_min_messages` lets only warnings through.
    this.#client.on('notice', () => {
      this.#hasWarned = true;
    });
    this.#client.connection.on('readyForQuery', () => this.#reportFailure(true));
  }

  /**
   * Opens a connection to one server. Rejects if the server is not what the store needs. With `sslmode=prefer`, a server that
   * supports no TLS, or accepts no client that uses it, is tried again without TLS.
   */
  static async open(address: Address, server: Host, timeouts: Timeouts): Promise<Connection> {
    const connection = new Connection(address, server);
    try {
      await inTime(connection.#setUp(timeouts));
      return connection;
    } catch (error) {
      connection.destroy();
      // pg tells it by its message only.
      const reason = /support SSL/.test((error as Error).message) ? tlsRefused(error as Error) : error;
      if (!address.prefersTls || !isRefusedWithTls(reason)) throw reason;
      return Connection.open({ ...address, ssl: false, prefersTls: false }, server, timeouts);
    }
  }

  async #setUp(timeouts: Timeouts): Promise<void> {
    // What this class needs of `connection`, which pg does not document: without one of these events, the server is refused.
    const { connection } = this.#client;
    const events = [once(connection, 'backendKeyData'), once(connection, 'readyForQuery')] as const;
    const connected = this.#client.connect().catch((error) => {
      const { user = '', database = '' } = this.#client;
      throw isForbidden(error) ? mayNotConnect(escapeIdentifier(user), escapeIdentifier(database)) : error;
    });
    const [[{ processID }]] = await Promise.all([...events, connected]);
    // Before anything is set: with a pooler in between, it could be set for another client.
    const [[pid] = []] = await this.query('SELECT pg_backend_pid()');
    verifyDirect(Number(pid) === processID, this.#address);
    const [state] = await this.objects<ServerState>(setUpStatement(this.#session, timeouts));
    verifyServer(state as ServerState, NEW_SESSION, this.#address.writable);
  }

  async query(text: string, values?: readonly Value[]): Promise<TextRow[]> {
    return (await this.#send({ text, values })).rows as object as TextRow[];
  }

  async objects<Row>(text: string, values?: readonly Value[]): Promise<Row[]> {
    return (await this.#send({ text, values }, AS_USUAL)).rows as Row[];
  }

  async together<const S extends readonly (Statement | false)[]>(statements: S) {
    const { stream } = this.#client.connection;
    stream.cork();
    const sent = statements.map((statement) => statement && this.#send(statement));
    stream.uncork();
    const rows: TextRow[][] = [];
    for (const answer of await Promise.allSettled(sent)) {
      if (answer.status === 'rejected') throw answer.reason;
      rows.push(answer.value ? (answer.value.rows as object as TextRow[]) : []);
    }
    return rows as { [I in keyof S]: TextRow[] };
  }

  /** Rejects with the error of the server only when it has ended the statement and goes on, or has closed the connection. */
  #send({ text, values }: Statement, usual?: CustomTypesConfig): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const name = values && this.#nameOf(text);
    const query = {
      text,
      values: values as Value[],
      name,
      types: usual,
      rowMode: usual ? undefined : 'array',
    };
    this.#unanswered++;
    this.#client.query<object, Value[]>(query, (error: Error | null, answer: Result | Result[]) => {
      this.#unanswered--;
      const hasWarned = this.#hasWarned;
      this.#hasWarned = false;
      if (error) return this.#fail(text, error, reject);
      const result = Array.isArray(answer) ? (answer.at(-1) as Result) : answer;
      if (text !== COMMIT.text) resolve(result);
      else if (result.command !== COMMIT.text) reject(rolledBack());
      else if (hasWarned) reject(notReplicated());
      else resolve(result);
    });
    return promise;
  }

  #fail(text: string, error: Error, reject: (error: Error) => void): void {
    if (!isAnswer(error)) {
      void this.closed.then(() => reject('code' in error ? error : connectionClosed(error)));
      return;
    }
    if (isLostPlan(error)) this.#names.clear();
    this.#reportFailure = (goesOn) => {
      this.#reportFailure = nothingFailed;
      if (goesOn) markRefused(text, error);
      reject(error);
    };
  }

  #nameOf(text: string): string {
    const name = this.#names.get(text) ?? `s${this.#prepared++}`;
    this.#names.set(text, name);
    return name;
  }

  /**
   * Rejects if the server has become a standby, or the connection is no longer the one that was set up. Rejects also if the
   * session accepts no writes: a session keeps the default from when it began, and a new one may get another.
   */
  async verify(): Promise<void> {
    const [state] = await this.objects<ServerState>(SERVER_STATE);
    const isOld = performance.now() - this.#openedAt > READ_ONLY_MS;
    verifyServer(state as ServerState, this.#session, this.#address.writable || isOld);
  }

  /** Finishes what is under way, for a limited time. */
  async close(ms = FINISH_MS): Promise<void> {
    setTimeout(() => this.#socket.destroy(), ms).unref();
    await this.#client.end();
  }

  /** Closes the connection. Statements under way fail at once, with an unknown outcome. */
  destroy(): void {
    if (this.#unanswered > 0) this.#socket.destroy();
    void this.close(CLOSE_MS);
  }
}

const nothingFailed = () => {};

const mayNotConnect = (role: string, database: string) =>
  new StoreError(
    `the role ${role} may not connect to the database ${database}: let a superuser or its owner run: GRANT CONNECT ON DATABASE ${database} TO ${role};`,
  );

function noPassword(): never {
  throw new StoreError('the server asks for a password: write it into the URL, or set PGPASSWORD');
}

function inTime(work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = afterMs(CONNECT_MS, () => reject(connectionTimeout()));
    work.then(resolve, reject).finally(cancel);
  });
}

/**
 * Calls `action` after a time, unless the function that is returned is called before. A process that was suspended for longer has its time over when
 * it goes on, although the server has answered: it gets a second to read the answer.
 */
export function afterMs(ms: number, action: () => void): () => void {
  const dueAt = performance.now() + ms;
  const isOver = () => {
    if (performance.now() - dueAt < RESUME_MS) action();
    else timer = setTimeout(action, RESUME_MS);
  };
  let timer = setTimeout(isOver, Math.max(1, ms));
  return () => clearTimeout(timer);
}
