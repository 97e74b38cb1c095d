import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../src/store/open.ts';
import { insertAnimals } from './rows.ts';

/** node fill.ts ours|plain FILE COUNT: makes a database of so many animals. In a process of its own: it takes a while. */
const [schema, file = '', count] = process.argv.slice(2);

/** What people write by hand; our own has counts and more to keep up, which a peer should not pay for. */
const PLAIN = `
  CREATE TABLE pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    category_id INTEGER NOT NULL,
    status TEXT NOT NULL
  );
  CREATE INDEX pets_by_status ON pets (status);`;

if (schema === 'ours') await (await openStore(`sqlite:${file}`)).close();
const db = new DatabaseSync(file);
db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
if (schema === 'plain') db.exec(PLAIN);
const numbers = `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${count})`;
db.exec(`${numbers} ${insertAnimals('numbers')}`);
db.exec('PRAGMA journal_mode = WAL');
db.close();
