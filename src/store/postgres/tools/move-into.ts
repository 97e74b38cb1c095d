import { printable } from '../../database-url.ts';
import { StoreError } from '../../store.ts';
import { copyAndVerify, type Dump, TABLES, tableOfItems } from '../../tools/dump.ts';
import { cannotUse } from '../errors.ts';
import type { Db } from '../pool/connection.ts';
import { migrateInTransaction } from '../schema/migrate.ts';
import { assertRights, MOVE_INTO } from '../schema/rights.ts';
import { defineTable, insertInto } from '../table.ts';
import { inLongTransaction } from '../transaction.ts';
import { parseUrl } from '../url.ts';
import { assertNotInUse, lockTables, readChunks } from './move-from.ts';

/** Fills a database that contains no Animal Store data yet, in one transaction. */
export async function createFromDump(url: string, dump: Dump): Promise<void> {
  try {
    await inLongTransaction(parseUrl(url), async (sql) => {
      await migrateInTransaction(sql, printable(url));
      await assertRights(sql, MOVE_INTO);
      await assertEmpty(sql, printable(url));
      // The writes of a service would wait for the locks for as long as the move takes, or is suspended.
      await assertNotInUse(sql, printable(url));
      await lockTables(sql, 'EXCLUSIVE');
      await assertEmpty(sql, printable(url));
      await copyAndVerify(dump, {
        async insert({ resource, items }) {
          await sql.together([insertInto(defineTable(tableOfItems(resource)))(items)]);
        },
        chunks: () => readChunks(sql, url),
      });
      await prepareForUse(sql);
    });
  } catch (error) {
    throw cannotUse(url, error);
  }
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
