import { foldText } from '../../../contract/folded-text.ts';
import {
  EXPORT_CHUNK_ROWS,
  type ExportedPet,
  type ExportQuery,
  exportedTable,
  type ReceivePets,
} from '../../tools/pet-transfer.ts';
import { cannotUse } from '../errors.ts';
import { petTable } from '../pets.ts';
import type { Db } from '../pool/connection.ts';
import { contains } from '../reads/lists.ts';
import { defineTable } from '../table.ts';
import { inLongTransaction } from '../transaction.ts';
import { parseUrl } from '../url.ts';

const exported = defineTable(exportedTable);
const NAMED_PETS = `
  SELECT ${petTable.list}, (SELECT name FROM categories WHERE id = category_id) AS category FROM pets`;

/** One statement of one transaction is one snapshot; a cursor keeps only a chunk of it in memory. */
export async function exportPets(url: string, query: ExportQuery, receive: ReceivePets): Promise<void> {
  let outputError: { readonly error: unknown } | undefined;
  try {
    await inLongTransaction(parseUrl(url), async (sql) => {
      await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`;
      for await (const pets of chunks(sql, query)) {
        try {
          await receive(pets);
        } catch (error) {
          outputError = { error };
          throw error;
        }
      }
    });
  } catch (error) {
    throw outputError ? outputError.error : cannotUse(url, error);
  }
}

/**
 * Not by the driver's cursor: when the connection is lost between two chunks, it ends as if there were no more, and leaving it
 * ends the process.
 */
async function* chunks(
  sql: Db,
  { status, name }: ExportQuery,
): AsyncGenerator<ExportedPet[], void, undefined> {
  const values: string[] = [];
  const where = ['true'];
  if (status !== undefined) where.push(`status = $${values.push(status)}`);
  if (name !== undefined) where.push(contains('folded_name', `$${values.push(foldText(name))}`));
  const select = `${NAMED_PETS} WHERE ${where.join(' AND ')} ORDER BY id`;
  await sql.unsafe(`DECLARE exported CURSOR FOR ${select}`, values);
  for (;;) {
    const rows = await sql.unsafe(`FETCH ${EXPORT_CHUNK_ROWS} FROM exported`);
    if (rows.length === 0) return;
    yield rows.map(exported.fromRow);
  }
}
