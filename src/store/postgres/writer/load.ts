import { categoryNameDigest } from '../../../contract/category.ts';
import { INT64_MIN } from '../../../contract/int64.ts';
import type { Order } from '../../../contract/order.ts';
import type { Write } from '../../actions.ts';
import { upgradedMeanwhile } from '../../migrations.ts';
import type { IdempotencyKey } from '../../store.ts';
import { categoryTable, freeCategoryIds, valuesOfFreeIds } from '../categories.ts';
import { resultTable } from '../idempotency.ts';
import { orderTable } from '../orders.ts';
import { petTable } from '../pets.ts';
import type { Db } from '../pool/connection.ts';
import { allRowsOf, type TextRow, type Value } from '../reads/all-rows.ts';
import { removedPetTable } from '../removed-pets.ts';
import { programVersion } from '../schema/migrate.ts';
import { arrayOf } from '../table.ts';
import { type Loaded, LoadedRows, nameOf } from './loaded-rows.ts';
import { LOCK_EVENTS, TRY_LOCK_CATEGORIES, TRY_LOCK_KEYS } from './locks.ts';
import { pipeline } from './pipeline.ts';

/** What one write is about. It is decided when all of it is locked. */
interface Need {
  /** An animal of the inventory, with its orders; for a `restore` also if it is removed. */
  readonly petId?: bigint;
  readonly restore?: true;
  /** An order, with its animal. */
  readonly orderId?: bigint;
  readonly categoryId?: bigint;
  readonly categoryName?: string;
  /** Whether it depends on which animals belong to a category. */
  readonly removesCategory?: true;
  readonly key?: IdempotencyKey | undefined;
  /** How many new ids of each kind are used at most. Those that stay unused are no harm. */
  readonly newPets?: number;
  readonly newOrders?: number;
  readonly newCategories?: number;
}

export function needOf({ method, args }: Write): Need {
  switch (method) {
    case 'createPet':
      return { newPets: 1, key: args[1] };
    case 'createPets':
      return { newPets: args[0].length, key: args[1] };
    case 'updatePet':
    case 'removePet':
      return { petId: args[0] };
    case 'restorePet':
      return { petId: args[0], restore: true };
    case 'createOrder':
      return { petId: args[0].petId, newOrders: 1, key: args[1] };
    case 'updateOrder':
      return { orderId: args[0] };
    case 'createCategory':
      return { categoryName: args[0].name, newCategories: 1, key: args[1] };
    case 'setCategory':
      return { categoryId: args[0].id, categoryName: args[0].name };
    case 'removeCategory':
      return { categoryId: args[0], removesCategory: true };
  }
}

const isOfCategory = ({ categoryId, categoryName }: Need): boolean =>
  categoryId !== undefined || categoryName !== undefined;

/** What all writes of a batch are about, each thing once, as the values of statements. */
function valuesOf(needs: readonly Need[]) {
  const distinct = <T extends string | bigint>(of: (need: Need) => T | undefined) =>
    arrayOf([...new Set(needs.flatMap((need) => of(need) ?? []))]);
  const sum = (countOf: (need: Need) => number | undefined) =>
    needs.reduce((count, need) => count + (countOf(need) ?? 0), 0);
  const keys = needs.flatMap(({ key }) => key ?? []);
  return {
    pets: distinct(({ petId }) => petId),
    removed: distinct(({ petId, restore }) => (restore ? petId : undefined)),
    orders: distinct(({ orderId }) => orderId),
    categories: distinct(({ categoryId }) => categoryId),
    names: distinct(({ categoryName }) =>
      categoryName === undefined ? undefined : categoryNameDigest(categoryName),
    ),
    owners: arrayOf(keys.map(({ owner }) => owner)),
    keys: arrayOf(keys.map(({ key }) => key)),
    newPets: sum(({ newPets }) => newPets),
    newOrders: sum(({ newOrders }) => newOrders),
    newCategories: sum(({ newCategories }) => newCategories),
    writes: needs.length,
  };
}
type Values = ReturnType<typeof valuesOf>;

const NONE = '{}';
const hasPets = ({ pets, orders }: Values): boolean => pets !== NONE || orders !== NONE;
/** The note of an order can change after its animal was removed: then the removed animal is what is locked. */
const hasRemoved = ({ removed, orders }: Values): boolean => removed !== NONE || orders !== NONE;
const hasOrders = ({ orders }: Values): boolean => orders !== NONE;
const hasKeys = ({ keys }: Values): boolean => keys !== NONE;
const hasCategories = ({ categories, names }: Values): boolean => categories !== NONE || names !== NONE;

/** The animals themselves and those of the orders. An order always belongs to the same animal. */
const PET_IDS =
  'ARRAY(SELECT unnest($1::int8[]) UNION SELECT pet_id FROM orders WHERE id = ANY ($2::int8[]))';

