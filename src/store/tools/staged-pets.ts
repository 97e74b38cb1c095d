import { categoryNameDigest } from '../../contract/category.ts';
import { nameKey } from '../../contract/name-key.ts';
import { count, integer, nullable, type TableDefinition, text, word } from '../table.ts';
import { type ImportedPet, type ImportOptions, type RowProblem, RowsRefused } from './pet-transfer.ts';

/**
 * An import first writes its rows into a temporary table `staged_pets`, numbered by `place`, and then brings them into the store
 * with the statements of this file, which are the same for SQLite and PostgreSQL. The columns are those of `pets`, `line`,
 * `category`, and the digest by which a category is found; NULL is a value that the row does not have.
 */
export const stagedTable: TableDefinition<ImportedPet> = {
  name: 'staged_pets',
  columns: {
    id: nullable(integer('id')),
    name: nullable(text('name')),
    categoryId: nullable(integer('category_id')),
    category: nullable(text('category')),
    status: nullable(word('status')),
    line: nullable(count('line')),
  },
  derived: {
    folded_name: ({ name }) => (name === undefined ? null : nameKey(name)),
    category_digest: ({ category }) => (category === undefined ? null : categoryNameDigest(category)),
  },
};

/**
 * The categories to create, each once per identifier: those with an identifier first, because a name alone means the category that
 * another row gives an identifier to.
 */
export const NEW_CATEGORIES = `
  SELECT category_id AS id, category AS name FROM staged_pets AS staged
  WHERE place IN (
      SELECT min(place) FROM staged_pets WHERE category IS NOT NULL GROUP BY category_digest, category_id)
    AND NOT EXISTS (SELECT 1 FROM categories WHERE name_digest = staged.category_digest OR id = staged.category_id)
  ORDER BY category_id IS NULL, place`;

/** So that a new category is not given an identifier that a row uses. */
export const INDEX_CATEGORIES = 'CREATE INDEX staged_by_category ON staged_pets (category_id)';

export interface CategoryToCreate {
  readonly id: bigint | null;
  readonly name: string;
}

/** Those of the categories that contradict none before them. The others are problems of their rows. */
export function withoutConflicts(categories: readonly CategoryToCreate[]): CategoryToCreate[] {
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

const CONTRADICTION = `
  SELECT place, line, 'category is not the name of this categoryId: leave one of the two out' AS problem
  FROM staged_pets AS staged
  WHERE category IS NOT NULL AND category_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM categories WHERE id = staged.category_id AND name_digest = staged.category_digest)`;

const CANNOT_CHANGE = `
  SELECT place, line, 'there is no animal with the id ' || id FROM staged_pets AS staged
  WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM pets WHERE id = staged.id)
  UNION ALL
  SELECT place, line, 'the animal has an open order, which decides its status: leave the status out'
  FROM staged_pets AS staged JOIN pets ON pets.id = staged.id
  WHERE staged.status <> pets.status
    AND EXISTS (SELECT 1 FROM orders WHERE pet_id = staged.id AND orders.status = 'placed')
  UNION ALL
  SELECT place, line, 'an earlier row has the same id'
  FROM (SELECT place, line, row_number() OVER (PARTITION BY id ORDER BY place) AS use
    FROM staged_pets WHERE id IS NOT NULL) AS numbered
  WHERE use > 1`;

/** The rows that do not fit what is in the store, after the categories were created. */
export const rowProblems = (update: boolean): string =>
  `${update ? `${CONTRADICTION} UNION ALL ${CANNOT_CHANGE}` : CONTRADICTION} ORDER BY place LIMIT ${REPORTED + 1}`;

export function assertNoProblems(problems: readonly RowProblem[]): void {
  if (problems.length === 0) return;
  throw new RowsRefused(problems.slice(0, REPORTED), problems.length <= REPORTED);
}

const CATEGORY_ID =
  'coalesce(staged.category_id, (SELECT id FROM categories WHERE name_digest = staged.category_digest))';

/** Only animals that are not as their row says: a spreadsheet that comes back is mostly unchanged. */
const DIFFERS = `staged.id = pets.id
    AND (staged.name <> pets.name OR ${CATEGORY_ID} <> pets.category_id OR staged.status <> pets.status)`;
const [NAME, CATEGORY, STATUS] = [
  'coalesce(staged.name, pets.name)',
  `coalesce(${CATEGORY_ID}, pets.category_id)`,
  'coalesce(staged.status, pets.status)',
];

/** The animals that `CHANGE_PETS` changes, as they will be and, in columns that begin with `old_`, as they are. */
export const CHANGED_PETS = `
  SELECT pets.id AS id, ${NAME} AS name, ${CATEGORY} AS category_id, ${STATUS} AS status,
    pets.id AS old_id, pets.name AS old_name, pets.category_id AS old_category_id, pets.status AS old_status
  FROM pets JOIN staged_pets AS staged ON ${DIFFERS}`;

export const CHANGE_PETS = `
  UPDATE pets SET name = ${NAME}, folded_name = coalesce(staged.folded_name, pets.folded_name), category_id = ${CATEGORY}, status = ${STATUS}
  FROM staged_pets AS staged WHERE ${DIFFERS}`;

/** Adds all rows with their ids, or in their order with new ones; in an update those without an id. */
export function addPets({ keepIds = false, update = false }: ImportOptions): string {
  const id = keepIds ? 'id, ' : '';
  return `
    INSERT INTO pets (${id}name, category_id, status, folded_name)
    SELECT ${id}name, ${CATEGORY_ID}, status, folded_name FROM staged_pets AS staged
    ${update ? 'WHERE id IS NULL' : ''} ORDER BY ${keepIds ? 'id' : 'place'}`;
}
