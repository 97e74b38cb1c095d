import { INT64_MIN } from '../../../contract/int64.ts';
import type { Order } from '../../../contract/order.ts';
import type { Pet } from '../../../contract/pet.ts';
import { CATEGORY_ID_COLUMNS, CEILINGS } from '../../category-ids.ts';
import { categoryTable, freeCategoryId } from '../categories.ts';
import { resultTable } from '../idempotency.ts';
import { orderTable } from '../orders.ts';
import { petTable } from '../pets.ts';
import type { Db } from '../pool/connection.ts';
import { allRowsOf, type TextRow } from '../reads/all-rows.ts';
import { arrayOf } from '../table.ts';
import type { Loaded } from './loaded-rows.ts';
import { LOCK_CATEGORIES } from './locks.ts';
import type { Needs } from './needs.ts';
import { pipeline } from './pipeline.ts';

const pets = allRowsOf(petTable);
const orders = allRowsOf(orderTable);
const results = allRowsOf(resultTable);
const categories = allRowsOf(categoryTable);

/** What to do about an animal that another transaction has locked: leave it out, or wait for it. */
export type WhenLocked = 'skip' | 'wait';

/** The animals themselves and those of the orders. An order always belongs to the same animal. */
const PET_IDS =
  'ARRAY(SELECT unnest($1::int8[]) UNION SELECT pet_id FROM orders WHERE id = ANY ($2::int8[]))';

const REMOVED_IDS = '$1::int8[]';

/** Locks animals in the order of their ids, so that two batches never deadlock. */
const lockStatement = (table: string, ids: string, whenLocked: WhenLocked): string =>
  pets.inOne(
    `SELECT ${petTable.list} FROM ${table} WHERE id = ANY (${ids}) ORDER BY id
     FOR UPDATE ${whenLocked === 'skip' ? 'SKIP LOCKED' : ''}`,
  );

