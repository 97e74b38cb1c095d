import type { TestContext } from 'node:test';
import { type ClientBase, Pool, type QueryResult, type QueryResultRow, TypeOverrides, types } from 'pg';

/** Runs statements as another program beside the service. Their int8 are bigints. */
export interface Statements {
  /** The values are parameters. */
  <Rows extends object[] = QueryResultRow[]>(
    parts: TemplateStringsArray,
    ...values: unknown[]
  ): Promise<Rows>;
  /** The text may have several statements; these are the rows of the last one. */
  unsafe(text: string): Promise<QueryResultRow[]>;
}

export interface Sql extends Statements {
  /** Runs `work` in a transaction, on a connection that nothing else uses meanwhile. */
  begin<T>(work: (transaction: Statements) => Promise<T>): Promise<T>;
  /** Resolves when every connection is closed. */
  end(): Promise<void>;
}

interface Options {
  /** The most connections at a time. With one, which is the default, a setting of the session lasts. */
  readonly max?: number;
  readonly settings?: Readonly<Record<string, string | number>>;
}

type Use = <T>(work: (client: ClientBase) => Promise<T>) => Promise<T>;

const withBigints = new TypeOverrides();
withBigints.setTypeParser(types.builtins.INT8, BigInt);

function statementsOn(use: Use): Statements {
  const run = async (text: string, values?: unknown[]): Promise<QueryResultRow[]> => {
    const result: QueryResult | QueryResult[] = await use((client) => client.query(text, values));
    return [result].flat().at(-1)?.rows ?? [];
  };
  const tagged = (parts: TemplateStringsArray, ...values: unknown[]) =>
    run(String.raw({ raw: parts }, ...values.map((_, i) => `$${i + 1}`)), values);
  return Object.assign(tagged as Statements, { unsafe: (text: string) => run(text) });
}

/** Connects with the first statement, to the schema of the service, and again after a connection was lost. */
export function openSql(url: string, { max = 1, settings }: Options = {}): Sql {
  const options = Object.entries({ search_path: 'animal_store', ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const pool = new Pool({ connectionString: url, options, types: withBigints, max, idleTimeoutMillis: 0 });
  const closed: Promise<void>[] = [];
  // A connection that is lost fails the statement on it. An error without a listener would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    closed.push(new Promise((resolve) => client.once('end', resolve)));
  });
  const use: Use = async (work) => {
    const client = await pool.connect();
    return work(client).finally(() => client.release());
  };
  const begin: Sql['begin'] = (work) =>
    use(async (client) => {
      await client.query('BEGIN');
      const result = await work(statementsOn((run) => run(client))).catch(async (error: unknown) => {
        await client.query('ROLLBACK').catch(() => {});
        throw error;
      });
      await client.query('COMMIT');
      return result;
    });
  const end = async () => {
    await pool.end();
    await Promise.all(closed);
  };
  return Object.assign(statementsOn(use), { begin, end });
}

/** Until the test ends. */
export function connect(t: TestContext, url: string, options?: Options): Sql {
  const sql = openSql(url, options);
  t.after(() => sql.end());
  return sql;
}

/** Runs statements on a connection of their own. */
export async function runSql(url: string, text: string): Promise<QueryResultRow[]> {
  const sql = openSql(url);
  return sql.unsafe(text).finally(() => sql.end());
}
