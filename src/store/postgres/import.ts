import type { NewPet, Pet } from '../../contract/pet.ts';
import { duplicateId, type ImportOptions, notEmpty, type PetBatches } from '../pet-transfer.ts';
import { type Db, inTransaction } from './connection.ts';
import { cannotUse } from './errors.ts';
import { petTable } from './pets.ts';
import { columnArrays } from './table.ts';
import { parseUrl } from './url.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * Sends each batch as one statement, all in one transaction. It locks no table unless ids are kept: then creates wait until
 * the end, because they would be given the ids of animals that are being imported.
 *
 * Not COPY: by its source, postgres.js 3.4 never settles a COPY that fails after its last row is sent.
 */
export async function importPets(
  url: string,
  batches: PetBatches,
  { keepIds, onCommit }: ImportOptions,
): Promise<number> {
  let count = 0;
  let inputError: { readonly error: unknown } | undefined;
  try {
    await inTransaction(parseUrl(url), async (sql) => {
      if (keepIds) await lockEmpty(sql);
      // While the server inserts one batch, the next one is read.
      let inserting: Promise<void> | undefined;
      for await (const pets of withErrors(batches, (error) => (inputError = { error }))) {
        await inserting;
        inserting = insert(sql, pets as Pet[], keepIds);
        inserting.catch(() => {});
        count += pets.length;
      }
      await inserting;
      onCommit?.();
      if (keepIds) await sql`SELECT setval('pets_id_seq', max(id)) FROM pets HAVING max(id) IS NOT NULL`;
      await sql`ANALYZE pets`;
    });
  } catch (error) {
    if (inputError) throw inputError.error;
    throw (error as { code?: string }).code === UNIQUE_VIOLATION ? duplicateId(error) : cannotUse(url, error);
  }
  return count;
}

/** Tells errors of the input from those of the database. */
async function* withErrors(
  batches: PetBatches,
  onError: (error: unknown) => void,
): AsyncGenerator<readonly (NewPet | Pet)[], void, undefined> {
  try {
    yield* batches;
  } catch (error) {
    onError(error);
    throw error;
  }
}

async function lockEmpty(sql: Db): Promise<void> {
  await sql`LOCK TABLE pets IN SHARE ROW EXCLUSIVE MODE`;
  const [row] = await sql`SELECT 1 FROM pets LIMIT 1`;
  if (row) throw notEmpty();
}

async function insert(sql: Db, pets: readonly Pet[], keepIds: boolean): Promise<void> {
  const arrays = keepIds ? columnArrays(petTable, pets) : columnArrays(petTable, pets, 'id');
  const { list, placeholders, values } = arrays;
  const statement = `INSERT INTO pets (${list}) SELECT * FROM unnest(${placeholders})`;
  await sql.unsafe(statement, values, { prepare: true });
}
