import postgres, { type ISql, type Sql } from 'postgres';
import { ApiError } from '../../contract/errors.ts';
import { fromPostgresError } from './errors.ts';
import { withTls } from './tls.ts';

type Types = { bigint: bigint };
/** What runs a statement: the pool, or a transaction. */
export type Db = ISql<Types>;
export type Pool = Sql<Types>;

const POOL = 10;
/** Calls under way or waiting for a connection; beyond that they are refused at once. */
const MOST_CALLS = 2000;
/** A call that takes longer is given up: a server that swallows packets must not hold a client for long. */
const CALL_MS = 4000;

/** The pool of connections, with every call bounded in number and time. */
export class Database {
  readonly #url: string;
  #sql: Pool;
  #calls = 0;

  constructor(url: string) {
    this.#url = url;
    this.#sql = connect(url);
  }

  async run<T>(call: (sql: Pool) => Promise<T>): Promise<T> {
    if (this.#calls >= MOST_CALLS) {
      throw new ApiError('unavailable', 'Too many calls wait for the database. Try again in a moment.');
    }
    this.#calls++;
    try {
      return await this.#inTime(call(this.#sql));
    } catch (error) {
      throw fromPostgresError(error);
    } finally {
      this.#calls--;
    }
  }

  async end(): Promise<void> {
    await this.#sql.end({ timeout: 2 });
  }

  #inTime<T>(work: Promise<T>): Promise<T> {
    const sql = this.#sql;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(
          new ApiError(
            'unavailable',
            'The database does not answer; a write may or may not have taken effect.',
          ),
        );
        this.#replace(sql);
      }, CALL_MS);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  /** Connections that nothing comes back on are no use to the next call either. */
  #replace(stuck: Pool): void {
    if (this.#sql !== stuck) return;
    this.#sql = connect(this.#url);
    void stuck.end({ timeout: 0 }).catch(() => {});
  }
}

/** A pool of its own. Statements are bounded in time, unless `statementMs` is 0. */
export function connect(url: string, { statementMs = CALL_MS } = {}): Pool {
  const { address, ssl } = withTls(url);
  return postgres(address, {
    max: POOL,
    connect_timeout: 3,
    keep_alive: 5,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1),
    types: { bigint: postgres.BigInt },
    onnotice: () => {},
    connection: {
      application_name: 'animal-store',
      search_path: 'animal_store',
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: statementMs,
    },
    ...(ssl && { ssl }),
  });
}
