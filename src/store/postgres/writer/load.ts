import { categoryNameDigest } from '../../../contract/category.ts';
import type { Order } from '../../../contract/order.ts';
import type { Actions, Write } from '../../actions.ts';
import { freeCategoryIds, randomCategoryId } from '../../category-ids.ts';
import { UpgradedMeanwhile } from '../../migrations.ts';
import type { IdempotencyKey, WriteOptions } from '../../store.ts';
import { categoryTable } from '../categories.ts';
import { resultTable } from '../idempotency.ts';
import { countsByCategory } from '../inventory.ts';
import { orderTable } from '../orders.ts';
import { petTable, removedPetTable } from '../pets.ts';
import type { Db, Statement, TextRow, Value } from '../pool/connection.ts';
import { NEWEST_VERSION } from '../schema/migrate.ts';
import { arrayOf, rowsAsJson } from '../table.ts';
import { type Loaded, LoadedRows, nameOf } from './loaded-rows.ts';
import { beginText, lockEvents, TRY_LOCK_CATEGORIES, TRY_LOCK_KEYS } from './locks.ts';

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
export const keyOf = ({ args }: Write): IdempotencyKey | undefined =>
  (args.at(-1) as WriteOptions | undefined)?.idempotencyKey;

const needOf = (write: Write): Need => ({
  ...(needs[write.method] as (...args: unknown[]) => Need)(...write.args),
  key: keyOf(write),
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
  newCategories: 'int8',
  randomId: 'int8',
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
  const hasNewCategory = needs.some(({ newCategory }) => newCategory);
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
    // Each write of the batch may use an identifier that a new category then skips.
    newCategories: hasNewCategory ? needs.length + newPets : 0,
    randomId: hasNewCategory ? randomCategoryId() : 0,
  };
}

const NONE = '{}';
const isAny = (value: Value): boolean => value !== NONE && value !== 0;

/** A statement, and the names of its values, which were written as `@name` in it. */
interface Template {
  readonly text: string;
  readonly names: readonly Name[];
}

