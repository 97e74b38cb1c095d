import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import * as postgresCategories from '../../src/store/postgres/categories.ts';
import * as postgresEvents from '../../src/store/postgres/events.ts';
import * as postgresIdempotency from '../../src/store/postgres/idempotency.ts';
import * as postgresKeys from '../../src/store/postgres/keys.ts';
import * as postgresOrders from '../../src/store/postgres/orders.ts';
import * as postgresPetCreates from '../../src/store/postgres/pet-creates.ts';
import * as postgresPetReads from '../../src/store/postgres/pet-reads.ts';
import * as postgresPets from '../../src/store/postgres/pets.ts';
import * as postgresRemovedPets from '../../src/store/postgres/removed-pets.ts';
import * as sqliteCategories from '../../src/store/sqlite/categories.ts';
import * as sqliteEvents from '../../src/store/sqlite/events.ts';
import * as sqliteIdempotency from '../../src/store/sqlite/idempotency.ts';
import * as sqliteKeys from '../../src/store/sqlite/keys.ts';
import { migrate } from '../../src/store/sqlite/migrate.ts';
import * as sqliteOrders from '../../src/store/sqlite/orders.ts';
import * as sqlitePets from '../../src/store/sqlite/pets.ts';
import * as sqliteRemovedPets from '../../src/store/sqlite/removed-pets.ts';

const STORE = join(import.meta.dirname, '../../src/store');

/** Files that PostgreSQL does not need: copying a whole database, and the reads of a tick in one transaction. */
const SQLITE_ONLY = ['dump.ts', 'read-transactions.ts'];

/** Operations of the store as a whole, which belong to no resource. */
const WHOLE_STORE = ['close', 'ready', 'size', 'version'];

/** The functions of each file in sqlite/. */
function sqliteFunctions() {
  const db = new DatabaseSync(':memory:');
  migrate(db, ':memory:');
  const idempotency = sqliteIdempotency.createIdempotency(db);
  const record = sqliteEvents.eventRecorder(db);
  return {
    pets: { ...sqlitePets.petReads(db), ...sqlitePets.petActions(db, idempotency, record) },
    'removed-pets': {
      ...sqliteRemovedPets.removedPetReads(db),
      ...sqliteRemovedPets.removedPetActions(db, record),
    },
    categories: {
      ...sqliteCategories.categoryReads(db),
      ...sqliteCategories.categoryActions(db, idempotency, record),
    },
    orders: { ...sqliteOrders.orderReads(db), ...sqliteOrders.orderActions(db, idempotency, record) },
    events: { ...sqliteEvents.eventReads(db), ...sqliteEvents.eventActions(db) },
    keys: { ...sqliteKeys.keyReads(db), ...sqliteKeys.keyActions(db) },
    idempotency,
  };
}

/** The functions of each file in postgres/, which creates animals in batches only. */
const postgresFunctions = {
  pets: {
    ...postgresPets,
    ...postgresPetReads.petReads({ read: () => Promise.reject(new Error('there is no database')) }),
    createPets: postgresPetCreates.createPets,
    createPet: postgresPetCreates.createEach,
  },
  'removed-pets': postgresRemovedPets,
  categories: postgresCategories,
  orders: postgresOrders,
  events: postgresEvents,
  keys: postgresKeys,
  idempotency: postgresIdempotency,
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
    const [sqlite = [], postgres = []] = await Promise.all(
      ['sqlite', 'postgres'].map(async (folder) =>
        (await readdir(join(STORE, folder))).filter((name) => name.endsWith('.ts')),
      ),
    );
    assert.ok(sqlite.length > 5, 'no source file was found');
    assert.deepEqual(sqlite.filter((file) => !postgres.includes(file)).sort(), SQLITE_ONLY);
  });

  it('implement each operation of a store in files of the same name', async () => {
    const store = await openStore('sqlite::memory:');
    await store.close();
    const operations = Object.keys(store);
    const found: string[] = [...WHOLE_STORE];
    for (const [file, functions] of Object.entries(sqliteFunctions())) {
      const names = operationsIn(functions, operations);
      const other = postgresFunctions[file as keyof typeof postgresFunctions];
      assert.deepEqual(operationsIn(other, operations), names, `${file}.ts`);
      found.push(...names);
    }
    assert.deepEqual(found.sort(), operations.sort());
  });
});
