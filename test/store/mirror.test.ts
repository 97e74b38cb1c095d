import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { actionsOn } from '../../src/store/actions.ts';
import { openStore } from '../../src/store/open.ts';
import * as postgresCategories from '../../src/store/postgres/categories.ts';
import * as postgresEvents from '../../src/store/postgres/events.ts';
import * as postgresInventory from '../../src/store/postgres/inventory.ts';
import * as postgresKeys from '../../src/store/postgres/keys.ts';
import * as postgresOrders from '../../src/store/postgres/orders.ts';
import * as postgresPets from '../../src/store/postgres/pets.ts';
import * as postgresPetReads from '../../src/store/postgres/reads/pet-reads.ts';
import type { Rows } from '../../src/store/rows.ts';
import * as sqliteCategories from '../../src/store/sqlite/categories.ts';
import * as sqliteEvents from '../../src/store/sqlite/events.ts';
import * as sqliteInventory from '../../src/store/sqlite/inventory.ts';
import * as sqliteKeys from '../../src/store/sqlite/keys.ts';
import * as sqliteOrders from '../../src/store/sqlite/orders.ts';
import * as sqlitePets from '../../src/store/sqlite/pets.ts';
import { migrate } from '../../src/store/sqlite/schema/migrate.ts';

const STORE = join(import.meta.dirname, '../../src/store');

/** What PostgreSQL does not need, or has in pool/: a connection, the file, the reads of a tick in one transaction, and the thread of the writer. */
const SQLITE_ONLY = [
  'connection.ts',
  'file-identity.ts',
  'reads/read-transactions.ts',
  'writer/threaded-writer.ts',
  'writer/writer-thread.ts',
];
/** The folders for the same jobs. */
const FOLDERS = ['.', 'reads', 'schema', 'tools', 'writer'];

/** Operations of the store as a whole, which belong to no resource. */
const WHOLE_STORE = ['close', 'ready', 'size', 'version'];

/** The reads of each file in sqlite/, and the writes of keys: all others are in store/actions.ts, for both stores. */
function sqliteFunctions() {
  const db = new DatabaseSync(':memory:');
  migrate(db, ':memory:');
  return {
    pets: sqlitePets.petReads(db),
    inventory: sqliteInventory.inventoryReads(db),
    categories: sqliteCategories.categoryReads(db),
    orders: sqliteOrders.orderReads(db),
    events: sqliteEvents.eventReads(db),
    keys: { ...sqliteKeys.keyReads(db), ...sqliteKeys.keyActions(db) },
  };
}

const noDatabase = { read: () => Promise.reject(new Error('there is no database')) };

/** The functions of each file in postgres/. */
const postgresFunctions = {
  pets: { ...postgresPets, ...postgresPetReads.petReads(noDatabase, noDatabase) },
  inventory: postgresInventory,
  categories: postgresCategories,
  orders: postgresOrders,
  events: postgresEvents,
  keys: postgresKeys,
};

/** The names of the functions among these that are operations of a store. */
function operationsIn(functions: object, operations: readonly string[]): string[] {
  const names = Object.entries(functions).filter(([, value]) => typeof value === 'function');
  return names
    .map(([name]) => name)
    .filter((name) => operations.includes(name))
    .sort();
}

describe('The folders sqlite/ and postgres/', () => {
  it('have a file of the same name for the same purpose', async () => {
    const filesIn = async (store: string) => {
      const names = await Promise.all(
        FOLDERS.map(async (folder) =>
          (await readdir(join(STORE, store, folder))).map((name) => join(folder, name)),
        ),
      );
      return names.flat().filter((name) => name.endsWith('.ts'));
    };
    const [sqlite, postgres] = await Promise.all([filesIn('sqlite'), filesIn('postgres')]);
    assert.ok(sqlite.length > 15, 'no source file was found');
    assert.deepEqual(sqlite.filter((file) => !postgres.includes(file)).sort(), SQLITE_ONLY);
  });

  it('implement each operation of a store in files of the same name', async () => {
    const store = await openStore('sqlite::memory:');
    await store.close();
    const operations = Object.keys(store);
    const shared = Object.keys(actionsOn({} as Rows));
    const found: string[] = [...WHOLE_STORE, ...shared];
    for (const [file, functions] of Object.entries(sqliteFunctions())) {
      const names = operationsIn(functions, operations);
      const other = postgresFunctions[file as keyof typeof postgresFunctions];
      assert.deepEqual(operationsIn(other, operations), names, `${file}.ts`);
      found.push(...names);
    }
    assert.deepEqual(found.sort(), operations.sort());
  });
});
