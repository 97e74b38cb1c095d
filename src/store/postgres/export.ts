import type { ExportQuery, ReceivePets } from '../pet-transfer.ts';
import { inTransaction } from './connection.ts';
import { cannotUse } from './errors.ts';
import { petTable } from './pets.ts';
import { parseUrl } from './url.ts';

const CHUNK_ROWS = 1000;

/** One statement of one transaction is one snapshot; a cursor keeps only a chunk of it in memory. */
export async function exportPets(url: string, { status }: ExportQuery, receive: ReceivePets): Promise<void> {
  const where = status === undefined ? '' : 'WHERE status = $1';
  let outputError: { readonly error: unknown } | undefined;
  try {
    await inTransaction(parseUrl(url), async (sql) => {
      await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`;
      const query = sql.unsafe(
        `${petTable.select} ${where} ORDER BY id`,
        status === undefined ? [] : [status],
      );
      for await (const rows of query.cursor(CHUNK_ROWS)) {
        try {
          await receive(rows.map(petTable.fromRow));
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
