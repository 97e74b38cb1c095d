import type { DatabaseSync } from 'node:sqlite';
import type { CategoryName } from '../../../contract/category.ts';
import { categoryEvent, type ImportSummary, importEvent } from '../../../contract/event.ts';
import { INT64_MIN } from '../../../contract/int64.ts';
import {
  duplicateId,
  type ImportOptions,
  type ImportResult,
  notEmpty,
  type PetBatches,
} from '../../tools/pet-transfer.ts';
import {
  ANY_ANIMAL,
  addPets,
  assertNoProblems,
  type CategoryToCreate,
  decideChanges,
  INDEX_CATEGORIES,
  INDEX_IDS,
  NEW_CATEGORIES,
  nextChanges,
  type PlacedProblem,
  rowProblems,
  STAGED_CATEGORY_ID,
  type StagedChange,
  stagedTable,
  withoutConflicts,
} from '../../tools/staged-pets.ts';
import { categoryRows, unusedCategoryId } from '../categories.ts';
import { COMMAND_BUSY_MS, connect, makeDurable, writeStatement } from '../connection.ts';
import { cannotUse, fromSqliteError, isDamage, primaryCode } from '../errors.ts';
import { eventRows } from '../events.ts';
import { petRows } from '../pets.ts';
import { migrate } from '../schema/migrate.ts';
import { defineTable, insertInto, writtenColumns } from '../table.ts';

/** More exceeds 200 MB of memory. */
const CACHE_KIB = 20_480;
const SQLITE_CONSTRAINT = 19;

/** In a temporary file that the operating system deletes with the process. */
const staged = defineTable({ ...stagedTable, name: 'temp.staged_pets' });

/**
 * Reads everything into a temporary table first, which needs no lock on the database. Then one transaction copies the rows:
 * the write lock is held only for that.
 */
export async function importPets(
  path: string,
  batches: PetBatches,
  options: ImportOptions,
): Promise<ImportResult> {
  let db: DatabaseSync | undefined;
  try {
    db = connect(path, { create: options.create === true, busyMs: COMMAND_BUSY_MS });
    migrate(db, path);
    makeDurable(db, path);
    if (options.keepIds) assertEmpty(db);
    await stage(db, batches);
    options.onCommit?.();
    return commit(db, options);
  } catch (error) {
    throw db && !isDamage(error) ? fromSqliteError(error) : cannotUse(path, error);
  } finally {
    db?.close();
  }
}

async function stage(db: DatabaseSync, batches: PetBatches): Promise<void> {
  const columns = writtenColumns(staged).join(', ');
  db.exec(`CREATE TABLE ${staged.name} (place INTEGER PRIMARY KEY, ${columns})`);
  const insert = insertInto(db, staged);
  for await (const pets of batches) {
    db.exec('BEGIN');
    for (const pet of pets) insert(pet);
    db.exec('COMMIT');
  }
}

function commit(db: DatabaseSync, { keepIds = false, update = false }: ImportOptions): ImportResult {
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}; BEGIN IMMEDIATE`);
  if (keepIds) assertEmpty(db);
  const categories = createCategories(db);
  const problems = writeStatement(
    db,
    rowProblems(update ? 'pets' : undefined),
  ).all() as unknown as PlacedProblem[];
  const changed = update ? change(db, problems) : 0;
  assertNoProblems(problems);
  const added = add(db, { keepIds, update });
  db.exec('COMMIT');
  return { added, changed, categories };
}

function createCategories(db: DatabaseSync): CategoryName[] {
  const statement = writeStatement(db, NEW_CATEGORIES);
  const created = withoutConflicts(statement.all() as unknown as CategoryToCreate[]);
  if (created.length > 0) db.exec(INDEX_CATEGORIES);
  const { addCategory } = categoryRows(db);
  const { record } = eventRows(db);
  const unusedId = unusedCategoryId(db, [STAGED_CATEGORY_ID]);
  return created.map(({ id, name }) => {
    const category = { id: id ?? unusedId(), name };
    addCategory(category);
    record(categoryEvent('category.created', category));
    return category;
  });
}

/** Each animal that changes is an event, as if it had been changed alone. Adds what is refused to `problems`. */
function change(db: DatabaseSync, problems: PlacedProblem[]): number {
  db.exec(INDEX_IDS);
  const next = writeStatement(db, nextChanges('?', 'pets'));
  const { changePet } = petRows(db);
  const { record } = eventRows(db);
  let count = 0;
  for (let after = INT64_MIN; ; ) {
    const chunk = next.all(after) as unknown as StagedChange[];
    const { changed, events, problems: refused } = decideChanges(chunk);
    problems.push(...refused);
    for (const pet of changed) changePet(pet);
    for (const event of events) record(event);
    count += changed.length;
    const last = chunk.at(-1);
    if (!last) return count;
    after = last.id;
  }
}

/** The animals that are added are one event, however many they are. */
function add(db: DatabaseSync, options: ImportOptions): number {
  const added = insertPets(db, options);
  if (added === 0) return added;
  const range = writeStatement(
    db,
    'SELECT count(*) AS count, min(id) AS firstId, max(id) AS lastId FROM (SELECT id FROM pets ORDER BY id DESC LIMIT ?)',
  );
  const summary = range.get(added) as unknown as ImportSummary;
  eventRows(db).record(importEvent(summary));
  return added;
}

function insertPets(db: DatabaseSync, options: ImportOptions): number {
  try {
    return Number(writeStatement(db, addPets(options)).run().changes);
  } catch (error) {
    throw primaryCode(error) === SQLITE_CONSTRAINT ? duplicateId(error) : error;
  }
}

function assertEmpty(db: DatabaseSync): void {
  if (db.prepare(ANY_ANIMAL).get()) throw notEmpty();
}
