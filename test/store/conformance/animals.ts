import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '../../../src/contract/int64.ts';
import { type NewPet, type Pet, type PetStatus, petJson } from '../../../src/contract/pet.ts';
import type { Store } from '../../../src/store/store.ts';
import { listPets, textOf } from '../../support/lists.ts';
import { petIn } from '../../support/service/created.ts';
import type { Open } from '../conformance.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };
const statuses: readonly PetStatus[] = ['available', 'pending', 'sold'];

const anyInt64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });
const anyStatus = fc.constantFrom(...statuses);
const anyName = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .filter((name) => /\S/u.test(name) && !name.includes('\0'));

/** Any animal that the contract accepts. */
export const anyPet = fc.record(
  { name: anyName, categoryId: anyInt64, status: anyStatus },
  { noNullPrototype: true },
);

/** Names that a careless store would trim, case-fold, normalize or truncate, or take for the beginning of an item. */
const names = [
  ' Rex\t',
  'rex',
  'REX',
  'é',
  'e\u0301',
  '👩‍👩‍👧',
  '\uFEFFRex',
  '\uFFFF',
  'שלום',
  "O'Hara",
  '%_\\',
  ',{"id":7,"',
  '\u0001\u001F\b\f\n\r\t\u007F\u0085\u2028/',
  '🐶'.repeat(1000),
];

const addAll = (store: Store, pets: readonly NewPet[]): Promise<Pet[]> =>
  Promise.all(pets.map(async (pet) => petIn(await store.createPet(pet))));

const newestFirst = (pets: readonly Pet[]) => pets.toSorted((a, b) => (a.id < b.id ? 1 : -1));

const jsonOf = (pets: readonly Pet[]): string => `[${pets.map(petJson).join()}]`;

/** Adds animals and expects each unchanged: in the result, alone and in the list. */
async function assertStored(store: Store, pets: readonly NewPet[]): Promise<void> {
  const added = await addAll(store, pets);
  assert.deepEqual(
    added.map(({ id, ...pet }) => pet),
    pets,
  );
  for (const pet of added) assert.deepEqual(await store.getPet(pet.id), pet);
  assert.equal(textOf(await store.listPets({ limit: pets.length })), jsonOf(newestFirst(added)));
}

export function animals(open: Open): void {
  describe('stores animals', () => {
    it('with ids from 1 upward', async (t) => {
      const { store } = await open(t);
      for (const id of [1n, 2n, 3n]) {
        const created = await store.createPet(rex);
        assert.deepEqual([created.json, created.replayed], [petJson({ id, ...rex }), false]);
      }
    });

    it('unchanged: any int64, any name byte for byte, every status', async (t) => {
      const { store } = await open(t);
      await fc.assert(
        fc.asyncProperty(fc.array(anyPet, { minLength: 1 }), (pets) => assertStored(store, pets)),
      );
      await assertStored(
        store,
        names.map((name) => ({ ...rex, name })),
      );
      const edges = [INT64_MIN, INT64_MIN + 1n, -1n, 0n, 2n ** 53n + 1n, INT64_MAX - 1n, INT64_MAX];
      await assertStored(
        store,
        edges.map((categoryId) => ({ ...rex, categoryId })),
      );
    });

    it('and finds none for an id that it never assigned', async (t) => {
      const { store } = await open(t);
      await store.createPet(rex);
      for (const id of [0n, 2n, -1n, INT64_MIN, INT64_MAX]) assert.equal(await store.getPet(id), undefined);
    });

    it('with different ids when many are added concurrently', async (t) => {
      const { store } = await open(t);
      const added = await addAll(
        store,
        Array.from({ length: 2500 }, (_, i) => ({ ...rex, categoryId: BigInt(i) })),
      );
      assert.equal(new Set(added.map(({ id }) => id)).size, 2500);
      assert.equal((await listPets(store, { limit: 3000 })).length, 2500);
    });
  });

  describe('lists animals', () => {
    it('newest first, at most `limit`, from a position on, of the given status', async (t) => {
      const { store } = await open(t);
      assert.deepEqual(await listPets(store, { limit: 100 }), []);
      const added: Pet[] = [];
      for (let i = 0; i < 60; i++) {
        const status = statuses[(i * i) % 3] ?? 'sold';
        added.unshift(petIn(await store.createPet({ ...rex, name: `Rex ${i}`, status })));
      }
      const query = fc.record({
        limit: fc.integer({ min: 1, max: 101 }),
        status: fc.option(anyStatus, { nil: undefined }),
        from: fc.option(fc.record({ id: fc.oneof(anyInt64, fc.bigInt({ min: -1n, max: 62n })) }), {
          nil: undefined,
        }),
      });
      await fc.assert(
        fc.asyncProperty(query, async ({ limit, status, from }) => {
          const all = added
            .filter((pet) => from === undefined || pet.id <= from.id)
            .filter((pet) => status === undefined || pet.status === status);
          const shown = all.slice(0, limit);
          const page = await store.listPets({ limit, status, from });
          assert.equal(textOf(page), jsonOf(shown));
          assert.equal(page.next?.id, all[limit]?.id);
        }),
        { numRuns: 300 },
      );
    });

    it('with the longest names, from one to a hundred in a page', async (t) => {
      const { store } = await open(t);
      const longest = ['🐶'.repeat(1000), '\u0001'.repeat(1000), ',{"id":7,"'.repeat(100), 'a'.repeat(1000)];
      const pets = Array.from({ length: 101 }, (_, i) => ({ ...rex, name: longest[i % 4] ?? '' }));
      const added = newestFirst(await addAll(store, pets));
      for (let limit = 1; limit <= added.length; limit++) {
        const page = await store.listPets({ limit });
        assert.equal(textOf(page), jsonOf(added.slice(0, limit)));
        assert.equal(page.next?.id, added[limit]?.id);
      }
    });
  });
}
