import { printable } from '../../database-url.ts';
import { StoreError } from '../../store.ts';
import {
  type Counts,
  type DumpChunk,
  RESOURCES,
  type Resource,
  type StoreContent,
  tables,
} from '../../tables.ts';
import { cannotUse } from '../errors.ts';
import type { Db } from '../pool/connection.ts';
import { migrateInTransaction } from '../schema/migrate.ts';
import { columnArrays, defineTable } from '../table.ts';
import { inLongTransaction } from '../transaction.ts';
import { parseUrl } from '../url.ts';

const NAMES = RESOURCES.map((resource) => tables[resource].name);

export interface Content {
  /** How many items of each resource there must be afterwards. */
  readonly counts: Counts;
  readonly chunks: Iterable<DumpChunk> | AsyncIterable<DumpChunk>;
}

/** Fills a database that contains no Animal Store data yet, in one transaction. */
export async function receiveDump(url: string, content: Content): Promise<void> {
  try {
    await inLongTransaction(parseUrl(url), async (sql) => {
      await migrateInTransaction(sql, printable(url));
      await assertEmpty(sql);
      for await (const chunk of content.chunks) await insert(sql, chunk);
      await assertCounts(sql, content.counts);
      await prepareForUse(sql);
    });
  } catch (error) {
    throw cannotUse(url, error);
  }
}

async function assertEmpty(sql: Db): Promise<void> {
  await sql`LOCK TABLE ${sql.unsafe(NAMES.join(', '))} IN EXCLUSIVE MODE`;
  for (const name of NAMES) {
    const [row] = await sql`SELECT 1 FROM ${sql(name)} LIMIT 1`;
    if (row) throw new StoreError('the database already contains animals or keys: move into a new one');
  }
}

async function insert(sql: Db, chunk: DumpChunk): Promise<void> {
  const { name } = tables[chunk.resource];
  const { list, placeholders, values } = arraysOf(chunk);
  await sql.unsafe(`INSERT INTO ${name} (${list}) SELECT * FROM unnest(${placeholders})`, values);
}

function arraysOf<R extends Resource>({
  resource,
  items,
}: {
  resource: R;
  items: readonly StoreContent[R][];
}) {
  return columnArrays<StoreContent[R]>(defineTable(tables[resource]), items);
}

async function assertCounts(sql: Db, counts: Counts): Promise<void> {
  for (const resource of RESOURCES) {
    const { name } = tables[resource];
    const [row] = await sql`SELECT count(*) AS count FROM ${sql(name)}`;
    if (Number(row?.count) !== counts[resource])
      throw new StoreError(
        `the copy has ${row?.count} rows of ${name} instead of ${counts[resource]}: nothing was moved, try again`,
      );
  }
}

/** New ids continue after the copied ones, and the planner knows the size of the tables. */
async function prepareForUse(sql: Db): Promise<void> {
  await continueIds(sql, 'pets_id_seq', 'SELECT id FROM pets UNION ALL SELECT id FROM removed_pets');
  await continueIds(sql, 'removed_pets_removal_seq', 'SELECT removal AS id FROM removed_pets');
  await continueIds(sql, 'orders_id_seq', 'SELECT id FROM orders');
  await continueIds(sql, 'api_keys_id_seq', 'SELECT id FROM api_keys');
  for (const name of NAMES) await sql`ANALYZE ${sql(name)}`;
}

async function continueIds(sql: Db, sequence: string, ids: string): Promise<void> {
  await sql.unsafe(`SELECT setval('${sequence}', max(id)) FROM (${ids}) AS given HAVING max(id) IS NOT NULL`);
}
