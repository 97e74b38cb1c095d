import { categoryNameDigest } from '../../../contract/category.ts';
import type { Order } from '../../../contract/order.ts';
import type { Actions, Write } from '../../actions.ts';
import { upgradedMeanwhile } from '../../migrations.ts';
import type { IdempotencyKey, WriteOptions } from '../../store.ts';
import { categoryTable, freeCategoryIds, valuesOfFreeIds } from '../categories.ts';
import { resultTable } from '../idempotency.ts';
import { countsByCategory } from '../inventory.ts';
import { orderTable } from '../orders.ts';
import { petTable, removedPetTable } from '../pets.ts';
import type { Db } from '../pool/connection.ts';
import { allRowsOf, type TextRow, type Value } from '../reads/all-rows.ts';
import { NEWEST_VERSION } from '../schema/migrate.ts';
import { arrayOf } from '../table.ts';
import { type Loaded, LoadedRows } from './loaded-rows.ts';
import { LOCK_EVENTS, SHARE_MIGRATION, TRY_LOCK_CATEGORIES } from './locks.ts';
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
  /** Maximum number of new ids that it uses. Unused ones do no harm. */
  readonly newPets?: number;
  readonly newOrders?: number;
  readonly newCategory?: true;
}

const needs: { readonly [M in keyof Actions]: (...args: Parameters<Actions[M]>) => Need } = {
  createPet: () => ({ newPets: 1 }),
  createPets: (pets) => ({ newPets: pets.length }),
  updatePet: (petId) => ({ petId }),
  removePet: (petId) => ({ petId }),
  restorePet: (petId) => ({ petId, restore: true }),
  createOrder: ({ petId }) => ({ petId, newOrders: 1 }),
  updateOrder: (orderId) => ({ orderId }),
  createCategory: ({ name }) => ({ categoryName: name, newCategory: true }),
  setCategory: ({ id, name }) => ({ categoryId: id, categoryName: name }),
  removeCategory: (categoryId) => ({ categoryId, removesCategory: true }),
};

/** The options are the last argument, if they are given. */
const needOf = ({ method, args }: Write): Need => ({
  ...(needs[method] as (...args: unknown[]) => Need)(...args),
  key: (args.at(-1) as WriteOptions | undefined)?.idempotencyKey,
});

/** The types of the values of statements, by the names that the statements use for them. */
const TYPES = {
  pets: 'int8[]',
  removed: 'int8[]',
  orders: 'int8[]',
  categories: 'int8[]',
  names: 'text[]',
  owners: 'text[]',
  keys: 'text[]',
  newPets: 'int8',
  newOrders: 'int8',
  idWindows: 'int8[]',
  idCount: 'int8',
};
type Name = keyof typeof TYPES;
type Values = Readonly<Record<Name, Value>>;

/** What all writes of a batch are about, each thing once. */
function valuesOf(needs: readonly Need[]): Values {
  const distinct = <T extends string | bigint>(of: (need: Need) => T | undefined) =>
    arrayOf([...new Set(needs.flatMap((need) => of(need) ?? []))]);
  const sum = (of: (need: Need) => number | undefined) =>
    needs.reduce((count, need) => count + (of(need) ?? 0), 0);
  const keys = needs.flatMap(({ key }) => key ?? []);
  const newPets = sum((need) => need.newPets);
  // Each write of the batch may use an identifier that a new category then skips.
  const [idWindows, idCount] = needs.some(({ newCategory }) => newCategory)
    ? valuesOfFreeIds(needs.length + newPets)
    : [NONE, 0];
  return {
    pets: distinct(({ petId }) => petId),
    removed: distinct(({ petId, restore }) => (restore ? petId : undefined)),
    orders: distinct(({ orderId }) => orderId),
    categories: distinct(({ categoryId }) => categoryId),
    names: distinct(({ categoryName: name }) => (name === undefined ? name : categoryNameDigest(name))),
    owners: arrayOf(keys.map(({ owner }) => owner)),
    keys: arrayOf(keys.map(({ key }) => key)),
    newPets,
    newOrders: sum((need) => need.newOrders),
    idWindows,
    idCount,
  };
}

const NONE = '{}';
const isAny = (value: Value): boolean => value !== NONE && value !== 0;

/** A statement, and the names of its values, which were written as `@name` in it. */
interface Template {
  readonly sql: string;
  readonly names: readonly Name[];
}

