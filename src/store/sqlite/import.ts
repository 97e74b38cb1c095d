import type { DatabaseSync } from 'node:sqlite';
import type { Category } from '../../contract/category.ts';
import { categoryContent, type ImportSummary, importContent } from '../../contract/event.ts';
import {
  duplicateId,
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
import { connect, makeDurable, writeStatement } from './connection.ts';
import { cannotUse, fromSqliteError, isDamage, primaryCode } from './errors.ts';
import { eventRecorder } from './events.ts';
import { migrate } from './migrate.ts';
import { petTable } from './pets.ts';
import { changedFields, defineTable, insertInto, writtenColumns } from './table.ts';

/** A running service commits in between, and an import of any size can wait for that. */
const BUSY_MS = 30_000;
/** Less makes the random insertions into the index on names slower; more exceeds 200 MB of memory. */
const CACHE_KIB = 20_480;
const SQLITE_CONSTRAINT = 19;

/** In a temporary file that the operating system deletes with the process. */
const staged = defineTable({ ...stagedTable, name: 'temp.staged_pets' });

/**
 * Reads everything into a temporary table first, which needs no lock on the database. Then one transaction copies the rows:
 * the write lock is held only for that, about 7 seconds of CPU time for a million animals.
 */
export async function importPets(
  path: string,
  batches: PetBatches,
  options: ImportOptions,
): Promise<ImportResult> {
  let db: DatabaseSync | undefined;
  try {
    db = connect(path, { create: options.create === true });
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
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
  assertNoProblems(db.prepare(rowProblems(update)).all() as unknown as RowProblem[]);
  const changed = update ? change(db) : 0;
  const added = add(db, { keepIds, update });
  db.exec('COMMIT');
  return { added, changed, categories };
}

function createCategories(db: DatabaseSync): Category[] {
  const statement = writeStatement(db, NEW_CATEGORIES);
  const created = withoutConflicts(statement.all() as unknown as CategoryToCreate[]);
  if (created.length > 0) db.exec(INDEX_CATEGORIES);
  const insert = insertInto(db, categoryTable);
  const record = eventRecorder(db);
  const unusedId = unusedCategoryId(db, 'staged_pets');
  return created.map(({ id, name }) => {
    const category = { id: id ?? unusedId(), name };
    insert(category);
    record('category.created', undefined, categoryContent(category));
    return category;
  });
}

/** Each animal that changes is an event, as if it had been changed alone. */
function change(db: DatabaseSync): number {
  const content = `json_object('pet', json(${petTable.json}), 'before', json(${changedFields(petTable, 'old_')}))`;
  writeStatement(
    db,
    `INSERT INTO events (type, pet_id, at, content)
     SELECT 'pet.updated', id, ?, ${content} FROM (${CHANGED_PETS}) ORDER BY id`,
  ).run(Date.now());
  return Number(writeStatement(db, CHANGE_PETS).run().changes);
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
  eventRecorder(db)('pets.imported', undefined, importContent(summary));
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
  if (db.prepare('SELECT 1 FROM pets UNION ALL SELECT 1 FROM removed_pets LIMIT 1').get()) throw notEmpty();
}
