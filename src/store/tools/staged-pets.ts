import { type CategoryName, categoryNameDigest } from '../../contract/category.ts';
import { ApiError } from '../../contract/errors.ts';
import { categoryEvent, type ImportSummary, importEvent, type NewEvent } from '../../contract/event.ts';
import { foldText } from '../../contract/folded-text.ts';
import { INT64_MIN } from '../../contract/int64.ts';
import type { Pet, PetUpdate } from '../../contract/pet.ts';
import { updatePet } from '../../contract/rules/pets.ts';
import {
  type Columns,
  count,
  nullable,
  rowReader,
  type TableColumn,
  type TableDefinition,
  text,
} from '../columns.ts';
import { StoreError } from '../store.ts';
import { tables } from '../tables.ts';
import {
  type ImportedPet,
  type ImportOptions,
  type ImportResult,
  type RowProblem,
  RowsRefused,
} from './pet-transfer.ts';

const petColumns = Object.entries(tables.pets.columns);

/**
 * An import first writes its rows into a temporary table `staged_pets`, numbered by `place`, and then brings them into the store
 * with the steps of this file, which are the same for SQLite and PostgreSQL. The columns are those of `pets`, `line`,
 * `category`, and the digest by which a category is found; NULL is a value that the row does not have.
 */
export const stagedTable: TableDefinition<ImportedPet> = {
  name: 'staged_pets',
  columns: {
    ...(Object.fromEntries(petColumns.map(([field, column]) => [field, nullable(column)])) as Columns<
      Omit<ImportedPet, 'category' | 'line'>
    >),
    category: nullable(text('category')),
    line: nullable(count('line')),
  },
  derived: {
    folded_name: ({ name }) => (name === undefined ? null : foldText(name)),
    category_digest: ({ category }) => (category === undefined ? null : categoryNameDigest(category)),
  },
};

/** The transaction of an import, as each store provides it. SQLite has every result at once, so that no event, such as Ctrl-Z, comes between. */
export interface ImportTransaction {
  /** The columns of animals, with how the store reads them. */
  readonly columns: readonly TableColumn<unknown>[];
  /** The table of the animals that an update may change, which `lockPets` has locked. */
  readonly changeable: string;
  rows<Row>(statement: string): Row[] | Promise<Row[]>;
  lockPets(options: ImportOptions): void | Promise<void>;
  /** Takes identifiers for new categories that no staged row has. */
  takeCategoryIds(count: number): bigint[] | Promise<bigint[]>;
  addCategories(categories: readonly CategoryName[]): void | Promise<void>;
  changePets(pets: readonly Pet[]): void | Promise<void>;
  /** Runs a statement that adds animals. */
  addPets(statement: string): ImportSummary | Promise<ImportSummary>;
  record(events: readonly NewEvent[]): void | Promise<void>;
}

const ANY_ANIMAL = 'SELECT 1 AS found FROM pets UNION ALL SELECT 1 FROM removed_pets LIMIT 1';

/** Brings the staged rows into the store. The animals that are added are one event, however many they are. With `isCheck`, it only finds problems. */
export async function importStaged(
  given: ImportTransaction,
  options: ImportOptions,
  isCheck: boolean,
): Promise<ImportResult> {
  const store = isCheck ? await withoutWrites(given) : given;
  const { keepIds, update } = options;
  const categories = await createCategories(store);
  await store.lockPets(options);
  if (keepIds && (await store.rows(ANY_ANIMAL)).length > 0)
    throw new StoreError('ids can only be kept in a store without animals: import without --keep-ids');
  const checks = [CONTRADICTION];
  if (keepIds || update) {
    await store.rows(INDEX_IDS);
    checks.push(REPEATED_ID);
  }
  if (update) checks.push(unknownId(store.changeable));
  const problems = await store.rows<PlacedProblem>(
    `${checks.join(' UNION ALL ')} ORDER BY place LIMIT ${REPORTED + 1}`,
  );
  const { changed, refused } = update ? await change(store) : { changed: 0, refused: [] };
  assertNoProblems([...problems, ...refused]);
  if (isCheck) return { added: 0, changed, categories };
  const summary = await store.addPets(addPets(options));
  if (summary.count > 0n) await store.record([importEvent(summary)]);
  return { added: Number(summary.count), changed, categories };
}

