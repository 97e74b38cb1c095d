import type { SQLInputValue } from 'node:sqlite';
import { searchWords } from '../../../contract/folded-text.ts';
import { type ExportQuery, exportedTable, type ReceivePets } from '../../tools/pet-transfer.ts';
import { withDatabase } from '../connection.ts';
import { petTable } from '../pets.ts';
import { contains } from '../reads/lists.ts';
import { migrate } from '../schema/migrate.ts';
import { chunksOf, defineTable } from '../table.ts';

const copiedTable = defineTable({ ...exportedTable, name: 'temp.copied_pets' });

/**
 * Copies the animals of one moment into a temporary table first, in one statement: while a connection reads the database, the
 * `-wal` file of a busy service cannot be reused and grows, and the receiver may be a pipe that no process reads.
 */
export async function exportPets(
  path: string,
  { status, name }: ExportQuery,
  receive: ReceivePets,
): Promise<void> {
  await withDatabase(path, { create: false }, async (db) => {
    migrate(db, path, { mustExist: true });
    const values: SQLInputValue[] = [];
    const where = ['true'];
    if (status !== undefined) where.push(`status = ?${values.push(status)}`);
    if (name !== undefined)
      where.push(contains('folded_name', `?${values.push(JSON.stringify(searchWords(name)))}`));
    db.prepare(
      `CREATE TABLE ${copiedTable.name} AS
       SELECT ${petTable.list}, (SELECT name FROM categories WHERE id = category_id) AS category
       FROM pets WHERE ${where.join(' AND ')} ORDER BY id`,
    ).run(...values);
    for (const rows of chunksOf(db, `${copiedTable.select} ORDER BY rowid`))
      await receive(rows.map(copiedTable.fromRow));
  });
}
