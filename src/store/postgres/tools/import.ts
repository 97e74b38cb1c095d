import type { ImportSummary, NewEvent } from '../../../contract/event.ts';
import { INT64_MIN } from '../../../contract/int64.ts';
import { freeCategoryIds, lastAssigned, randomCategoryId } from '../../category-ids.ts';
import { tables } from '../../tables.ts';
import type { ImportOptions, ImportResult, PetBatches } from '../../tools/pet-transfer.ts';
import {
  type ImportTransaction,
  importStaged,
  STAGED_CATEGORY_ID,
  stagedTable,
} from '../../tools/staged-pets.ts';
import { SET_LAST_CATEGORY_ID } from '../categories.ts';
import { FileError } from '../errors.ts';
import { petTable } from '../pets.ts';
import type { Db } from '../pool/connection.ts';
import { assertRights, IMPORT } from '../schema/rights.ts';
import { defineTable, insertInto } from '../table.ts';
import { END_IF_SUSPENDED, inDatabase } from '../transaction.ts';
import { LAST_EVENT, LOCK_CATEGORIES, LOCK_EVENTS } from '../writer/locks.ts';
import { insertCategories, updatePets } from '../writer/save.ts';

const staged = defineTable(stagedTable);
const insertStaged = insertInto(staged);
const { type, petId, content } = tables.events.columns;
const insertEvents = insertInto(
  defineTable<NewEvent>({ name: 'staged_events', columns: { type, petId, content } }),
);

const CREATE_STAGED = `
  CREATE TEMPORARY TABLE staged_pets (
    place bigint GENERATED ALWAYS AS IDENTITY, ${staged.columns.map(({ name, type }) => `${name} ${type}`).join()},
    folded_name text COLLATE "C", category_digest text) ON COMMIT DROP;
  CREATE TEMPORARY TABLE staged_events (
    place bigint GENERATED ALWAYS AS IDENTITY, type text, pet_id bigint, content text) ON COMMIT DROP`;

/**
 * Sends each batch to a temporary table as one statement, and then copies the rows, all in one transaction. Animals and categories
 * are locked only for the last step.
 */
export async function importPets(
  url: string,
  batches: PetBatches,
  options: ImportOptions,
): Promise<ImportResult> {
  let checked: ImportResult | undefined;
  const add = async (sql: Db): Promise<ImportResult> => {
    await assertRights(sql, options.keepIds ? { ...IMPORT, UPDATE: 'pets_id_seq' } : IMPORT);
    await stage(sql, fromFile(batches));
    const isCheck = options.isCheck?.() ?? false;
    const transaction = transactionOn(sql);
    if (isCheck) {
      checked = await importStaged(transaction, options, isCheck);
      throw new Error('roll back');
    }
    await sql.query(END_IF_SUSPENDED);
    await prepare(transaction, options);
    const [named] = await sql.query('SELECT 1 FROM staged_pets WHERE category IS NOT NULL LIMIT 1');
    if (named) await sql.query(LOCK_CATEGORIES);
    const result = await importStaged(transaction, options, isCheck);
    if (options.keepIds)
      await sql.query(`SELECT setval('pets_id_seq', max(id)) FROM pets HAVING max(id) IS NOT NULL`);
    await sql.query('ANALYZE pets');
    return result;
  };
  try {
    return await inDatabase(url, add, NUMBER_EVENTS);
  } catch (error) {
    if (checked) return checked;
    throw error;
  }
}

async function* fromFile(batches: PetBatches): PetBatches {
  try {
    yield* batches;
  } catch (error) {
    throw new FileError(error);
  }
}

async function stage(sql: Db, batches: PetBatches): Promise<void> {
  await sql.query(CREATE_STAGED);
  // While the server inserts one batch, the next one is read.
  let inserting: Promise<unknown> | undefined;
  for await (const pets of batches) {
    await inserting;
    inserting = sql.together([insertStaged(pets)]);
    inserting.catch(() => {});
  }
  await inserting;
  await sql.query('ANALYZE staged_pets');
}

/**
 * Prepares the statements with the largest values before anything is locked. The server measures how long a client is idle until the first message of
 * a statement has arrived: with one message before it, a client that is suspended while it sends the values would never be ended.
 */
async function prepare(transaction: ImportTransaction, { update }: ImportOptions): Promise<void> {
  await transaction.addCategories([]);
  await transaction.record([]);
  if (update)
    await transaction.changePets([{ id: INT64_MIN, name: '', categoryId: 0n, status: 'available' }]);
}

const LOCKED = 'locked_pets';

/**
 * Locks the animals in the order of their ids, so that two imports never deadlock and no order comes between a check and a change. An animal that
 * is restored later is not changed.
 */
const LOCK_PETS = `
  CREATE TEMPORARY TABLE ${LOCKED} ON COMMIT DROP AS
    SELECT id FROM pets WHERE id IN (SELECT id FROM staged_pets) ORDER BY id FOR UPDATE;
  CREATE INDEX ON ${LOCKED} (id);
  ANALYZE ${LOCKED}`;

function transactionOn(sql: Db): ImportTransaction {
  return {
    columns: petTable.columns,
    changeable: LOCKED,
    rows: <Row>(statement: string) => sql.objects<Row>(statement),
    async lockPets({ keepIds, update }) {
      // Otherwise a create could get the id of an animal that is being imported.
      if (keepIds) await sql.query('LOCK TABLE pets IN EXCLUSIVE MODE');
      if (update) await sql.query(LOCK_PETS);
    },
    takeCategoryIds: (count) => takeCategoryIds(sql, count),
    async addCategories(categories) {
      await sql.together([insertCategories(categories)]);
    },
    async changePets(pets) {
      await sql.together([updatePets(pets)]);
    },
    async addPets(statement) {
      const [summary] = await sql.objects<ImportSummary>(
        `WITH added AS (${statement} RETURNING id)
         SELECT count(*) AS count, min(id) AS "firstId", max(id) AS "lastId" FROM added`,
      );
      return summary as ImportSummary;
    },
    async record(events) {
      await sql.together([insertEvents(events)]);
    },
  };
}

async function takeCategoryIds(sql: Db, count: number): Promise<bigint[]> {
  if (count === 0) return [];
  const select = freeCategoryIds('$1::int8', '$2::int8', [STAGED_CATEGORY_ID]);
  const ids = (await sql.query(select, [count, randomCategoryId()])).map(([id]) => BigInt(id ?? 0));
  const last = lastAssigned(ids);
  if (last !== undefined) await sql.query(SET_LAST_CATEGORY_ID, [last]);
  return ids;
}

/** Runs last, because every other write waits for the lock until the commit. */
const NUMBER_EVENTS = [
  LOCK_EVENTS,
  `INSERT INTO events (id, type, pet_id, at, content)
   SELECT ${LAST_EVENT} + place, type, pet_id, date_trunc('milliseconds', clock_timestamp()), content
   FROM staged_events ORDER BY place`,
];