/**
 * The same transaction for a check, without locks and writes. The categories that would be created are in a temporary table, which hides that of the
 * store: rows that contradict each other are found as well.
 */
async function withoutWrites(store: ImportTransaction): Promise<ImportTransaction> {
  await store.rows('CREATE TEMPORARY TABLE categories AS SELECT id, name_digest FROM categories');
  await store.rows('CREATE INDEX categories_by_digest ON categories (name_digest)');
  return {
    ...store,
    changeable: 'pets',
    lockPets() {},
    takeCategoryIds: (count) => Array.from({ length: count }, (_, i) => INT64_MIN + BigInt(i)),
    async addCategories(categories) {
      const values = categories.map(({ id, name }) => `(${id}, '${categoryNameDigest(name)}')`);
      await store.rows(`INSERT INTO categories VALUES ${values.join()}`);
    },
    changePets() {},
    record() {},
  };
}

async function createCategories(store: ImportTransaction): Promise<CategoryName[]> {
  const missing = withoutConflicts(await store.rows<CategoryToCreate>(NEW_CATEGORIES));
  if (missing.length === 0) return [];
  await store.rows(INDEX_CATEGORIES);
  const ids = await store.takeCategoryIds(missing.filter(({ id }) => id === null).length);
  const created = missing.map(({ id, name }) => ({ id: id ?? (ids.shift() as bigint), name }));
  await store.addCategories(created);
  await store.record(created.map((category) => categoryEvent('category.created', category)));
  return created;
}

/** Each animal that changes is an event, as if it had been changed alone. */
async function change(store: ImportTransaction): Promise<{ changed: number; refused: PlacedProblem[] }> {
  const refused: PlacedProblem[] = [];
  let count = 0;
  for (let after = INT64_MIN; ; ) {
    const chunk = await store.rows<StagedChange>(nextChanges(after, store.changeable));
    const { changed, events, problems } = decideChanges(store.columns, chunk);
    refused.push(...problems);
    await store.changePets(changed);
    await store.record(events);
    count += changed.length;
    const last = chunk.at(-1);
    if (!last) return { changed: count, refused };
    after = last.id;
  }
}

/**
 * The categories to create, each once per identifier: those with an identifier first, because a name alone means the category that
 * another row gives an identifier to.
 */
const NEW_CATEGORIES = `
  SELECT category_id AS id, category AS name FROM staged_pets AS staged
  WHERE place IN (
      SELECT min(place) FROM staged_pets WHERE category IS NOT NULL GROUP BY category_digest, category_id)
    AND NOT EXISTS (SELECT 1 FROM categories WHERE name_digest = staged.category_digest OR id = staged.category_id)
  ORDER BY category_id IS NULL, place`;

/** For the search for identifiers that no row uses. */
const INDEX_CATEGORIES = 'CREATE INDEX staged_by_category ON staged_pets (category_id)';
export const STAGED_CATEGORY_ID = 'staged_pets.category_id';

interface CategoryToCreate {
  readonly id: bigint | null;
  readonly name: string;
}

/** The categories that do not contradict an earlier one. The others are reported as problems of their rows. */
function withoutConflicts(categories: readonly CategoryToCreate[]): CategoryToCreate[] {
  const names = new Set<string>();
  const ids = new Set<bigint>();
  return categories.filter(({ id, name }) => {
    const digest = categoryNameDigest(name);
    if (names.has(digest) || (id !== null && ids.has(id))) return false;
    names.add(digest);
    if (id !== null) ids.add(id);
    return true;
  });
}

const REPORTED = 100;
const CHUNK_ROWS = 1000;

const CONTRADICTION = `
  SELECT place, line, 'category is not the name of this categoryId: leave one of the two out' AS problem
  FROM staged_pets AS staged
  WHERE category IS NOT NULL AND category_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM categories WHERE id = staged.category_id AND name_digest = staged.category_digest)`;

const REPEATED_ID = `
  SELECT staged.place, staged.line, 'line ' || CAST(earlier.line AS bigint) || ' has the same id'
  FROM (SELECT min(place) AS place FROM staged_pets WHERE id IS NOT NULL GROUP BY id HAVING count(*) > 1) AS first
    JOIN staged_pets AS earlier ON earlier.place = first.place
    JOIN staged_pets AS staged ON staged.id = earlier.id AND staged.place > earlier.place`;