const pets = allRowsOf(petTable);
const removed = allRowsOf(removedPetTable);
const orders = allRowsOf(orderTable);
const results = allRowsOf(resultTable);
const categories = allRowsOf(categoryTable);

/** In the order of their ids, and without what another transaction has locked: a batch never waits for a row. */
const LOCK_ROWS = 'ORDER BY id FOR UPDATE SKIP LOCKED';
const LOCK_PETS = pets.inOne(`${petTable.select} WHERE id = ANY (${PET_IDS}) ${LOCK_ROWS}`);
const LOCK_REMOVED = removed.inOne(`${removedPetTable.select} WHERE id = ANY (${PET_IDS}) ${LOCK_ROWS}`);
const LOCK_ORDERS = orders.inOne(`${orderTable.select} WHERE id = ANY ($1::int8[]) ${LOCK_ROWS}`);

/** A part of the statement that reads what depends on the locked rows: a column of its only row. */
interface Part {
  readonly name: string;
  readonly isNeeded: (values: Values) => boolean;
  /** Its parameters are `$1`, `$2`, …; in the whole statement they are numbered after those of the parts before it. */
  readonly sql: string;
  readonly values: (values: Values) => Value[];
}

/** The ids of those that exist, locked or not. */
const existing = (table: string, ids: string): string =>
  `SELECT json_agg(id::text) FROM ${table} WHERE id = ANY (${ids})`;

const newIds = (sequence: string): string =>
  `SELECT json_agg(nextval('${sequence}')::text) FROM generate_series(1, $1::int8)`;

const PARTS: readonly Part[] = [
  {
    name: 'existing',
    isNeeded: hasPets,
    sql: existing('pets', PET_IDS),
    values: ({ pets, orders }) => [pets, orders],
  },
  {
    name: 'existing_removed',
    isNeeded: hasRemoved,
    sql: existing('removed_pets', PET_IDS),
    values: ({ removed, orders }) => [removed, orders],
  },
  {
    name: 'existing_orders',
    isNeeded: hasOrders,
    sql: existing('orders', '$1::int8[]'),
    values: ({ orders }) => [orders],
  },
  {
    name: 'deciding',
    isNeeded: hasPets,
    sql: `
      SELECT json_agg(ARRAY[pet_id::text, id::text, status]) FROM unnest(${PET_IDS}) AS animal (animal_id)
      CROSS JOIN LATERAL (
        SELECT pet_id, id, status FROM orders WHERE pet_id = animal_id AND status = 'placed'
        UNION ALL SELECT pet_id, id, status FROM orders WHERE pet_id = animal_id AND status = 'completed') AS deciding`,
    values: ({ pets, orders }) => [pets, orders],
  },
  {
    name: 'results',
    isNeeded: hasKeys,
    sql: results.inOne(
      `SELECT ${resultTable.list} FROM idempotency_keys
       JOIN unnest($1::text[], $2::text[]) AS given (owner, key) USING (owner, key)`,
    ),
    values: ({ owners, keys }) => [owners, keys],
  },
  {
    name: 'categories',
    isNeeded: hasCategories,
    sql: categories.inOne(
      `${categoryTable.select} WHERE id = ANY ($1::int8[]) OR name_digest = ANY ($2::text[])`,
    ),
    values: ({ categories, names }) => [categories, names],
  },
  {
    name: 'used',
    isNeeded: ({ categories }) => categories !== NONE,
    sql: `
      SELECT json_agg(given::text) FROM unnest($1::int8[]) AS given
      WHERE given = (SELECT category_id FROM pets WHERE (category_id, status, id) >= (given, '', ${INT64_MIN})
        ORDER BY category_id, status, id LIMIT 1)`,
    values: ({ categories }) => [categories],
  },
  {
    name: 'category_id',
    isNeeded: ({ newCategories }) => newCategories > 0,
    sql: `SELECT ${freeCategoryIds()}::text`,
    // Each write of the batch may use one that a new category then skips.
    values: ({ writes, newPets }) => valuesOfFreeIds(writes + newPets),
  },
  {
    name: 'pet_ids',
    isNeeded: ({ newPets }) => newPets > 0,
    sql: newIds('pets_id_seq'),
    values: ({ newPets }) => [newPets],
  },
  {
    name: 'order_ids',
    isNeeded: ({ newOrders }) => newOrders > 0,
    sql: newIds('orders_id_seq'),
    values: ({ newOrders }) => [newOrders],
  },
];

interface ReadRow {
  readonly now: Date;
  readonly version: number;
  readonly existing?: string[] | null;
  readonly existing_removed?: string[] | null;
  readonly existing_orders?: string[] | null;
  readonly deciding?: [petId: string, id: string, status: Order['status']][] | null;
  readonly results?: TextRow[] | null;
  readonly categories?: TextRow[] | null;
  readonly used?: string[] | null;
  readonly category_id?: string | null;
  readonly pet_ids?: string[] | null;
  readonly order_ids?: string[] | null;
}