/** A part of the statement that reads what depends on the locked rows. */
interface Part {
  readonly name: string;
  /** Its parameters are `$1`, `$2`, …; in the whole statement they are numbered after those of the parts before it. */
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** Index lookups only, in every kind of plan: see pages.ts. */
const DECIDING = `
  SELECT json_agg(ARRAY[pet_id::text, id::text, status]) FROM unnest(${PET_IDS}) AS animal (animal_id)
  CROSS JOIN LATERAL (
    SELECT pet_id, id, status FROM orders WHERE pet_id = animal_id AND status = 'placed'
    UNION ALL SELECT pet_id, id, status FROM orders WHERE pet_id = animal_id AND status = 'completed') AS deciding`;

/** The ids of those that exist, locked or not. */
const existing = (table: string, ids: string): string =>
  `SELECT json_agg(id::text) FROM ${table} WHERE id = ANY (${ids})`;

const newIds = (sequence: string): string =>
  `SELECT json_agg(nextval('${sequence}')::text) FROM generate_series(1, $1::int8)`;

function partsOf(needs: Needs): Part[] {
  const parts: Part[] = [];
  const add = (isNeeded: boolean, name: string, sql: string, ...values: (string | number)[]) => {
    if (isNeeded) parts.push({ name, sql, values });
  };
  const petIds = arrayOf([...needs.petIds]);
  const orderIds = arrayOf([...needs.orderIds]);
  const hasPets = needs.petIds.size + needs.orderIds.size > 0;
  add(hasPets, 'existing', existing('pets', PET_IDS), petIds, orderIds);
  const removedIds = arrayOf([...needs.removedIds]);
  add(needs.removedIds.size > 0, 'existing_removed', existing('removed_pets', REMOVED_IDS), removedIds);
  add(hasPets, 'deciding', DECIDING, petIds, orderIds);
  const ofOrders = orders.inOne(`${orderTable.select} WHERE id = ANY ($1::int8[])`);
  add(needs.orderIds.size > 0, 'orders', ofOrders, orderIds);
  const ofKeys = results.inOne(
    `SELECT ${resultTable.list} FROM idempotency_keys JOIN unnest($1::text[], $2::text[]) AS given (owner, key) USING (owner, key)`,
  );
  const owners = arrayOf(needs.keys.map(({ owner }) => owner));
  add(needs.keys.length > 0, 'results', ofKeys, owners, arrayOf(needs.keys.map(({ key }) => key)));
  const categoryIds = arrayOf([...needs.categoryIds]);
  const named = categories.inOne(
    `${categoryTable.select} WHERE id = ANY ($1::int8[]) OR name_digest = ANY ($2::text[])`,
  );
  const hasCategories = needs.categoryIds.size + needs.categoryDigests.size > 0;
  add(hasCategories, 'categories', named, categoryIds, arrayOf([...needs.categoryDigests]));
  const used = `SELECT json_agg(given::text) FROM unnest($1::int8[]) AS given
    WHERE given = (SELECT category_id FROM pets WHERE (category_id, status, id) >= (given, '', ${INT64_MIN})
      ORDER BY category_id, status, id LIMIT 1)`;
  add(needs.categoryIds.size > 0, 'used', used, categoryIds);
  const { newPets, newOrders, newCategories } = needs;
  const free = `SELECT (${freeCategoryId(CATEGORY_ID_COLUMNS)})::text`;
  add(newCategories > 0, 'category_id', free, arrayOf(CEILINGS), newCategories);
  add(newPets > 0, 'pet_ids', newIds('pets_id_seq'), newPets);
  add(newOrders > 0, 'order_ids', newIds('orders_id_seq'), newOrders);
  return parts;
}

/** Each combination of parts is prepared once per connection. */
function readStatement(parts: readonly Part[]): { sql: string; values: (string | number)[] } {
  const values: (string | number)[] = [];
  const columns = parts.map((part) => {
    const before = values.length;
    values.push(...part.values);
    return `(${part.sql.replaceAll(/\$(\d)/g, (_, n) => `$${before + Number(n)}`)}) AS ${part.name}`;
  });
  const now = "date_trunc('milliseconds', clock_timestamp()) AS now";
  return { sql: `SELECT ${[now, ...columns].join(', ')}`, values };
}

interface ReadRow {
  readonly now: Date;
  readonly existing?: string[] | null;
  readonly existing_removed?: string[] | null;
  readonly deciding?: [petId: string, id: string, status: Order['status']][] | null;
  readonly orders?: TextRow[] | null;
  readonly results?: TextRow[] | null;
  readonly categories?: TextRow[] | null;
  readonly used?: string[] | null;
  readonly category_id?: string | null;
  readonly pet_ids?: string[] | null;
  readonly order_ids?: string[] | null;
}

/**
 * Begins a transaction, locks the animals that the writes of a batch are about, and reads everything that decides them, in one round trip. What
 * depends on the locked rows is read by a statement of its own, which sees them as they are now. `missing` are the animals that exist and are
 * not locked.
 */
export async function load(
  sql: Db,
  needs: Needs,
  whenLocked: WhenLocked,
): Promise<{ loaded: Loaded; missing: ReadonlySet<bigint> }> {
  const hasCategories = needs.categoryIds.size + needs.categoryDigests.size > 0;
  const petIds = [arrayOf([...needs.petIds]), arrayOf([...needs.orderIds])];
  const removedIds = [arrayOf([...needs.removedIds])];
  const lock = (isNeeded: boolean, table: string, ids: string, values: string[]) =>
    isNeeded ? [sql.unsafe(lockStatement(table, ids, whenLocked), values, { prepare: true })] : [];
  const lockPets = lock(needs.petIds.size + needs.orderIds.size > 0, 'pets', PET_IDS, petIds);
  const lockRemoved = lock(needs.removedIds.size > 0, 'removed_pets', REMOVED_IDS, removedIds);
  const read = readStatement(partsOf(needs));
  const answers = await pipeline([
    sql.unsafe(hasCategories ? `BEGIN; ${LOCK_CATEGORIES}` : 'BEGIN'),
    ...lockPets,
    ...lockRemoved,
    sql.unsafe(read.sql, read.values, { prepare: true }),
  ]);
  const lockedBy = (place: number): Pet[] => pets.itemsOf(answers[place]?.[0]?.all_rows);
  const lockedPets = lockPets.length > 0 ? lockedBy(1) : [];
  const removedPets = lockRemoved.length > 0 ? lockedBy(1 + lockPets.length) : [];
  const row = answers.at(-1)?.[0] as unknown as ReadRow;
  const missing = [...notIn(lockedPets, row.existing), ...notIn(removedPets, row.existing_removed)];
  return { loaded: loadedFrom(row, lockedPets, removedPets), missing: new Set(missing) };
}

function notIn(locked: readonly Pet[], ids: readonly string[] | null | undefined): bigint[] {
  const isLocked = new Set(locked.map(({ id }) => id));
  return (ids ?? []).map(BigInt).filter((id) => !isLocked.has(id));
}

function loadedFrom(row: ReadRow, lockedPets: Pet[], removedPets: Pet[]): Loaded {
  return {
    now: row.now,
    pets: lockedPets,
    removedPets,
    orders: orders.itemsOf(row.orders ?? null),
    deciding: (row.deciding ?? []).map(([petId, id, status]) => ({
      petId: BigInt(petId),
      id: BigInt(id),
      status,
    })),
    results: results.itemsOf(row.results ?? null),
    categories: categories.itemsOf(row.categories ?? null),
    usedCategoryIds: (row.used ?? []).map(BigInt),
    newPetIds: (row.pet_ids ?? []).map(BigInt),
    newOrderIds: (row.order_ids ?? []).map(BigInt),
    newCategoryId: row.category_id ? BigInt(row.category_id) : undefined,
  };
}
