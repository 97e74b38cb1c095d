import { categoryNameDigest } from '../../../contract/category.ts';
import type { Order } from '../../../contract/order.ts';
import type { Actions, Write } from '../../actions.ts';
import { freeCategoryIds, randomCategoryId } from '../../category-ids.ts';
import { UpgradedMeanwhile } from '../../migrations.ts';
import type { IdempotencyKey, WriteOptions } from '../../store.ts';
import { categoryTable } from '../categories.ts';
import { resultTable } from '../idempotency.ts';
import { countsByCategory, inventoryIn } from '../inventory.ts';
import { orderTable } from '../orders.ts';
import { petTable, removedPetTable } from '../pets.ts';
import type { Db, TextRow, Value } from '../pool/connection.ts';
import { NEWEST_VERSION } from '../schema/migrate.ts';
import { arrayOf, rowsAsJson, type Table } from '../table.ts';
import { LoadedRows, nameOf } from './loaded-rows.ts';
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

/** A SELECT of one value, a JSON array, and what reads its items. */
interface Part extends Template {
  readonly select: string;
  readonly read: (item: never) => unknown;
}

const part = <Item, T>(select: string, read: (item: Item) => T) => ({ ...template(select), select, read });
const itemsOf = <T>(table: Table<T>, select: string) => part(rowsAsJson(table, select), table.fromRow);
const idsFrom = (select: string) => part<string, bigint>(select, BigInt);

/** The ids of those that exist, locked or not. */
const existing = (table: string, ids: string) =>
  idsFrom(`SELECT json_agg(id::text) FROM ${table} WHERE id = ANY (${ids})`);

const newIds = (sequence: string, count: '@newPets' | '@newOrders') =>
  idsFrom(`SELECT json_agg(nextval('${sequence}')::text) FROM generate_series(1, ${count})`);

/** What depends on what is locked; the animal of an order is, and all categories by one lock. Each is a column of one row, if it is needed. */
const PARTS = {
  existing: existing('pets', PET_IDS),
  existingRemoved: existing('removed_pets', REMOVED_IDS),
  orders: itemsOf(orderTable, `${orderTable.select} WHERE id = ANY (@orders)`),
  deciding: part(
    `SELECT json_agg(ARRAY[pet_id::text, id::text, status]) FROM unnest(${PET_IDS}) AS animal (animal_id)
     CROSS JOIN LATERAL (
       SELECT pet_id, id, status FROM orders WHERE pet_id = animal_id AND status = 'placed'
       UNION ALL SELECT pet_id, id, status FROM orders WHERE pet_id = animal_id AND status = 'completed') AS deciding`,
    ([petId, id, status]: [string, string, Order['status']]) => ({
      petId: BigInt(petId),
      id: BigInt(id),
      status,
    }),
  ),
  results: itemsOf(
    resultTable,
    `SELECT ${resultTable.list} FROM idempotency_keys JOIN unnest(@owners, @keys) AS given (owner, key) USING (owner, key)`,
  ),
  categories: itemsOf(
    categoryTable,
    `${categoryTable.select} WHERE id = ANY (@categories) OR name_digest = ANY (@names)`,
  ),
  inventory: part(
    `SELECT json_agg(ARRAY[category_id::text, available::text, pending::text, sold::text])
     FROM (${countsByCategory('SELECT unnest(@categories)')}) AS counts`,
    ([id, ...counts]: [id: string, ...counts: string[]]) => [BigInt(id), inventoryIn(counts)] as const,
  ),
  newCategoryIds: idsFrom(
    `SELECT json_agg(id::text ORDER BY id) FROM (${freeCategoryIds('@newCategories', '@randomId')}) AS free`,
  ),
  newPetIds: newIds('pets_id_seq', '@newPets'),
  newOrderIds: newIds('orders_id_seq', '@newOrders'),
};
type Parts = { readonly [P in keyof typeof PARTS]: ReturnType<(typeof PARTS)[P]['read']>[] };

const ALL_PARTS = Object.entries<Part>(PARTS).map(([name, one]) => ({ name, ...one }));

