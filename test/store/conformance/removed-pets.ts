import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '../../../src/contract/int64.ts';
import type { NewPet, Pet } from '../../../src/contract/pet.ts';
import { hasWords, walkRemovedPets } from '../../support/lists.ts';
import { petsIn } from '../../support/service/created.ts';
import type { Open } from '../conformance.ts';

const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' };
const bjorn: NewPet = { name: 'Björn', categoryId: 2n, status: 'sold' };

const idsOf = (pets: readonly Pet[]): bigint[] => pets.map(({ id }) => id);

export function removedPets(open: Open): void {
  describe('finds removed animals', () => {
    it('exactly as the documented rule says: any ids, text and page size, the latest removal first', async (t) => {
      const { store } = await open(t);
      const pets = petsIn(await store.createPets([rex, bjorn, rex, bjorn, rex, bjorn, rex, bjorn, rex]));
      const latestFirst = [2, 8, 1, 5, 0, 7, 4].map((i) => pets[i] as Pet);
      for (const { id } of latestFirst.toReversed()) await store.removePet(id, `reason ${id}`);
      const anyQuery = fc.record({
        limit: fc.integer({ min: 1, max: 9 }),
        ids: fc.option(
          fc.uniqueArray(fc.constantFrom(...idsOf(pets), INT64_MAX, INT64_MIN), { minLength: 1 }),
          { nil: undefined },
        ),
        name: fc.constantFrom(undefined, undefined, 'bjorn', 'ORN bj', 'bj x', 'x', 'nothing'),
      });
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          const { ids, name = '' } = query;
          const expected = latestFirst
            .filter(({ id }) => ids === undefined || ids.includes(id))
            .filter((pet) => hasWords(pet.name, name));
          assert.deepEqual(
            (await walkRemovedPets(store, query)).map(({ removedAt, ...pet }) => pet),
            expected.map((pet) => ({ ...pet, reason: `reason ${pet.id}` })),
          );
        }),
        { numRuns: 60 },
      );
    });
  });
}
