import { DatabaseSync } from 'node:sqlite';
import { createTables } from './create-tables.ts';
import { insertAnimals } from './rows.ts';

/** node fill.ts ours|plain FILE COUNT: creates a database with COUNT animals, in its own process because it takes a while. */
const [schema, file = '', count] = process.argv.slice(2);

/** The schema one would write by hand. Ours also maintains counts and more, which a competitor should not pay for. */
const PLAIN = `
  CREATE TABLE pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    category_id INTEGER NOT NULL,
    status TEXT NOT NULL
  );
  CREATE INDEX pets_by_status ON pets (status);`;

if (schema === 'ours') await createTables(`sqlite:${file}`);
const db = new DatabaseSync(file);
db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
if (schema === 'plain') db.exec(PLAIN);
const numbers = `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${count})`;
db.exec(`${numbers} ${insertAnimals('numbers', { isOurs: schema === 'ours' })}`);
db.exec('PRAGMA journal_mode = WAL');
db.close();
