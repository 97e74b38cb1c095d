import { DatabaseSync } from 'node:sqlite';

/** What one commit per create allows: inserts animals one after the other, each in its own commit. Prints the rate. */
const [file = '', seconds = ''] = process.argv.slice(2);

const db = new DatabaseSync(file);
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
const insert = db.prepare("INSERT INTO pets (name, category_id, status) VALUES ('Rex', 7, 'available')");
const started = performance.now();
let commits = 0;
while (performance.now() - started < Number(seconds) * 1000) {
  insert.run();
  commits++;
}
process.stdout.write(`${(commits * 1000) / (performance.now() - started)}\n`);
db.close();
