import type { DatabaseSync } from 'node:sqlite';
import type { Pet } from '../../contract/pet.ts';
import type { ExportQuery, ReceivePets } from '../pet-transfer.ts';
import { connect } from './connection.ts';
import { cannotUse, fromSqliteError, isDamage } from './errors.ts';
import { migrate } from './migrate.ts';
import { petTable } from './pets.ts';
import { type Row, rowStatement } from './table.ts';

const CHUNK_ROWS = 1000;

/** One statement is one snapshot, however long it is read. Meanwhile the WAL of a busy service cannot be reset and grows. */
export async function exportPets(path: string, { status }: ExportQuery, receive: ReceivePets): Promise<void> {
  let db: DatabaseSync | undefined;
  try {
    db = connect(path, { create: false });
    migrate(db, path);
    const where = status === undefined ? '' : 'WHERE status = ?';
    const statement = rowStatement(db, `${petTable.select} ${where} ORDER BY id`);
    let pets: Pet[] = [];
    for (const row of statement.iterate(...(status === undefined ? [] : [status]))) {
      if (pets.push(petTable.fromRow(row as unknown as Row)) < CHUNK_ROWS) continue;
      await receive(pets);
      pets = [];
    }
    if (pets.length > 0) await receive(pets);
  } catch (error) {
    throw db && !isDamage(error) ? fromSqliteError(error) : cannotUse(path, error);
  } finally {
    db?.close();
  }
}