const ALWAYS = [
  "date_trunc('milliseconds', clock_timestamp()) AS now",
  '(SELECT max(version) FROM migrations) AS version',
];
const VERSION = programVersion();
const statements = new Map<string, string>();

/** The statement that reads the needed parts, with its values. Each combination of parts is prepared once per connection. */
function readStatement(values: Values): { readonly sql: string; readonly values: Value[] } {
  const parts = PARTS.filter(({ isNeeded }) => isNeeded(values));
  const given = parts.map((part) => part.values(values));
  const key = parts.map(({ name }) => name).join();
  const sql = statements.get(key) ?? combined(parts, given);
  statements.set(key, sql);
  return { sql, values: given.flat() };
}

function combined(parts: readonly Part[], given: readonly Value[][]): string {
  let before = 0;
  const columns = parts.map(({ name, sql }, i) => {
    const start = before;
    before += given[i]?.length ?? 0;
    return `(${sql.replaceAll(/\$(\d)/g, (_, n) => `$${start + Number(n)}`)}) AS ${name}`;
  });
  return `SELECT ${[...ALWAYS, ...columns].join(', ')}`;
}

/** The rows of a batch, and which of its writes can be decided: those for which everything is locked. */
interface LoadedBatch {
  readonly rows: LoadedRows;
  readonly isLocked: (write: Write) => boolean;
}

/**
 * Begins a transaction, locks what the writes of a batch are about, and reads everything that decides them, in one round trip. What
 * depends on the locked rows is read by a statement of its own, which sees them as they are now. Whether a category is used is read under the
 * lock on the events: no animal gets into it before the commit.
 */
export async function load(sql: Db, writes: readonly Write[]): Promise<LoadedBatch> {
  const needs = writes.map(needOf);
  const values = valuesOf(needs);
  const send = (isNeeded: boolean, statement: string, parameters: Value[] = []) =>
    isNeeded ? sql.unsafe(statement, parameters, { prepare: true }) : undefined;
  const read = readStatement(values);
  const events = send(
    needs.some(({ removesCategory }) => removesCategory),
    LOCK_EVENTS,
  );
  const [, ofCategories, ofPets, ofRemoved, ofOrders, ofKeys, , ofParts] = await pipeline(
    [
      sql.unsafe('BEGIN'),
      send(hasCategories(values), TRY_LOCK_CATEGORIES),
      send(hasPets(values), LOCK_PETS, [values.pets, values.orders]),
      send(hasRemoved(values), LOCK_REMOVED, [values.removed, values.orders]),
      send(hasOrders(values), LOCK_ORDERS, [values.orders]),
      send(hasKeys(values), TRY_LOCK_KEYS, [values.owners, values.keys]),
      events,
      sql.unsafe(read.sql, read.values, { prepare: true }),
    ],
    events,
  );
  const row = ofParts?.[0] as unknown as ReadRow;
  if (row.version > VERSION) throw upgradedMeanwhile();
  const loaded = {
    pets: pets.itemsOf(ofPets?.[0]?.all_rows),
    removedPets: removed.itemsOf(ofRemoved?.[0]?.all_rows),
    orders: orders.itemsOf(ofOrders?.[0]?.all_rows),
    ...readFrom(row),
  };
  const missingPets = new Set([
    ...notIn(loaded.pets, row.existing),
    ...notIn(loaded.removedPets, row.existing_removed),
  ]);
  const missingOrders = new Set(notIn(loaded.orders, row.existing_orders));
  const hasCategoryLock = ofCategories?.[0]?.locked === true;
  const heldKeys = new Set(
    (ofKeys?.[0]?.held as [string, string][] | null)?.map(([owner, key]) => nameOf({ owner, key })),
  );
  const rows = new LoadedRows(loaded);

  function isLocked(write: Write): boolean {
    const need = needOf(write);
    const { petId, orderId, key } = need;
    if (isOfCategory(need) && !hasCategoryLock) return false;
    if (key && heldKeys.has(nameOf(key))) return false;
    if (petId !== undefined && missingPets.has(petId)) return false;
    if (orderId === undefined) return true;
    return !missingOrders.has(orderId) && !missingPets.has(rows.order(orderId)?.petId ?? 0n);
  }
  return { rows, isLocked };
}

function notIn(locked: readonly { readonly id: bigint }[], ids: readonly string[] | null = []): bigint[] {
  const isLocked = new Set(locked.map(({ id }) => id));
  return (ids ?? []).map(BigInt).filter((id) => !isLocked.has(id));
}

function readFrom(row: ReadRow): Omit<Loaded, 'pets' | 'removedPets' | 'orders'> {
  return {
    now: row.now,
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