const unknownId = (changeable: string) => `
  SELECT place, line, 'there is no animal with the id ' || id FROM staged_pets AS staged
  WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${changeable} WHERE id = staged.id)`;

/** A problem with the place of its row in the file. */
interface PlacedProblem extends RowProblem {
  readonly place: bigint;
}

/** Throws if there are problems, in the order of the file. */
function assertNoProblems(problems: readonly PlacedProblem[]): void {
  if (problems.length === 0) return;
  const inOrder = problems.toSorted((a, b) => Number(a.place - b.place));
  const rows = inOrder.slice(0, REPORTED).map(({ line, problem }) => ({ line: Number(line), problem }));
  throw new RowsRefused(rows, problems.length <= REPORTED);
}

const CATEGORY_ID =
  'coalesce(staged.category_id, (SELECT id FROM categories WHERE name_digest = staged.category_digest))';

/** The value that a row has for a column of `pets`; NULL if it has none. */
const given = (column: string): string => (column === 'category_id' ? CATEGORY_ID : `staged.${column}`);

/** The columns of an animal, those of its row as `new_…`, and the orders that decide whether it may change. */
interface StagedChange extends Readonly<Record<string, unknown>> {
  readonly id: bigint;
  readonly place: bigint;
  readonly line: number | bigint;
  readonly open: bigint | null;
  readonly sale: bigint | null;
}

const INDEX_IDS = 'CREATE INDEX staged_by_id ON staged_pets (id)';

/**
 * The next animals after an id that differ from their row: most rows of an edited export are unchanged. A chunk is decided and
 * written before the next one is read.
 */
const nextChanges = (after: bigint, changeable: string): string => `
  SELECT place, line, ${petColumns.map(([, { name }]) => `pets.${name}, ${given(name)} AS new_${name}`).join()},
    (SELECT max(id) FROM orders WHERE pet_id = pets.id AND status = 'placed') AS open,
    (SELECT max(id) FROM orders WHERE pet_id = pets.id AND status = 'completed') AS sale
  FROM staged_pets AS staged JOIN pets ON staged.id = pets.id
  WHERE staged.id > CAST('${after}' AS bigint) AND EXISTS (SELECT 1 FROM ${changeable} AS changeable WHERE changeable.id = staged.id)
    AND (${petColumns.map(([, { name }]) => `coalesce(${given(name)}, pets.${name}) IS DISTINCT FROM pets.${name}`).join(' OR ')})
  ORDER BY staged.id LIMIT ${CHUNK_ROWS}`;

/** What the rows of a chunk change, by the same rule as a change of one animal, and those that are refused. */
export function decideChanges(columns: ImportTransaction['columns'], chunk: readonly StagedChange[]) {
  const petOf = rowReader<Pet, StagedChange>(columns, (row, name) => row[name]);
  const newColumns = columns.map((column) => ({ ...nullable(column), name: `new_${column.name}` }));
  const updateOf = rowReader<PetUpdate, StagedChange>(newColumns, (row, name) => row[name]);
  const changed: Pet[] = [];
  const events: NewEvent[] = [];
  const problems: PlacedProblem[] = [];
  for (const row of chunk) {
    const orders = { open: withId(row.open), sale: withId(row.sale) };
    try {
      const { pet, event } = updatePet(petOf(row), updateOf(row), orders);
      changed.push(pet);
      if (event) events.push(event);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push({ place: row.place, line: Number(row.line), problem: phrase(error.message) });
    }
  }
  return { changed, events, problems };
}

const withId = (id: bigint | null) => (id === null ? undefined : { id });

/** The message of a refusal, with what to do about it in the file. It is always about the status, and says what to do in the store. */
function phrase(message: string): string {
  const [reason = '', advice = ''] = message
    .split(/\.\s*/)
    .map((text) => text.charAt(0).toLowerCase() + text.slice(1));
  return `${reason}: leave the status out, or ${advice}`;
}

/** Adds all rows with their ids, or in their order with new ones; in an update those without an id. */
function addPets({ keepIds = false, update = false }: ImportOptions): string {
  const names = petColumns.map(([, { name }]) => name).filter((name) => keepIds || name !== 'id');
  return `
    INSERT INTO pets (${names.join()}, folded_name)
    SELECT ${names.map(given).join()}, folded_name FROM staged_pets AS staged
    ${update ? 'WHERE id IS NULL' : ''} ORDER BY ${keepIds ? 'id' : 'place'}`;
}
