import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Pet } from '../../src/contract/pet.ts';
import { nullable, timestamp } from '../../src/store/columns.ts';
import { defineTable } from '../../src/store/sqlite/table.ts';
import { tables } from '../../src/store/tables.ts';
import { decideChanges } from '../../src/store/tools/staged-pets.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { lifetime } from './conformance/lifetime.ts';
import { version } from './conformance/version.ts';
import { conformance, openOn } from './conformance.ts';

const inMemory = { persistent: false, versioned: true, thorough: false };
conformance('SQLite in memory', (t) => openOn(t, 'sqlite::memory:'), inMemory);

/** What is different in a file. sqlite.slow.test.ts has the whole suite. */
describe('SQLite on a file as a Store', () => {
  for (const part of [lifetime, version])
    part(async (t) => openOn(t, `sqlite:${join(await temporaryFolder(t), 'pets.db')}`), {
      ...inMemory,
      persistent: true,
    });
});

it('An import would change a time of an animal in an import like any other field', () => {
  const columns = { ...tables.pets.columns, bornAt: nullable(timestamp('born_at')) };
  const table = defineTable<Pet & { bornAt?: string }>({ name: 'pets', columns });
  const old = { id: 1n, name: 'Rex', category_id: 7n, status: 'sold', born_at: 0n, open: null, sale: null };
  const given = { new_id: null, new_name: 'Max', new_category_id: null, new_status: null, new_born_at: 1n };
  const { changed } = decideChanges(table.columns, [{ ...old, ...given, place: 1n, line: 2 }]);
  assert.deepEqual(changed, [
    { id: 1n, name: 'Max', categoryId: 7n, status: 'sold', bornAt: new Date(1).toJSON() },
  ]);
});
