import { printable } from '../../database-url.ts';
import { StoreError } from '../../store.ts';
import {
  ANY_CONTENT,
  copyAndVerify,
  type Dump,
  type DumpChunk,
  TABLES,
  tableOfItems,
} from '../../tools/dump.ts';
import type { Db } from '../pool/connection.ts';
import { migrateInTransaction } from '../schema/migrate.ts';
import { assertRights, MOVE_INTO } from '../schema/rights.ts';
import { defineTable, insertInto } from '../table.ts';
import { END_IF_SUSPENDED, inDatabase } from '../transaction.ts';
import { LOCK_CATEGORIES } from '../writer/locks.ts';
import { assertNotInUse, lockTables, readChunks } from './move-from.ts';

/** Fills a database that contains no Animal Store data yet, in one transaction. */
export async function createFromDump(url: string, dump: Dump): Promise<void> {
  await inDatabase(url, async (sql) => {
    await migrateInTransaction(sql, printable(url));
    await assertRights(sql, MOVE_INTO);
    await assertEmpty(sql, printable(url));
    // The writes of a service would wait for the locks for as long as the move takes, or is suspended.
    await assertNotInUse(sql, printable(url));
    await lockTables(sql, 'EXCLUSIVE');
    await assertEmpty(sql, printable(url));
    await copyAndVerify(dump, {
      insert: (chunk) => insert(sql, chunk),
      chunks: () => readChunks(sql, url),
    });
    await prepareForUse(sql);
  });
}

/** Takes its locks in the order of every write. No other write can have the number of an event, because each changes an animal or a category. */
export function fillEmpty(url: string, content: readonly DumpChunk[]): Promise<boolean> {
  return inDatabase(url, async (sql) => {
    await assertRights(sql, MOVE_INTO);
    await sql.query(`${END_IF_SUSPENDED}; ${LOCK_CATEGORIES}; LOCK TABLE pets IN EXCLUSIVE MODE`);
    if ((await sql.query(ANY_CONTENT)).length > 0) return false;
    for (const chunk of content) await insert(sql, chunk);
    await prepareForUse(sql);
    return true;
  });
}

async function insert(sql: Db, { resource, items }: DumpChunk): Promise<void> {
  await sql.together([insertInto(defineTable(tableOfItems(resource)))(items)]);
}

async function assertEmpty(sql: Db, database: string): Promise<void> {
  for (const name of TABLES) {
    const [row] = await sql.query(`SELECT 1 FROM ${name} LIMIT 1`);
    if (row)
      throw new StoreError(
        `the database ${database} already contains animals or keys: create another one, for example with createdb NAME, and move into that`,
      );
  }
}

/** New ids continue after the copied ones, and the planner knows the size of the tables. */
async function prepareForUse(sql: Db): Promise<void> {
  await continueIds(sql, 'pets_id_seq', 'SELECT id FROM pets UNION ALL SELECT id FROM removed_pets');
  await continueIds(sql, 'removed_pets_removal_seq', 'SELECT removal AS id FROM removed_pets');
  await continueIds(sql, 'orders_id_seq', 'SELECT id FROM orders');
  await continueIds(sql, 'api_keys_id_seq', 'SELECT id FROM api_keys');
  for (const name of TABLES) await sql.query(`ANALYZE ${name}`);
}

async function continueIds(sql: Db, sequence: string, ids: string): Promise<void> {
  await sql.query(`SELECT setval('${sequence}', max(id)) FROM (${ids}) AS given HAVING max(id) IS NOT NULL`);
}