function template(text: string): Template {
  const names: Name[] = [];
  const sql = text.replaceAll(/@(\w+)/g, (_, name: Name) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}::${TYPES[name]}`;
  });
  return { sql, names };
}

/** Whether any of its values is not empty. */
const isNeeded = ({ names }: Template, values: Values): boolean => names.some((name) => isAny(values[name]));

/** The animals themselves and those of the orders. An order always belongs to the same animal. */
const petIds = (ids: '@pets' | '@removed'): string =>
  `ARRAY(SELECT unnest(${ids}) UNION SELECT pet_id FROM orders WHERE id = ANY (@orders))`;
const PET_IDS = petIds('@pets');
/** The note of an order can change after its animal was removed: then the removed animal is what is locked. */
const REMOVED_IDS = petIds('@removed');

const pets = allRowsOf(petTable);
const removed = allRowsOf(removedPetTable);
const orders = allRowsOf(orderTable);
const results = allRowsOf(resultTable);
const categories = allRowsOf(categoryTable);

/** In the order of their ids, and without what another transaction has locked: a batch never waits for a row. */
const LOCK_ROWS = 'ORDER BY id FOR UPDATE SKIP LOCKED';
const LOCK_PETS = template(pets.inOne(`${petTable.select} WHERE id = ANY (${PET_IDS}) ${LOCK_ROWS}`));
const LOCK_REMOVED = template(
  removed.inOne(`${removedPetTable.select} WHERE id = ANY (${REMOVED_IDS}) ${LOCK_ROWS}`),
);
const LOCK_ORDERS = template(orders.inOne(`${orderTable.select} WHERE id = ANY (@orders) ${LOCK_ROWS}`));
const LOCK_CATEGORY_ROWS = template(
  categories.inOne(
    `${categoryTable.select} WHERE id = ANY (@categories) OR name_digest = ANY (@names) ${LOCK_ROWS}`,
  ),
);

/** The ids of those that exist, locked or not. */
const existing = (table: string, ids: string): string =>
  `SELECT json_agg(id::text) FROM ${table} WHERE id = ANY (${ids})`;

const newIds = (sequence: string, count: '@newPets' | '@newOrders'): string =>
  `SELECT json_agg(nextval('${sequence}')::text) FROM generate_series(1, ${count})`;

/** What depends on the locked rows: each is a column of one row, if it is needed. */
const PARTS: Readonly<Record<string, string>> = {
  existing: existing('pets', PET_IDS),
  existing_removed: existing('removed_pets', REMOVED_IDS),
  existing_orders: existing('orders', '@orders'),
  deciding: `
    SELECT json_agg(ARRAY[pet_id::text, id::text, status]) FROM unnest(${PET_IDS}) AS animal (animal_id)
    CROSS JOIN LATERAL (
      SELECT pet_id, id, status FROM orders WHERE pet_id = animal_id AND status = 'placed'
      UNION ALL SELECT pet_id, id, status FROM orders WHERE pet_id = animal_id AND status = 'completed') AS deciding`,
  results: results.inOne(
    `SELECT ${resultTable.list} FROM idempotency_keys JOIN unnest(@owners, @keys) AS given (owner, key) USING (owner, key)`,
  ),
  existing_categories: `
    SELECT json_agg(ARRAY[id::text, name_digest]) FROM categories WHERE id = ANY (@categories) OR name_digest = ANY (@names)`,
  inventory: `
    SELECT json_agg(ARRAY[category_id::text, available::text, pending::text, sold::text])
    FROM (${countsByCategory('SELECT unnest(@categories)')}) AS counts`,
  category_id: `SELECT ${freeCategoryIds('@idWindows', '@idCount')}::text`,
  pet_ids: newIds('pets_id_seq', '@newPets'),
  order_ids: newIds('orders_id_seq', '@newOrders'),
};
const PART_TEMPLATES = Object.entries(PARTS).map(([name, sql]) => ({ name, ...template(sql) }));

type Ids = 'existing' | 'existing_removed' | 'existing_orders' | 'pet_ids' | 'order_ids';
interface ReadRow extends Partial<Record<Ids, string[] | null>> {
  readonly now: Date;
  readonly version: number;
  readonly deciding?: [petId: string, id: string, status: Order['status']][] | null;
  readonly results?: TextRow[] | null;
  readonly existing_categories?: [id: string, digest: string][] | null;
  readonly inventory?: [id: string, available: string, pending: string, sold: string][] | null;
  readonly category_id?: string | null;
}

const ALWAYS = [
  "date_trunc('milliseconds', clock_timestamp()) AS now",
  '(SELECT max(version) FROM migrations) AS version',
];
const statements = new Map<string, Template>();

/** The statement that reads the needed parts. Each combination of them is prepared once per connection. */
function readStatement(values: Values): Template {
  const parts = PART_TEMPLATES.filter((part) => isNeeded(part, values)).map(({ name }) => name);
  const key = parts.join();
  const columns = () => [...ALWAYS, ...parts.map((name) => `(${PARTS[name]}) AS ${name}`)];
  const statement = statements.get(key) ?? template(`SELECT ${columns().join(', ')}`);
  statements.set(key, statement);
  return statement;
}

/** The rows of a batch, and which of its writes can be decided: those for which everything is locked. */
interface LoadedBatch {
  readonly rows: LoadedRows;
  readonly isLocked: (write: Write) => boolean;
}

/**
 * Begins a transaction, locks what the writes of a batch are about, and reads everything that decides them, in one round trip. What
 * depends on the locked rows is read by a statement of its own, which sees them as they are now. For the removal of a category, its animals are
 * counted under the lock on the events: no animal gets into it before the commit.
 */
export async function load(sql: Db, writes: readonly Write[]): Promise<LoadedBatch> {
  const needs = writes.map(needOf);
  const values = valuesOf(needs);
  const send = (statement: Template) =>
    sql.unsafe(
      statement.sql,
      statement.names.map((name) => values[name]),
      { prepare: true },
    );
  const sendIfNeeded = (statement: Template) => (isNeeded(statement, values) ? send(statement) : undefined);
  const begin = sql.unsafe(`BEGIN; ${SHARE_MIGRATION}`);
  const hasCategories = isAny(values.categories) || isAny(values.names);
  const events = needs.some(({ removesCategory }) => removesCategory)
    ? sql.unsafe(LOCK_EVENTS, [], { prepare: true })
    : undefined;
  const [, lockOfCategories, ofCategories, ofPets, ofRemoved, ofOrders, , ofParts] = await pipeline(
    [
      begin,
      hasCategories ? sql.unsafe(TRY_LOCK_CATEGORIES, [], { prepare: true }) : undefined,
      sendIfNeeded(LOCK_CATEGORY_ROWS),
      sendIfNeeded(LOCK_PETS),
      sendIfNeeded(LOCK_REMOVED),
      sendIfNeeded(LOCK_ORDERS),
      events,
      send(readStatement(values)),
    ],
    begin,
    events,
  );
  const row = ofParts?.[0] as unknown as ReadRow;
  if (row.version > NEWEST_VERSION) throw upgradedMeanwhile();
  const loaded = {
    categories: categories.itemsOf(ofCategories?.[0]?.all_rows),
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
  const hasCategoryLock = lockOfCategories?.[0]?.locked === true;
  const lockedCategories = new Set(loaded.categories.map(({ id }) => `${id}`));
  /** Their ids, and the digests of their names. */
  const missingCategories = new Set(
    row.existing_categories?.filter(([id]) => !lockedCategories.has(id)).flat(),
  );
  const rows = new LoadedRows(loaded);

  function isLocked(write: Write): boolean {
    const { petId, orderId, categoryId, categoryName } = needOf(write);
    if ((categoryId ?? categoryName) !== undefined && !hasCategoryLock) return false;
    if (missingCategories.has(`${categoryId}`)) return false;
    if (categoryName !== undefined && missingCategories.has(categoryNameDigest(categoryName))) return false;
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

function readFrom(row: ReadRow): Omit<Loaded, 'pets' | 'removedPets' | 'orders' | 'categories'> {
  return {
    now: row.now,
    deciding: (row.deciding ?? []).map(([petId, id, status]) => ({
      petId: BigInt(petId),
      id: BigInt(id),
      status,
    })),
    results: results.itemsOf(row.results ?? null),
    inventory: (row.inventory ?? [])
      .map((counts) => counts.map(BigInt))
      .map(([id = 0n, available = 0n, pending = 0n, sold = 0n]) => [id, { available, pending, sold }]),
    newPetIds: (row.pet_ids ?? []).map(BigInt),
    newOrderIds: (row.order_ids ?? []).map(BigInt),
    newCategoryId: row.category_id ? BigInt(row.category_id) : undefined,
  };
}
