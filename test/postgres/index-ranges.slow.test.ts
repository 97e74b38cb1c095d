import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freeCategoryIds } from '../../src/store/category-ids.ts';
import { petList } from '../../src/store/lists.ts';
import { listCategories } from '../../src/store/postgres/categories.ts';
import { listEvents } from '../../src/store/postgres/events.ts';
import { recordKeyUse } from '../../src/store/postgres/keys.ts';
import { listOrders } from '../../src/store/postgres/orders.ts';
import { listRemovedPets, petTable } from '../../src/store/postgres/pets.ts';
import type { Db } from '../../src/store/postgres/pool/connection.ts';
import { INDEXES_ONLY } from '../../src/store/postgres/pool/settings.ts';
import { pageReader } from '../../src/store/postgres/reads/lists.ts';
import { petReads, readPages } from '../../src/store/postgres/reads/pet-reads.ts';
import type { EventQuery, PetQuery } from '../../src/store/store.ts';
import { rejects } from '../support/assert.ts';
import { explaining } from '../support/database/explain.ts';
import { createStore, type Server } from '../support/database/postgres.ts';
import { startVersions } from '../support/database/postgres-versions.ts';
import { connect, runSql } from '../support/database/sql.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';

/**
 * A database with everything that tempts the planner: the animals of one category and all sold ones are old, rows are not in the order of their
 * ids, one animal has nearly all orders, and one category has only available animals.
 */
async function filledDatabase(server: Server, animals: number): Promise<string> {
  const url = await createStore(server);
  await runSql(
    url,
    `
    INSERT INTO pets (id, name, category_id, status, folded_name)
    SELECT n, 'Rex', CASE WHEN n <= ${animals / 2} THEN 7 WHEN n <= ${animals * 0.75} THEN 8 ELSE 1000 + n % ${animals / 10} END,
      CASE WHEN n > ${animals / 4} THEN 'available' WHEN n % 2 = 0 THEN 'sold' ELSE 'pending' END, 'REX'
    FROM (SELECT n FROM generate_series(1, ${animals}) AS n ORDER BY md5(n::text)) AS numbers;
    INSERT INTO removed_pets (id, name, category_id, status, folded_name)
    SELECT ${animals} + n, 'Rex', 7, 'sold', 'REX' FROM generate_series(1, ${animals / 2}) AS n;
    INSERT INTO orders (pet_id, status, folded_note) SELECT 7, 'cancelled', 'MS LEE' FROM generate_series(1, ${animals});
    INSERT INTO orders (pet_id, status, folded_note, completed_at)
    SELECT n, 'completed', 'MS LEE', timestamptz '2026-01-01T00:00:00Z' + n * interval '1 minute' FROM generate_series(1000, 1000 + ${animals / 5}) AS n;
    INSERT INTO events (id, type, pet_id, at, key_id, content)
    SELECT n, 'pet.updated', CASE WHEN n <= ${animals / 2} THEN 7 END, now(), '5', '{}' FROM generate_series(1, ${animals}) AS n;
    INSERT INTO categories (id, name, name_key, name_digest)
    SELECT n, n::text, n::text, n::text FROM generate_series(1, ${animals / 4}) AS n;
    INSERT INTO category_counter (id, last) VALUES (1, ${animals});
    INSERT INTO api_keys (name, digest) SELECT 'till', n::text FROM generate_series(1, 5000) AS n;
    INSERT INTO category_inventory SELECT category_id, status, sum(pets) FROM category_changes GROUP BY 1, 2;
    ANALYZE`,
  );
  return url;
}
const ANIMALS = LONG_RUN ? 120_000 : 60_000;

const readPage = pageReader(petTable, petList);
const search = (db: Db, query: PetQuery) => petReads({ read: (work) => work(db) }).listPets(query);
/** A statement that is only explained returns no row, as if the position were unknown. */
const events = (db: Db, query: EventQuery) => rejects(listEvents(db, query), 'cursor_expired');
const day = (day: number) => new Date(Date.UTC(2026, 0, day));
const from = { id: 3000n };
const ids = Array.from({ length: 50 }, (_, n) => BigInt(n * 100));
/** Some of each database. */
const removedIds = [ANIMALS, ANIMALS / 15].flatMap((first) =>
  Array.from({ length: 25 }, (_, n) => BigInt(first + 1 + n * 150)),
);
const limit = 20;

