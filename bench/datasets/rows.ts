/** The animals that all contenders share: the columns of animal number i, in SQL that SQLite and PostgreSQL both accept. */
const WORDS =
  'Rex the quick brown dog jumps over Whiskers the lazy cat and sleeps by the old oak tree until the morning comes';

const from = 'CAST(1 + i * 31 % 60 AS integer)';
const length = 'CAST(18 + i * 7919 % 17 AS integer)';
const name = `trim(substr('${WORDS}', ${from}, ${length})) || ' ' || i`;
const categoryId = '1 + i * 104729 % 500';
/** 70 % are available, 10 % pending, 20 % sold. */
const status = `CASE WHEN i * 7919 % 10 < 7 THEN 'available' WHEN i * 7919 % 10 < 8 THEN 'pending' ELSE 'sold' END`;

/** How the names of the first categories begin; the others have no name. */
export const CATEGORY_NAME = 'category of the benchmark';
export const NAMED_CATEGORIES = 100;

/** The column of our own tables that the service computes: the searched form of names of ASCII characters. Triggers keep the counts. */
const derived = { folded_name: `upper(${name})` };

/** The statement that inserts one animal for each number `i` of `source`. */
export function insertAnimals(source: string, { table = 'pets', isOurs = true } = {}): string {
  const columns = { name, category_id: categoryId, status, ...(isOurs && derived) };
  return `INSERT INTO ${table} (${Object.keys(columns)}) SELECT ${Object.values(columns).join(', ')} FROM ${source}`;
}