function template(text: string): Template {
  const names: Name[] = [];
  const numbered = text.replaceAll(/@(\w+)/g, (_, name: Name) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}::${TYPES[name]}`;
  });
  return { text: numbered, names };
}

/** Whether any of its values is not empty. */
const isNeeded = ({ names }: Template, values: Values): boolean => names.some((name) => isAny(values[name]));

/** The animals themselves and those of the orders. An order always belongs to the same animal. */
const petIds = (ids: '@pets' | '@removed'): string =>
  `ARRAY(SELECT unnest(${ids}) UNION SELECT pet_id FROM orders WHERE id = ANY (@orders))`;
const PET_IDS = petIds('@pets');
/** The note of an order can change after its animal was removed: then the removed animal is what is locked. */
const REMOVED_IDS = petIds('@removed');

/** In the order of their ids, and without what another transaction has locked: a batch never waits for a row. */
const LOCK_ROWS = 'ORDER BY id FOR UPDATE SKIP LOCKED';
const LOCK_PETS = template(`${petTable.select} WHERE id = ANY (${PET_IDS}) ${LOCK_ROWS}`);
const LOCK_REMOVED = template(`${removedPetTable.select} WHERE id = ANY (${REMOVED_IDS}) ${LOCK_ROWS}`);
const LOCK_KEYS = template(TRY_LOCK_KEYS);

/** The ids of those that exist, locked or not. */
const existing = (table: string, ids: string): string =>
  `SELECT json_agg(id::text) FROM ${table} WHERE id = ANY (${ids})`;

const newIds = (sequence: string, count: '@newPets' | '@newOrders'): string =>
  `SELECT json_agg(nextval('${sequence}')::text) FROM generate_series(1, ${count})`;

/** What depends on what is locked; the animal of an order is, and all categories by one lock. Each is a column of one row, if it is needed. */
const PARTS: Readonly<Record<string, string>> = {
  existing: existing('pets', PET_IDS),
  existing_removed: existing('removed_pets', REMOVED_IDS),
  orders: rowsAsJson(orderTable, `${orderTable.select} WHERE id = ANY (@orders)`),
  deciding: `
    SELECT json_agg(ARRAY[pet_id::text, id::text, status]) FROM unnest(${PET_IDS}) AS animal (animal_id)
    CROSS JOIN LATERAL (
      SELECT pet_id, id, status FROM orders WHERE pet_id = animal_id AND status = 'placed'
      UNION ALL SELECT pet_id, id, status FROM orders WHERE pet_id = animal_id AND status = 'completed') AS deciding`,
  results: rowsAsJson(
    resultTable,
    `SELECT ${resultTable.list} FROM idempotency_keys JOIN unnest(@owners, @keys) AS given (owner, key) USING (owner, key)`,
  ),
  categories: rowsAsJson(
    categoryTable,
    `${categoryTable.select} WHERE id = ANY (@categories) OR name_digest = ANY (@names)`,
  ),
  inventory: `
    SELECT json_agg(ARRAY[category_id::text, available::text, pending::text, sold::text])
    FROM (${countsByCategory('SELECT unnest(@categories)')}) AS counts`,
  category_ids: `SELECT json_agg(id::text ORDER BY id) FROM (${freeCategoryIds('@newCategories', '@randomId')}) AS free`,
  pet_ids: newIds('pets_id_seq', '@newPets'),
  order_ids: newIds('orders_id_seq', '@newOrders'),
};
const PART_TEMPLATES = Object.entries(PARTS).map(([name, sql]) => ({ name, ...template(sql) }));

type Ids = 'existing' | 'existing_removed' | 'pet_ids' | 'order_ids' | 'category_ids';
interface Parts extends Partial<Record<Ids, string[] | null>> {
  readonly deciding?: [petId: string, id: string, status: Order['status']][] | null;
  readonly orders?: TextRow[] | null;
  readonly results?: TextRow[] | null;
  readonly categories?: TextRow[] | null;
  readonly inventory?: [id: string, available: string, pending: string, sold: string][] | null;
}

const ALWAYS = ["date_trunc('milliseconds', clock_timestamp())", '(SELECT max(version) FROM migrations)'];
const statements = new Map<string, Template>();

/** The statement that reads the needed parts. Each combination of them is prepared once per connection. */
function readStatement(parts: readonly string[]): Template {
  const key = parts.join();
  const columns = () => [...ALWAYS, ...parts.map((name) => `(${PARTS[name]})`)];
  const statement = statements.get(key) ?? template(`SELECT ${columns().join(', ')}`);
  statements.set(key, statement);
  return statement;
}

/** The rows of those statements that are given, which are sent together. */
async function answersTo<Name extends string>(
  sql: Db,
  statements: Readonly<Record<Name, Statement | undefined>>,
): Promise<Partial<Record<Name, TextRow[]>>> {
  const given = Object.entries<Statement | undefined>(statements).flatMap(([name, one]) =>
    one ? [{ name, one }] : [],
  );
  const answers = await sql.together(given.map(({ one }) => one));
  return Object.fromEntries(given.map(({ name }, i) => [name, answers[i]])) as Partial<
    Record<Name, TextRow[]>
  >;
}

/** The rows of a batch, and which of its writes can be decided: those for which everything is locked. */
interface LoadedBatch {
  readonly rows: LoadedRows;
  readonly isLocked: (write: Write) => boolean;
}

/**
 * Begins a transaction, locks what the writes of a batch are about, and reads everything that decides them, in one round trip. What
 * depends on the locked rows is read by a statement of its own, which sees them as they are now. To remove a category, its animals are
 * counted under the lock on the events, and so is the identifier of a new one chosen: no animal gets into it before the commit.
 */
export async function load(sql: Db, writes: readonly Write[], lockMs?: number): Promise<LoadedBatch> {
  const needs = writes.map(needOf);
  const values = valuesOf(needs);
  const parts = PART_TEMPLATES.filter((part) => isNeeded(part, values)).map(({ name }) => name);
  const statement = ({ text, names }: Template) => ({ text, values: names.map((name) => values[name]) });
  const ifNeeded = (one: Template) => (isNeeded(one, values) ? statement(one) : undefined);
  const hasCategories = isAny(values.categories) || isAny(values.names);
  const locksEvents = needs.some(({ removesCategory, newCategory }) => removesCategory || newCategory);
  // Before the lock on the events: if another program has locked a table, only this batch waits for it.
  const written = values.newPets === 0 ? 'categories' : 'categories, pets';
  const answers = await answersTo(sql, {
    begin: { text: beginText(lockMs) },
    lockOfCategories: hasCategories ? { text: TRY_LOCK_CATEGORIES, values: [] } : undefined,
    pets: ifNeeded(LOCK_PETS),
    removedPets: ifNeeded(LOCK_REMOVED),
    keys: ifNeeded(LOCK_KEYS),
    tables: locksEvents ? { text: `LOCK TABLE ${written} IN ROW EXCLUSIVE MODE` } : undefined,
    events: locksEvents ? lockEvents(lockMs) : undefined,
    parts: statement(readStatement(parts)),
  });
  const [now, version, ...found] = answers.parts?.[0] ?? [];
  if (Number(version) > NEWEST_VERSION) throw new UpgradedMeanwhile();
  const row: Parts = Object.fromEntries(parts.map((name, i) => [name, JSON.parse(found[i] ?? 'null')]));
  const loaded = {
    pets: (answers.pets ?? []).map(petTable.fromRow),
    removedPets: (answers.removedPets ?? []).map(removedPetTable.fromRow),
    now: new Date(now ?? ''),
    ...readFrom(row),
  };
  const missingPets = new Set([
    ...notIn(loaded.pets, row.existing),
    ...notIn(loaded.removedPets, row.existing_removed),
  ]);
  const hasCategoryLock = answers.lockOfCategories?.[0]?.[0] === 't';
  const held: [string, string][] | null = JSON.parse(answers.keys?.[0]?.[0] ?? 'null');
  const heldKeys = new Set(held?.map(([owner, key]) => nameOf({ owner, key })));
  const rows = new LoadedRows(loaded);

  function isLocked(write: Write): boolean {
    const { petId, orderId, categoryId, categoryName, key } = needOf(write);
    if ((categoryId ?? categoryName) !== undefined && !hasCategoryLock) return false;
    if (key && heldKeys.has(nameOf(key))) return false;
    const animal = orderId === undefined ? petId : rows.order(orderId)?.petId;
    return animal === undefined || !missingPets.has(animal);
  }
  return { rows, isLocked };
}

function notIn(locked: readonly { readonly id: bigint }[], ids: readonly string[] | null = []): bigint[] {
  const isLocked = new Set(locked.map(({ id }) => id));
  return (ids ?? []).map(BigInt).filter((id) => !isLocked.has(id));
}

function readFrom(row: Parts): Omit<Loaded, 'now' | 'pets' | 'removedPets'> {
  return {
    deciding: (row.deciding ?? []).map(([petId, id, status]) => ({
      petId: BigInt(petId),
      id: BigInt(id),
      status,
    })),
    orders: (row.orders ?? []).map(orderTable.fromRow),
    results: (row.results ?? []).map(resultTable.fromRow),
    categories: (row.categories ?? []).map(categoryTable.fromRow),
    inventory: (row.inventory ?? [])
      .map((counts) => counts.map(BigInt))
      .map(([id = 0n, available = 0n, pending = 0n, sold = 0n]) => [id, { available, pending, sold }]),
    newPetIds: (row.pet_ids ?? []).map(BigInt),
    newOrderIds: (row.order_ids ?? []).map(BigInt),
    newCategoryIds: (row.category_ids ?? []).map(BigInt),
  };
}