const reads: Record<string, (db: Db) => Promise<unknown>> = {
  'all animals': (db) => readPage(db, { limit }),
  'all animals, a later page': (db) => readPage(db, { limit, from }),
  'animals with a status': (db) => readPage(db, { limit, status: 'sold' }),
  'animals with a status, a later page': (db) => readPage(db, { limit, status: 'available', from }),
  'animals by ids': (db) => readPage(db, { limit, ids }),
  'animals by ids and category': (db) => readPage(db, { limit, ids, categoryId: 7n, status: 'sold' }),
  'animals of a category': (db) => readPage(db, { limit, categoryId: 7n }),
  'animals of a category, a later page': (db) => readPage(db, { limit, categoryId: 7n, from }),
  'animals of a category with a status': (db) => readPage(db, { limit, categoryId: 7n, status: 'sold' }),
  'animals of a category with a status, a later page': (db) =>
    readPage(db, { limit, categoryId: 7n, status: 'pending', from }),
  'animals of a category without any': (db) => readPage(db, { limit, categoryId: -5n }),
  'animals of a category without a reserved or sold one': (db) => readPage(db, { limit, categoryId: 8n }),
  'animals of a category with a status that none has': (db) =>
    readPage(db, { limit, categoryId: 8n, status: 'sold' }),
  'many pages at once': (db) =>
    readPages(db, [
      { limit, status: 'sold' },
      { limit, from },
      { limit, status: 'available', from },
      { limit, categoryId: 7n },
      { limit, categoryId: 7n, status: 'sold' as const, from },
      { limit, categoryId: 8n },
      { limit, categoryId: 8n, status: 'pending' as const },
    ]),
  'animals by name': (db) => search(db, { limit, name: 'ex' }),
  'animals by several words': (db) => search(db, { limit, name: 'ex r' }),
  'animals by name, a later page': (db) => search(db, { limit, name: 'ex', from }),
  'animals by name with a status': (db) => search(db, { limit, name: 'ex', status: 'sold' }),
  'animals by name with a category and a status': (db) =>
    search(db, { limit, name: 'ex', categoryId: 7n, status: 'sold', from }),
  'animals by name with a category without a reserved or sold one': (db) =>
    search(db, { limit, name: 'ex', categoryId: 8n }),
  'animals by name and ids': (db) => search(db, { limit, name: 'ex', ids, status: 'sold' }),
  'removed animals': (db) => listRemovedPets(db, { limit }),
  'removed animals, a later page': (db) => listRemovedPets(db, { limit, from }),
  'removed animals by ids': (db) => listRemovedPets(db, { limit, ids: removedIds }),
  'removed animals by ids and name, a later page': (db) =>
    listRemovedPets(db, { limit, ids: removedIds, name: 'ex', from }),
  'orders by note': (db) => listOrders(db, { limit, note: 'lee' }),
  'orders by note with a status': (db) => listOrders(db, { limit, note: 'lee', status: 'completed' }),
  'orders that were completed in a time': (db) =>
    listOrders(db, { limit, completedFrom: day(10), completedBefore: day(12) }),
  'orders that were completed from a time on, a later page': (db) =>
    listOrders(db, { limit, completedFrom: day(10), from: { id: 500n, key: `${day(11).getTime()}` } }),
  'all orders': (db) => listOrders(db, { limit }),
  'orders with a status': (db) => listOrders(db, { limit, status: 'cancelled' }),
  'orders with a status that none has': (db) => listOrders(db, { limit, status: 'returned' }),
  'orders of an animal': (db) => listOrders(db, { limit, petIds: [7n] }),
  'orders of an animal, a later page': (db) => listOrders(db, { limit, petIds: [7n], from }),
  'orders of an animal with a status': (db) => listOrders(db, { limit, petIds: [7n], status: 'cancelled' }),
  'orders of an animal with a status that none has': (db) =>
    listOrders(db, { limit, petIds: [7n], status: 'returned' }),
  'orders of several animals': (db) => listOrders(db, { limit, petIds: [7n, 1005n, 1007n] }),
  'orders of several animals with a status, a later page': (db) =>
    listOrders(db, { limit, petIds: [7n, 1005n, 1007n], status: 'cancelled', from }),
  'orders by note of an animal with a status that none has': (db) =>
    listOrders(db, { limit, note: 'lee', petIds: [7n], status: 'returned' }),
  events: (db) => events(db, { limit }),
  'events of an animal, the newest first': (db) => events(db, { limit, petId: 7n, order: 'newest' }),
  'events of an animal and a key': (db) => events(db, { limit, petId: 7n, keyIds: ['5'] }),
  'events of a type, the newest first': (db) =>
    events(db, { limit, types: ['pet.updated'], order: 'newest' }),
  'all categories': (db) => listCategories(db, { limit }),
  'identifiers for new categories': (db) =>
    db.query(freeCategoryIds('$1::int8', '$2::int8'), [10, 2n ** 52n]),
  'keys that were used': (db) => recordKeyUse(db, [{ id: '7', at: new Date() }]),
};

/** The settings with which an index looks cheap, and those with which it looks most expensive. */
const COSTS = ["effective_cache_size = '4GB'", "effective_cache_size = '1MB'"];

const versions = await Promise.all(
  (await startVersions()).map(async ({ name, server }) => ({
    name,
    databases: await Promise.all([ANIMALS, ANIMALS / 15].map((animals) => filledDatabase(server, animals))),
  })),
);

for (const { name, databases } of versions)
  describe(`In ${name}, the cost of a list does not depend on how many rows do not match`, () => {
    for (const [what, read] of Object.entries(reads))
      it(what, async (t) => {
        for (const url of databases) {
          const sql = connect(t, url, { settings: INDEXES_ONLY });
          for (const cost of COSTS) {
            await sql.unsafe(`SET ${cost}`);
            const { db, plan } = explaining(sql);
            await read(db);
            const shown = `${cost}\n${plan()}`;
            assert.match(plan(), /Index (?:Only )?Scan/, shown);
            assert.doesNotMatch(plan(), /Seq Scan|Removed by Filter: \d{3}|rows=\d{4,}[.\d]* loops/, shown);
            const pages = Number(/Buffers: shared hit=(\d+)/.exec(plan())?.[1]);
            // Given ids are looked up one by one, by a search twice.
            assert.ok(pages < 400, `${pages} pages\n${shown}`);
          }
        }
      });
  });
