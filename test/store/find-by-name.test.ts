import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { namePageStatement } from '../../src/store/list-page.ts';
import { openStore } from '../../src/store/open.ts';
import { createReference, migrate } from '../../src/store/sqlite/schema/migrate.ts';
import type { PetQuery } from '../../src/store/store.ts';
import { listPets } from '../support/lists.ts';
import { temporaryFolder } from '../support/service.ts';

function execute(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

describe('Finding by name in SQLite', () => {
  it('reads only ranges of the index, on every page', () => {
    const db = new DatabaseSync(':memory:');
    migrate(db, ':memory:');
    const queries: Omit<PetQuery, 'limit'>[] = [
      {},
      { from: { id: 9n, nameKey: 'REX' } },
      { status: 'sold' },
      { status: 'sold', from: { id: 9n, nameKey: 'REX' } },
    ];
    for (const query of queries) {
      const values: (string | bigint | number)[] = [];
      const sql = namePageStatement(
        { ...query, limit: 20, name: 're' },
        { list: 'id', parameter: (value) => `?${values.push(value)}`, count: String, isOneOf: () => '' },
      );
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
      const steps = plan.map(({ detail }) => String(detail)).filter((detail) => / pets\b/.test(detail));
      const ranges =
        /\(status=\? AND folded_name(?:=\? AND rowid>\?|>\? AND folded_name<\?)\)$|PRIMARY KEY \(rowid=\?\)$/;
      for (const step of steps) assert.match(step, ranges);
      assert.ok(steps.length > 0, 'the steps were found');
    }
  });

  it('finds animals stored before the name key existed, even if the migration was interrupted at first', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const old = createReference(3);
    for (const name of ['Rex', 'Émile', 'straße', 'REX II'])
      old.prepare("INSERT INTO pets (name, category_id, status) VALUES (?, 1, 'available')").run(name);
    old.prepare('VACUUM INTO ?').run(file);
    old.close();
    execute(
      file,
      "CREATE TRIGGER stop BEFORE UPDATE ON pets WHEN new.id = 3 BEGIN SELECT raise(ABORT, 'interrupted'); END",
    );
    await assert.rejects(openStore(`sqlite:${file}`, { upgrade: true }), /interrupted/);
    const db = new DatabaseSync(file);
    assert.equal(db.prepare('PRAGMA user_version').get()?.user_version, 3);
    assert.throws(() => db.prepare('SELECT folded_name FROM pets'), /no such column/);
    db.exec('DROP TRIGGER stop');
    db.close();
    const migrated = await openStore(`sqlite:${file}`, { upgrade: true });
    t.after(() => migrated.close());
    const found = async (name: string) =>
      (await listPets(migrated, { limit: 10, name })).map((pet) => pet.name);
    assert.deepEqual(await found('rex'), ['Rex', 'REX II']);
    assert.deepEqual(await found('émi'), ['Émile']);
    assert.deepEqual(await found('STRASSE'), ['straße']);
  });
});
