import { searchWords } from '../../../contract/folded-text.ts';
import { type ExportQuery, exportedTable, type ReceivePets } from '../../tools/pet-transfer.ts';
import { FileError } from '../errors.ts';
import { petTable } from '../pets.ts';
import { contains } from '../reads/lists.ts';
import { arrayOf, chunksOf, defineTable } from '../table.ts';
import { inDatabase, LIMIT_WAITS } from '../transaction.ts';

const exported = defineTable(exportedTable);
const NAMED_PETS = `
  SELECT ${petTable.list}, (SELECT name FROM categories WHERE id = category_id) AS category FROM pets`;

/** One statement of one transaction is one snapshot; a cursor keeps only a chunk of it in memory. */
export async function exportPets(
  url: string,
  { status, name }: ExportQuery,
  receive: ReceivePets,
): Promise<void> {
  const values: string[] = [];
  const where = ['true'];
  if (status !== undefined) where.push(`status = $${values.push(status)}`);
  if (name !== undefined) where.push(contains('folded_name', `$${values.push(arrayOf(searchWords(name)))}`));
  const select = `${NAMED_PETS} WHERE ${where.join(' AND ')} ORDER BY id`;
  await inDatabase(url, async (sql) => {
    await sql.query(`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; ${LIMIT_WAITS}`);
    for await (const rows of chunksOf(sql, select, values))
      await receive(rows.map(exported.fromRow)).catch((error) => {
        throw new FileError(error);
      });
  });
}
