import postgres, { type ISql, type Sql } from 'postgres';
import { ApiError } from '../../contract/errors.ts';
import { fromPostgresError, isReadOnly } from './errors.ts';
import type { Address } from './url.ts';

type Types = { bigint: bigint };
/** What runs a statement: the pool, or a transaction. */
export type Db = ISql<Types>;
export type Pool = Sql<Types>;

const POOL = 10;
/** Calls under way or waiting for a connection; beyond that they are refused at once. */
const MOST_CALLS = 2000;
/** A call that takes longer is given up: a server that swallows packets must not hold a client for long. */
const CALL_MS = 4000;
/** Well before that, the server itself ends a statement that is merely slow, and the connection lives on. */
const STATEMENT_MS = 3000;

/** The pool of connections, with every call bounded in number and time. */
export class Database {
  readonly #address: Address;
  #sql: Pool;
  #calls = 0;
  #answeredAt = 0;

  constructor(address: Address) {
    this.#address = address;
    this.#sql = connect(address);
  }

  async run<T>(call: (sql: Pool) => Promise<T>): Promise<T> {
    if (this.#calls >= MOST_CALLS) {
      throw new ApiError('unavailable', 'Too many calls wait for the database. Try again in a moment.');
    }
    this.#calls++;
    const sql = this.#sql;
    try {
      const result = await this.#inTime(sql, call(sql));
      this.#answeredAt = performance.now();
      return result;
    } catch (error) {
      if (isReadOnly(error)) this.#replace(sql);
      throw fromPostgresError(error);
    } finally {
      this.#calls--;
    }
  }

  async end(): Promise<void> {
    await this.#sql.end({ timeout: 5 });
  }

  #inTime<T>(sql: Pool, work: Promise<T>): Promise<T> {
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(
          new ApiError(
            'unavailable',
            'The database does not answer; a write may or may not have taken effect.',
          ),
        );
        if (this.#answeredAt < started) this.#replace(sql);
      }, CALL_MS);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  /** Connections to a server that is silent, or has become read-only, are no use to the next call either. */
  #replace(useless: Pool): void {
    if (this.#sql !== useless) return;
    this.#sql = connect(this.#address);
    void useless.end({ timeout: 0 }).catch(() => {});
  }
}

/** A pool of its own. Statements are bounded in time, unless `statementMs` is 0. */
export function connect(address: Address, { statementMs = STATEMENT_MS } = {}): Pool {
  const { host, port, ...rest } = address;
  return postgres({
    ...rest,
    // Lists are taken, though the types know one host alone.
    host: host as unknown as string,
    port: port as unknown as number,
    max: POOL,
    connect_timeout: 3,
    keep_alive: 5,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1),
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