const ALWAYS = ["date_trunc('milliseconds', clock_timestamp())", '(SELECT max(version) FROM migrations)'];
const statements = new Map<string, Template>();

/** The statement that reads these parts. Each combination of them is prepared once per connection. */
function readStatement(parts: typeof ALL_PARTS): Template {
  const key = parts.map(({ name }) => name).join();
  const columns = () => [...ALWAYS, ...parts.map(({ select }) => `(${select})`)];
  const statement = statements.get(key) ?? template(`SELECT ${columns().join(', ')}`);
  statements.set(key, statement);
  return statement;
}

/**
 * Begins a transaction, locks what the writes of a batch are about, and reads everything that decides them, in one round trip. What
 * depends on the locked rows is read by a statement of its own, which sees them as they are now. To remove a category, its animals are
 * counted under the lock on the events, and so is the identifier of a new one chosen: no animal gets into it before the commit.
 *
 * Returns the rows, and which writes can be decided: those for which everything is locked.
 */
export async function load(sql: Db, writes: readonly Write[], lockMs?: number) {
  const needs = writes.map(needOf);
  const values = valuesOf(needs);
  const needed = ALL_PARTS.filter((one) => isNeeded(one, values));
  const statement = ({ text, names }: Template) => ({ text, values: names.map((name) => values[name]) });
  const ifNeeded = (one: Template) => isNeeded(one, values) && statement(one);
  const hasCategories = isAny(values.categories) || isAny(values.names);
  const locksEvents = needs.some(({ removesCategory, newCategory }) => removesCategory || newCategory);
  // Before the lock on the events: if another program has locked a table, only this batch waits for it.
  const written = values.newPets === 0 ? 'categories' : 'categories, pets';
  const [, [lockOfCategories], pets, removedPets, held, , , [row = []]] = await sql.together([
    { text: beginText(lockMs) },
    hasCategories && { text: TRY_LOCK_CATEGORIES, values: [] },
    ifNeeded(LOCK_PETS),
    ifNeeded(LOCK_REMOVED),
    ifNeeded(LOCK_KEYS),
    locksEvents && { text: `LOCK TABLE ${written} IN ROW EXCLUSIVE MODE` },
    locksEvents && lockEvents(lockMs),
    statement(readStatement(needed)),
  ]);
  const [now, version, ...found] = row;
  if (Number(version) > NEWEST_VERSION) throw new UpgradedMeanwhile();
  const loaded = {
    now: new Date(now ?? ''),
    pets: pets.map(petTable.fromRow),
    removedPets: removedPets.map(removedPetTable.fromRow),
    ...partsIn(found, needed),
  };
  const missingPets = new Set([
    ...notIn(loaded.pets, loaded.existing),
    ...notIn(loaded.removedPets, loaded.existingRemoved),
  ]);
  const heldKeys = new Set((held as [string, string][]).map(([owner, key]) => nameOf({ owner, key })));
  const rows = new LoadedRows(loaded);

  function isLocked(write: Write): boolean {
    const { petId, orderId, categoryId, categoryName, key } = needOf(write);
    if ((categoryId ?? categoryName) !== undefined && lockOfCategories?.[0] !== 't') return false;
    if (key && heldKeys.has(nameOf(key))) return false;
    const animal = orderId === undefined ? petId : rows.order(orderId)?.petId;
    return animal === undefined || !missingPets.has(animal);
  }
  return { rows, isLocked };
}

/** The parts that were read; the others are empty. */
function partsIn(found: TextRow, needed: typeof ALL_PARTS): Parts {
  const parts = ALL_PARTS.map((one) => {
    const json = found[needed.indexOf(one)];
    return [one.name, json ? (JSON.parse(json) as never[]).map(one.read) : []];
  });
  return Object.fromEntries(parts) as Parts;
}

function notIn(locked: readonly { readonly id: bigint }[], ids: readonly bigint[]): bigint[] {
  const isLocked = new Set(locked.map(({ id }) => id));
  return ids.filter((id) => !isLocked.has(id));
}
