import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldName, isSearchText, nameKey } from '../../../src/contract/name-key.ts';
import type { NewPet, Pet, PetStatus } from '../../../src/contract/pet.ts';
import type { PetQuery, Store } from '../../../src/store/store.ts';
import { petIn } from '../../support/created.ts';
import { listPets, walkPets } from '../../support/lists.ts';
import type { Capabilities, Open } from '../conformance.ts';

const statuses: readonly PetStatus[] = ['available', 'pending', 'sold'];

/** Characters whose case, normalization or order is special, and plain ones that occur often. */
const character = fc.oneof(
  fc.constantFrom('r', 'R', 'e', 'E', 'x', ' ', '%', '_', '\\', "'", '"'),
  fc.constantFrom(
    ...[
      'ß',
      'ẞ',
      'ſ',
      'S',
      'σ',
      'ς',
      'Σ',
      'İ',
      'ı',
      'i',
      'I',
      'é',
      'e\u0301',
      '\u0301',
      'ﬁ',
      'Ａ',
      'K',
      'µ',
      'ǅ',
      'ﷺ',
    ],
    ...[
      '\ud7ff',
      '\ue000',
      '\uffff',
      '\u{10000}',
      '\u{1f436}',
      '\u{10fffe}',
      '\u{10ffff}',
      '\u0001',
      '\u007f',
      'ა',
    ],
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const anyText = fc
  .array(character, { minLength: 1, maxLength: 5 })
  .map((characters) => characters.join(''))
  .filter((text) => /\S/u.test(text) && isSearchText(text));

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The documented rule, implemented without an index: all matches, in order. */
function matches(pets: readonly Pet[], { name = '', status, ids }: Omit<PetQuery, 'limit'>): Pet[] {
  return pets
    .filter((pet) => foldName(pet.name).startsWith(foldName(name)))
    .filter((pet) => status === undefined || pet.status === status)
    .filter((pet) => ids === undefined || ids.includes(pet.id))
    .toSorted((a, b) => byBytes(nameKey(a.name), nameKey(b.name)) || (a.id < b.id ? -1 : 1));
}

const addAll = (store: Store, pets: readonly NewPet[]): Promise<Pet[]> =>
  Promise.all(pets.map(async (pet) => petIn(await store.createPet(pet))));

export function names(open: Open, { persistent }: Capabilities): void {
  describe('finds animals by name', () => {
    it('that begin with the text, ignoring case, in order of name and id', async (t) => {
      const { store } = await open(t);
      const given = ['rex', 'Ada', 'REX', 'Rexona', 'Straße', 'STRASSE 1', 'Ρήγας', 'ΡΉΓΑΣ Α', 'r%x', 'Re'];
      await addAll(
        store,
        given.map((name) => ({ name, categoryId: 1n, status: 'available' })),
      );
      const found = async (name: string) =>
        (await listPets(store, { limit: 100, name })).map((pet) => pet.name);
      assert.deepEqual(await found('re'), ['Re', 'rex', 'REX', 'Rexona']);
      assert.deepEqual(await found('REX'), ['rex', 'REX', 'Rexona']);
      assert.deepEqual(await found('strass'), ['Straße', 'STRASSE 1']);
      assert.deepEqual(await found('ρήγας'), ['Ρήγας', 'ΡΉΓΑΣ Α']);
      assert.deepEqual(await found('r%'), ['r%x']);
      assert.deepEqual(await found('rexonas'), []);
    });

    it('exactly as the documented rule says: any names, text, status, ids and page size', async (t) => {
      const { store } = await open(t);
      const pets: Pet[] = [];
      const anyPet = fc.record(
        { name: anyText, categoryId: fc.constant(1n), status: fc.constantFrom(...statuses) },
        { noNullPrototype: true },
      );
      const anyQuery = fc.record({
        limit: fc.integer({ min: 1, max: 7 }),
        // Mostly the beginning of a name that exists.
        name: fc.oneof(
          anyText,
          fc.nat().map((n) => [n] as const),
        ),
        status: fc.option(fc.constantFrom(...statuses), { nil: undefined }),
        ids: fc.option(fc.array(fc.bigInt({ min: 1n, max: 60n }), { minLength: 1 }), {
          nil: undefined,
          freq: 3,
        }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyPet, { minLength: 1 }),
          fc.array(anyQuery, { minLength: 5 }),
          async (added, queries) => {
            pets.push(...(await addAll(store, added)));
            for (const { name: given, ...query } of queries) {
              const [n = 0] = typeof given === 'string' ? [] : given;
              const name =
                typeof given === 'string'
                  ? given
                  : [...(pets[n % pets.length]?.name ?? '')].slice(0, 1 + (n % 3)).join('');
              if (!isSearchText(name)) continue;
              assert.deepEqual(await walkPets(store, { ...query, name }), matches(pets, { ...query, name }));
            }
          },
        ),
        { numRuns: 40 },
      );
    });

    it('whose names are longer than their key', async (t) => {
      const { store } = await open(t);
      const long = [
        '🐶'.repeat(1000),
        `${'🐶'.repeat(999)}b`,
        `${'🐶'.repeat(999)}a`,
        'ß'.repeat(1000),
        'ﷺ'.repeat(1000),
      ];
      const pets = await addAll(
        store,
        long.map((name) => ({ name, categoryId: 1n, status: 'sold' })),
      );
      assert.deepEqual(
        await walkPets(store, { limit: 1, name: '🐶'.repeat(200) }),
        matches(pets.slice(0, 3), {}),
      );
      assert.deepEqual(await walkPets(store, { limit: 2, name: 'S'.repeat(200) }), pets.slice(3, 4));
    });

    if (!persistent) return;

    it('and still finds them after it is reopened', async (t) => {
      const { store, reopen } = await open(t);
      const pet = petIn(await store.createPet({ name: 'Ängström', categoryId: 1n, status: 'sold' }));
      assert.deepEqual(await listPets(await reopen(), { limit: 10, name: 'ÄNG' }), [pet]);
    });
  });
}
