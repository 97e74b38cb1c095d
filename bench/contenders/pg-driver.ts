import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Db } from '../../src/store/postgres/pool/connection.ts';
import { setUpStatement, type Timeouts } from '../../src/store/postgres/pool/settings.ts';
import { onCleanup } from '../cleanup.ts';

const INT8 = 20;

interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rowMode?: 'array';
}

/** As much of pg as is used here: it is no dependency, so its types are not there. */
interface Pg {
  readonly Client: new (
    config: object,
  ) => {
    connect(): Promise<unknown>;
    query(query: Query | string): Promise<{ rows: unknown[] }>;
    end(): Promise<void>;
  };
  readonly types: { getTypeParser(oid: number, format?: string): (text: string) => unknown };
}

export const loadPg = (folder: string): Pg => createRequire(resolve(folder, 'index.js'))('pg');

/** Opens a connection of pg that looks like one of postgres.js, as far as the calls of the benchmark use it. */
export async function openPg(
  { Client, types }: Pg,
  url: string,
  timeouts: Timeouts,
  pipeline: boolean,
): Promise<Db> {
  const getTypeParser = (oid: number, format?: string) =>
    oid === INT8 ? BigInt : types.getTypeParser(oid, format);
  const client = new Client({ connectionString: url, types: { getTypeParser }, pipeline });
  await client.connect();
  onCleanup(() => client.end());
  await client.query(setUpStatement(randomUUID(), timeouts));

  const names = new Map<string, string>();
  async function run(text: string, values: readonly unknown[], rowMode?: 'array'): Promise<unknown[]> {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return (await client.query({ name, text, values, ...(rowMode && { rowMode }) })).rows;
  }
  const unsafe = (text: string, values: readonly unknown[]) => ({
    values: () => run(text, values, 'array'),
    // biome-ignore lint/suspicious/noThenProperty: a statement of postgres.js is sent when it is awaited
    then: (...handlers: Parameters<Promise<unknown>['then']>) => run(text, values).then(...handlers),
  });
  const tagged = (parts: TemplateStringsArray, ...values: unknown[]) => {
    const text = parts.reduce((before, part, i) => `${before}$${i}${part}`);
    return unsafe(text, values);
  };
  return Object.assign(tagged, { unsafe }) as unknown as Db;
}
