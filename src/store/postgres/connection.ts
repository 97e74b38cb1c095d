import postgres, { type ISql, type Sql } from 'postgres';
import { ApiError } from '../../contract/errors.ts';
import { fromPostgresError, isGone, readOnlyError } from './errors.ts';
import type { Address } from './url.ts';

type Types = { bigint: bigint };
/** What runs a statement. */
export type Db = ISql<Types>;
type Pool = Sql<Types>;

const CONNECTIONS = 5;
/** Calls under way or waiting for a connection; beyond that they are refused at once. */
const MOST_CALLS = 2000;
/** A call that takes longer is given up: a server that swallows packets must not hold a client for long. */
const CALL_MS = 4000;
/** Well before that, the server itself ends a statement that is merely slow, and the connection lives on. */
const STATEMENT_MS = 3000;
const CONNECT_MS = 3500;
/** A server may hold on to connections that we gave up; so the pauses between giving up grow. */
const LONGEST_PAUSE_MS = 60_000;

/** A pool of connections to one server at a time, with every call bounded in number and time. */
export class Database {
  readonly #address: Address;
  #pool: Promise<Pool> | undefined;
  #calls = 0;
  #answeredAt = 0;
  #droppedAt = Number.NEGATIVE_INFINITY;
  #pauseMs = CALL_MS;

  constructor(address: Address) {
    this.#address = address;
  }

  async run<T>(call: (sql: Pool) => Promise<T>): Promise<T> {
    if (this.#calls >= MOST_CALLS) {
      throw new ApiError('unavailable', 'Too many calls wait for the database. Try again in a moment.');
    }
    this.#calls++;
    const pool = this.#connected();
    try {
      const result = await this.#inTime(pool, pool.then(call));
      this.#answeredAt = performance.now();
      this.#pauseMs = CALL_MS;
      return result;
    } catch (error) {
      if (isGone(error)) this.#drop(pool);
      throw fromPostgresError(error);
    } finally {
      this.#calls--;
    }
  }

  async end(): Promise<void> {
    const sql = await this.#pool?.catch(() => undefined);
    await sql?.end({ timeout: 5 });
  }

  /** The pool there is or will be; one that came to nothing is forgotten at once. */
  #connected(): Promise<Pool> {
    if (this.#pool) return this.#pool;
    const pool = connectToOne(this.#address);
    pool.catch(() => this.#drop(pool));
    this.#pool = pool;
    return pool;
  }

  #inTime<T>(pool: Promise<Pool>, work: Promise<T>): Promise<T> {
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(
          new ApiError(
            'unavailable',
            'The database does not answer; a write may or may not have taken effect.',
          ),
        );
        if (this.#answeredAt < started) this.#giveUp(pool);
      }, CALL_MS);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  /** Nothing comes back: the other connections to the same server are no better. */
  #giveUp(pool: Promise<Pool>): void {
    if (performance.now() - this.#droppedAt < this.#pauseMs) return;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    this.#drop(pool);
  }

  /** The next call looks for a server anew. */
  #drop(pool: Promise<Pool>): void {
    if (this.#pool !== pool) return;
    this.#pool = undefined;
    this.#droppedAt = performance.now();
    void pool.then((sql) => sql.end({ timeout: 0 })).catch(() => {});
  }
}

/** A server may take the connection and say nothing more. */
function inTime(ms: number, work: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = Object.assign(new Error('the server does not answer'), { code: 'CONNECT_TIMEOUT' });
    const timer = setTimeout(() => reject(late), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The first of the hosts that answers; of several, the first that takes writes. */
async function connectToOne(address: Address): Promise<Pool> {
  let failure: unknown;
  for (const [i, host] of address.host.entries()) {
    const sql = connect({ ...address, host: [host], port: [address.port[i] as number] });
    try {
      await inTime(CONNECT_MS, address.writable ? assertWritable(sql) : sql`SELECT 1`);
      return sql;
    } catch (error) {
      failure = error;
      void sql.end({ timeout: 0 }).catch(() => {});
    }
  }
  throw failure;
}

export async function assertWritable(sql: Db): Promise<void> {
  const [row] = await sql`SELECT current_setting('transaction_read_only') AS read_only`;
  if (row?.read_only !== 'off') throw readOnlyError();
}

/** For one task of its own, however long its statements take: `work` in a transaction, or nothing of it. */
export async function inTransaction(address: Address, work: (sql: Db) => Promise<void>): Promise<void> {
  const found = await connectToOne(address);
  const { host, port } = found.options;
  await found.end({ timeout: 1 });
  const sql = connect({ ...address, host, port }, { max: 1, statementMs: 0 });
  try {
    // Not the driver's begin: a connection lost inside it ends the process.
    await sql`BEGIN`;
    await work(sql);
    await sql`COMMIT`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function connect(address: Address, { max = CONNECTIONS, statementMs = STATEMENT_MS } = {}): Pool {
  const { host, port, writable, ...rest } = address;
  return postgres({
    ...rest,
    // Lists are taken, though the types know one host alone.
    host: host as unknown as string,
    port: port as unknown as number,
    max,
    connect_timeout: 3,
    keep_alive: 5,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1),
    // Arrays go as text; and the driver asks for the types of arrays in a call that nobody waits for.
    fetch_types: false,
    types: { bigint: postgres.BigInt },
    onnotice: () => {},
    connection: {
      application_name: 'animal-store',
      search_path: 'animal_store',
      default_transaction_isolation: 'read committed',
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: statementMs,
    },
  });
}
