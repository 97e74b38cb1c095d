import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { orderReads } from '../../src/store/sqlite/orders.ts';
import { petReads } from '../../src/store/sqlite/pets.ts';
import { migrate } from '../../src/store/sqlite/schema/migrate.ts';

interface PlanStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** The plans of the statements with this text that `work` prepares. */
function plansOf(work: (db: DatabaseSync) => void, text = 'AS looked'): PlanStep[][] {
  const db = new DatabaseSync(':memory:');
  migrate(db, ':memory:');
  const plans: PlanStep[][] = [];
  const prepare = db.prepare.bind(db);
  db.prepare = (sql: string) => {
    if (sql.includes(text)) plans.push(prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as unknown as PlanStep[]);
    return prepare(sql);
  };
  work(db);
  assert.ok(plans.length > 0, 'a statement was prepared');
  return plans;
}

const limit = 20;
const from = { id: 9n };

const searches: Record<string, (db: DatabaseSync) => void> = {
  'animals by name': (db) => petReads(db).searchPets({ limit, name: 're' }),
  'animals by several words': (db) => petReads(db).searchPets({ limit, name: 'max betta' }),
  'animals by name, a later page': (db) => petReads(db).searchPets({ limit, name: 're', from }),
  'animals by name with a status': (db) =>
    petReads(db).searchPets({ limit, name: 're', status: 'sold', from }),
  'animals by name with a category': (db) => petReads(db).searchPets({ limit, name: 're', categoryId: 7n }),
  'removed animals': (db) => petReads(db).listRemovedPets({ limit, name: 're', from }),
  'orders by note': (db) => orderReads(db).searchOrders({ limit, note: 'lee', status: 'completed' }),
  'orders by note of an animal': (db) =>
    orderReads(db).searchOrders({ limit, note: 'lee', petIds: [7n], from }),
  'orders by note of several animals': (db) =>
    orderReads(db).searchOrders({ limit, note: 'lee friday', petIds: [7n, 9n], from }),
  'orders by their completion': (db) => orderReads(db).searchOrders({ limit, completedFrom: new Date(0) }),
  'orders by their completion, a later page': (db) =>
    orderReads(db).searchOrders({ limit, completedBefore: new Date(), from: { id: 7n, key: '5' } }),
};

describe('A search in SQLite', () => {
  for (const [what, search] of Object.entries(searches))
    it(`looks at ${what} in the order of the list: what it does not look at costs nothing`, () => {
      for (const plan of plansOf(search)) {
        const text = plan.map(({ detail }) => detail).join('\n');
        const partsOf = (step: PlanStep): PlanStep[] =>
          plan.filter(({ parent }) => parent === step.id).flatMap((part) => [part, ...partsOf(part)]);
        const looking = plan.filter(({ detail }) => /^CO-ROUTINE (looked|ended)$/.test(detail));
        assert.equal(looking.length, 2, text);
        // What was found may be sorted: one more than the limit at most.
        for (const { detail } of looking.flatMap(partsOf)) assert.doesNotMatch(detail, /TEMP B-TREE/, text);
      }
    });
});

it('A statement of a search in SQLite looks at a fifth of its rows if their texts are long', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, ':memory:');
  const add = db.prepare(
    "INSERT INTO pets (name, folded_name, category_id, status) VALUES (?1, ?1, 1, 'sold')",
  );
  const { searchPets } = petReads(db);
  const lookedAt = (name: string, found = 0) => {
    for (let i = 0; i < 1000; i++) add.run(name);
    const newest = BigInt(db.prepare('SELECT max(id) AS id FROM pets').get()?.id as number);
    const { items, end } = searchPets({ limit: 100, name: 're' });
    assert.equal(items.length, found);
    return Number(newest - (end?.id ?? 0n));
  };
  assert.equal(lookedAt('A'.repeat(200)), 500);
  assert.equal(lookedAt('A'.repeat(201)), 100);
  assert.equal(lookedAt(`${'A'.repeat(201)}RE`, 101), 100);
});

describe('A search among given ids in SQLite', () => {
  const ids = [7n, 9n];
  for (const [what, query] of Object.entries({
    'removed animals': { limit, ids },
    'removed animals by name': { limit, ids, name: 're' },
  }))
    for (const begin of [undefined, from])
      it(`reads ${what} by their ids${begin ? ', on a later page' : ''}: any number of others costs nothing`, () => {
        for (const plan of plansOf((db) => petReads(db).listRemovedPets({ ...query, from: begin }))) {
          const text = plan.map(({ detail }) => detail).join('\n');
          const reads = plan.filter(({ detail }) => detail.includes('removed_pets'));
          assert.equal(reads.length, 2, text);
          for (const { detail } of reads)
            assert.match(detail, /^SEARCH removed_pets USING (COVERING )?INDEX \w+ \(id=\?/, text);
        }
      });
});

describe('Orders of an animal in SQLite', () => {
  for (const [query, range, ranges] of [
    [{}, '', 4],
    [{ from }, ' AND rowid<?', 4],
    [{ status: 'completed' }, '', 1],
    [{ status: 'completed', from }, ' AND rowid<?', 1],
  ] as const)
    it(`are read as ranges of one index in its order: ${Object.keys(query).join(' and ') || 'all'}`, () => {
      const list = (db: DatabaseSync) => orderReads(db).listOrders({ ...query, limit, petIds: [7n] });
      // The statement that was prepared last.
      const steps =
        plansOf(list, 'pet_id')
          .at(-1)
          ?.map(({ detail }) => detail) ?? [];
      assert.deepEqual(
        steps.filter((step) => step.includes('orders')),
        Array(ranges).fill(
          `SEARCH orders USING INDEX orders_by_pet_and_status (pet_id=? AND status=?${range})`,
        ),
      );
      assert.ok(!steps.some((step) => step.includes('TEMP B-TREE')), steps.join());
    });

  it('are read in the same way for each of several animals: only what was found is sorted', () => {
    const list = (db: DatabaseSync) => orderReads(db).listOrders({ limit, petIds: [7n, 9n], from });
    const steps =
      plansOf(list, 'pet_id')
        .at(-1)
        ?.map(({ detail }) => detail) ?? [];
    const range =
      'SEARCH orders USING COVERING INDEX orders_by_pet_and_status (pet_id=? AND status=? AND rowid<?)';
    assert.deepEqual(
      steps.filter((step) => step.includes('orders')),
      ['SEARCH orders USING INTEGER PRIMARY KEY (rowid=?)', ...Array(4).fill(range)],
    );
    assert.equal(steps.filter((step) => step.includes('TEMP B-TREE')).length, 1, steps.join());
  });
});
