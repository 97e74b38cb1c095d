import type { Category } from '../../contract/category.ts';
import { categoryContent, type ImportSummary, importContent } from '../../contract/event.ts';
import {
  duplicateId,
  type ImportedPet,
  type ImportOptions,
  type ImportResult,
  notEmpty,
  type PetBatches,
  type RowProblem,
} from '../tools/pet-transfer.ts';
import {
  addPets,
  assertNoProblems,
  type CategoryToCreate,
  CHANGE_PETS,
  CHANGED_PETS,
  INDEX_CATEGORIES,
  NEW_CATEGORIES,
  rowProblems,
  stagedTable,
  withoutConflicts,
} from '../tools/staged-pets.ts';
import { categoryTable, unusedCategoryId } from './categories.ts';
import { inTransaction } from './connection.ts';
import { cannotUse, violated } from './errors.ts';
import { insertEvents, NO_AUTHOR, recordEvent } from './events.ts';
import { updatedPetContent } from './pets.ts';
import type { Db } from './pool/connection.ts';
import { columnArrays, defineTable } from './table.ts';
import { parseUrl } from './url.ts';

const staged = defineTable(stagedTable);

const CREATE_STAGED = `
  CREATE TEMPORARY TABLE staged_pets (
    place bigint GENERATED ALWAYS AS IDENTITY, id bigint, name text, category_id bigint, category text, status text, line bigint,
    folded_name text COLLATE "C", category_digest text) ON COMMIT DROP`;

/**
 * Sends each batch to a temporary table as one statement, and then copies the rows, all in one transaction. Animals and categories
 * are locked only for the last step.
 *
 * Not COPY: by its source, postgres.js 3.4 never settles a COPY that fails after its last row is sent.
 */
export async function importPets(
  url: string,
  batches: PetBatches,
  options: ImportOptions,
): Promise<ImportResult> {
  let result: ImportResult = { added: 0, changed: 0, categories: [] };
  let inputError: { readonly error: unknown } | undefined;
  try {
    await inTransaction(parseUrl(url), async (sql) => {
      if (options.keepIds) await assertEmpty(sql);
      await stage(
        sql,
        withErrors(batches, (error) => (inputError = { error })),
      );
      options.onCommit?.();
      result = await copy(sql, options);
      await sql`ANALYZE pets`;
    });
  } catch (error) {
    if (inputError) throw inputError.error;
    throw violated(error) ? duplicateId(error) : cannotUse(url, error);
  }
  return result;
}

/** Tells errors of the input from those of the database. */
async function* withErrors(
  batches: PetBatches,
  onError: (error: unknown) => void,
): AsyncGenerator<readonly ImportedPet[], void, undefined> {
  try {
    yield* batches;
  } catch (error) {
    onError(error);
    throw error;
  }
}

async function stage(sql: Db, batches: PetBatches): Promise<void> {
  await sql.unsafe(CREATE_STAGED);
  // While the server inserts one batch, the next one is read.
  let inserting: Promise<unknown> | undefined;
  for await (const pets of batches) {
    await inserting;
    const { list, placeholders, values } = columnArrays(staged, pets);
    const statement = `INSERT INTO staged_pets (${list}) SELECT * FROM unnest(${placeholders})`;
    inserting = sql.unsafe(statement, values, { prepare: true });
    inserting.catch(() => {});
  }
  await inserting;
  await sql`ANALYZE staged_pets`;
}

async function copy(sql: Db, { keepIds = false, update = false }: ImportOptions): Promise<ImportResult> {
  const categories = await createCategories(sql);
  if (keepIds) {
    // A create would be given the id of an animal that is being imported.
    await sql`LOCK TABLE pets IN SHARE ROW EXCLUSIVE MODE`;
    await assertEmpty(sql);
  }
  if (update) await lockPets(sql);
  assertNoProblems((await sql.unsafe<RowProblem[]>(rowProblems(update))).map(toProblem));
  const changed = update ? await change(sql) : 0;
  const added = await add(sql, { keepIds, update });
  if (keepIds) await sql`SELECT setval('pets_id_seq', max(id)) FROM pets HAVING max(id) IS NOT NULL`;
  return { added, changed, categories };
}

/** Each animal that changes is an event, as if it had been changed alone. */
async function change(sql: Db): Promise<number> {
  const event = { type: "'pet.updated'", petId: 'id', content: updatedPetContent('old_') };
  await sql.unsafe(insertEvents({ ...event, ...NO_AUTHOR }, `(${CHANGED_PETS}) AS changed ORDER BY id`));
  const { count } = await sql.unsafe(CHANGE_PETS);
  return count;
}

/** The animals that are added are one event, however many they are. */
async function add(sql: Db, options: ImportOptions): Promise<number> {
  const [summary] = await sql.unsafe<[ImportSummary]>(
    `WITH added AS (${addPets(options)} RETURNING id)
     SELECT count(*) AS count, min(id) AS "firstId", max(id) AS "lastId" FROM added`,
  );
  if (summary.count > 0n) await recordEvent(sql, 'pets.imported', importContent(summary));
  return Number(summary.count);
}

const toProblem = ({ line, problem }: RowProblem): RowProblem => ({ line: Number(line), problem });

/** In the order of their ids, so that two imports never deadlock. No order can come between a check and a change. */
async function lockPets(sql: Db): Promise<void> {
  await sql`
    SELECT count(*) FROM (
      SELECT id FROM pets WHERE id IN (SELECT id FROM staged_pets) ORDER BY id FOR UPDATE) AS locked`;
}

async function createCategories(sql: Db): Promise<Category[]> {
  const [named] = await sql`SELECT 1 FROM staged_pets WHERE category IS NOT NULL LIMIT 1`;
  if (!named) return [];
  await sql`LOCK TABLE categories IN SHARE ROW EXCLUSIVE MODE`;
  const missing = withoutConflicts(await sql.unsafe<CategoryToCreate[]>(NEW_CATEGORIES));
  if (missing.length > 0) await sql.unsafe(INDEX_CATEGORIES);
  const created: Category[] = [];
  for (const { id, name } of missing) {
    const category = { id: id ?? (await unusedCategoryId(sql, 'staged_pets')), name };
    const { list, placeholders, values } = columnArrays(categoryTable, [category]);
    await sql.unsafe(`INSERT INTO categories (${list}) SELECT * FROM unnest(${placeholders})`, values);
    await recordEvent(sql, 'category.created', categoryContent(category));
    created.push(category);
  }
  return created;
}

async function assertEmpty(sql: Db): Promise<void> {
  const [row] = await sql`SELECT 1 FROM pets UNION ALL SELECT 1 FROM removed_pets LIMIT 1`;
  if (row) throw notEmpty();
}
