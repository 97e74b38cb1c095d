import postgres, { type ISql, type Sql } from 'postgres';
import { StoreError } from '../store.ts';
import { type Access, fromPostgresError, isGone, noAnswer, readOnlyError, unavailable } from './errors.ts';
import type { Address } from './url.ts';

type Types = { bigint: bigint };
/** Runs statements. */
export type Db = ISql<Types>;
type Pool = Sql<Types>;

const CONNECTIONS = 5;
/** Calls that are running or waiting for a connection; more are refused at once. */
const MAX_CALLS = 2000;
/** A call that takes longer fails: a server that drops packets must not block a client for long. */
const CALL_MS = 4000;
/** Before that, the server itself cancels a statement that is merely slow, and the connection can be used again. */
const STATEMENT_MS = 3000;
const CONNECT_MS = 3500;
/** The server may keep connections open that we gave up, so the intervals between giving up grow. */
const MAX_INTERVAL_MS = 60_000;

/** A pool of connections to one server at a time, with every call bounded in number and time. */
export class Database {
  readonly #address: Address;
  #pool: Promise<Pool> | undefined;
  #calls = 0;
  #answeredAt = 0;
  #droppedAt = Number.NEGATIVE_INFINITY;
  #intervalMs = CALL_MS;

  constructor(address: Address) {
    this.#address = address;
  }

  read<T>(call: (sql: Pool) => Promise<T>): Promise<T> {
    return this.#run('read', call);
  }

  write<T>(call: (sql: Pool) => Promise<T>): Promise<T> {
    return this.#run('write', call);
  }

  async end(): Promise<void> {
    const sql = await this.#pool?.catch(() => undefined);
    await sql?.end({ timeout: 5 });
  }

  async #run<T>(access: Access, call: (sql: Pool) => Promise<T>): Promise<T> {
    if (this.#calls >= MAX_CALLS) throw unavailable('Too many calls are waiting for the database.');
    this.#calls++;
    const pool = this.#connected();
    try {
      const result = await this.#inTime(access, pool, pool.then(call));
      this.#answeredAt = performance.now();
      this.#intervalMs = CALL_MS;
      return result;
    } catch (error) {
      if (isGone(error)) this.#drop(pool);
      throw fromPostgresError(error, access);
    } finally {
      this.#calls--;
    }
  }

  /** The current pool, or a new one. A pool that cannot connect is dropped at once. */
  #connected(): Promise<Pool> {
    if (this.#pool) return this.#pool;
    const pool = connectToOne(this.#address);
    pool.catch(() => this.#drop(pool));
    this.#pool = pool;
    return pool;
  }

  #inTime<T>(access: Access, pool: Promise<Pool>, work: Promise<T>): Promise<T> {
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(noAnswer(access));
        if (this.#answeredAt < started) this.#giveUp(pool);
      }, CALL_MS);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  /** Nothing was answered at all, so the other connections to this server are dead too. */
  #giveUp(pool: Promise<Pool>): void {
    if (performance.now() - this.#droppedAt < this.#intervalMs) return;
    this.#intervalMs = Math.min(this.#intervalMs * 2, MAX_INTERVAL_MS);
    this.#drop(pool);
  }

  /** The next call chooses a server again. */
  #drop(pool: Promise<Pool>): void {
    if (this.#pool !== pool) return;
    this.#pool = undefined;
    this.#droppedAt = performance.now();
    void pool.then((sql) => sql.end({ timeout: 0 })).catch(() => {});
  }
}

/** A server may accept the connection and then send nothing. */
function inTime(ms: number, work: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = Object.assign(new Error('the server does not answer'), { code: 'CONNECT_TIMEOUT' });
    const timer = setTimeout(() => reject(late), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The first host that answers; if there are several, the first that accepts writes. */
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

/**
 * Runs `work` in one transaction without a statement time-out, and commits it. Uses one connection and fails if that
 * is lost. A driver reconnects on its own; so that nothing of `work` can ever be committed outside the transaction,
 * the connection is read-only except in it.
 */
export async function inTransaction(address: Address, work: (sql: Db) => Promise<void>): Promise<void> {
  const server = await connectToOne(address);
  const { host, port } = server.options;
  await server.end({ timeout: 1 });
  let isLost = false;
  const sql = connect(
    { ...address, host, port },
    {
      max: 1,
      statementMs: 0,
      settings: { default_transaction_read_only: true },
      onclose: () => {
        isLost = true;
      },
    },
  );
  try {
    // Not the driver's `begin`, which ends the process when the connection is lost.
    await sql`BEGIN READ WRITE`;
    await work(sql);
    await sql`COMMIT`;
    if (isLost) throw connectionLost();
  } catch (error) {
    throw isLost ? connectionLost(error) : error;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const connectionLost = (cause?: unknown) =>
  new StoreError('the connection to the database was lost: try again', { cause });

interface PoolOptions {
  readonly max?: number;
  readonly statementMs?: number;
  readonly settings?: Record<string, boolean>;
  readonly onclose?: () => void;
}

function connect(address: Address, options: PoolOptions = {}): Pool {
  const { host, port, writable, ...rest } = address;
  const { max = CONNECTIONS, statementMs = STATEMENT_MS, settings, onclose } = options;
  return postgres({
    ...rest,
    // The driver accepts lists, but its types know only one host.
    host: host as unknown as string,
    port: port as unknown as number,
    max,
    connect_timeout: 3,
    keep_alive: 5,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1),
    // Arrays are sent as text. The driver would ask for the types of arrays in a call whose failure nothing handles.
    fetch_types: false,
    types: { bigint: postgres.BigInt },
    onnotice: () => {},
    ...(onclose && { onclose, max_lifetime: null }),
    connection: {
      application_name: 'animal-store',
      search_path: 'animal_store',
      default_transaction_isolation: 'read committed',
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: statementMs,
      ...settings,
    },
  });
}
