import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldText, isPartText } from '../../../src/contract/folded-text.ts';
import { limits } from '../../../src/contract/limits.ts';
import type { NewPet, Pet, PetStatus } from '../../../src/contract/pet.ts';
import type { PetQuery, Store } from '../../../src/store/store.ts';
import { listPets, listRemovedPets, textOf, walkPets } from '../../support/lists.ts';
import { petIn } from '../../support/service/created.ts';
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
  .filter((text) => /\S/u.test(text) && isPartText(text));

/** The documented rule in plain words: all matches, newest first. */
function matches(
  pets: readonly Pet[],
  { name = '', status, categoryId, ids }: Omit<PetQuery, 'limit'>,
): Pet[] {
  return pets
    .filter((pet) => foldText(pet.name).includes(foldText(name)))
    .filter((pet) => status === undefined || pet.status === status)
    .filter((pet) => categoryId === undefined || pet.categoryId === categoryId)
    .filter((pet) => ids === undefined || ids.includes(pet.id))
    .toSorted((a, b) => (a.id > b.id ? -1 : 1));
}

const addAll = (store: Store, pets: readonly NewPet[]): Promise<Pet[]> =>
  Promise.all(pets.map(async (pet) => petIn(await store.createPet(pet))));

export function names(open: Open, { persistent }: Capabilities): void {
  describe('finds animals by name', () => {
    it('that contain the text, ignoring case and accents, newest first', async (t) => {
      const { store } = await open(t);
      const given = [
        ...['rex', 'Ada', 'REX', 'Rexona', 'T-Rex', 'Straße', 'STRASSE 1', 'Ρήγας', 'ΡΉΓΑΣ Α', 'r%x', 'Re'],
        ...['Cat, Siamese', 'Björn', 'Bjørn', 'Ñandú', 'Zoë', 'Łukasz', '한나'],
      ];
      await addAll(
        store,
        given.map((name) => ({ name, categoryId: 1n, status: 'available' })),
      );
      const found = async (name: string) =>
        (await listPets(store, { limit: 100, name })).map((pet) => pet.name);
      assert.deepEqual(await found('re'), ['Re', 'T-Rex', 'Rexona', 'REX', 'rex']);
      assert.deepEqual(await found('rexo'), ['Rexona']);
      assert.deepEqual(await found('strass'), ['STRASSE 1', 'Straße']);
      assert.deepEqual(await found('ρηγας'), ['ΡΉΓΑΣ Α', 'Ρήγας']);
      assert.deepEqual(await found('r%'), ['r%x']);
      assert.deepEqual(await found('siamese'), ['Cat, Siamese']);
      assert.deepEqual(await found('bjorn'), ['Bjørn', 'Björn']);
      assert.deepEqual(await found('BJÖRN'), ['Bjørn', 'Björn']);
      assert.deepEqual(await found('nandu'), ['Ñandú']);
      assert.deepEqual(await found('zoe'), ['Zoë']);
      assert.deepEqual(await found('lukasz'), ['Łukasz']);
      assert.deepEqual(await found('나'), ['한나']);
      assert.deepEqual(await found('rexonas'), []);
    });

    it('exactly as the documented rule says: any names, text, status, category, ids and page size', async (t) => {
      const { store } = await open(t);
      const pets: Pet[] = [];
      const anyPet = fc.record(
        { name: anyText, categoryId: fc.constantFrom(1n, 2n), status: fc.constantFrom(...statuses) },
        { noNullPrototype: true },
      );
      const anyQuery = fc.record({
        limit: fc.integer({ min: 1, max: 7 }),
        // Mostly a part of a name that exists.
        name: fc.oneof(
          anyText,
          fc.nat().map((n) => [n] as const),
        ),
        status: fc.option(fc.constantFrom(...statuses), { nil: undefined }),
        categoryId: fc.option(fc.constantFrom(1n, 2n), { nil: undefined }),
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
                  : [...(pets[n % pets.length]?.name ?? '')].slice(n % 2, (n % 2) + 1 + (n % 3)).join('');
              if (!isPartText(name)) continue;
              assert.deepEqual(await walkPets(store, { ...query, name }), matches(pets, { ...query, name }));
            }
          },
        ),
        { numRuns: 40 },
      );
    });

    it('whose names are very long', async (t) => {
      const { store } = await open(t);
      const long = [
        '🐶'.repeat(1000),
        `${'🐶'.repeat(999)}b`,
        `${'한'.repeat(999)}a`,
        'ß'.repeat(1000),
        'ﷺ'.repeat(1000),
      ];
      const pets = await addAll(
        store,
        long.map((name) => ({ name, categoryId: 1n, status: 'sold' })),
      );
      const dogs = await walkPets(store, { limit: 1, name: '🐶'.repeat(200) });
      assert.deepEqual(dogs, matches(pets.slice(0, 2), {}));
      assert.deepEqual(await walkPets(store, { limit: 2, name: '🐶b' }), pets.slice(1, 2));
      assert.deepEqual(await walkPets(store, { limit: 2, name: '한A' }), pets.slice(2, 3));
      assert.deepEqual(await walkPets(store, { limit: 2, name: 'S'.repeat(200) }), pets.slice(3, 4));
      assert.deepEqual(await walkPets(store, { limit: 2, name: 'ﷺ'.repeat(100) }), pets.slice(4));
    });

    it('at a bounded cost: a page ends after so many animals, and the next ones lead to the end', async (t) => {
      const { store } = await open(t);
      const found: Pet[] = [];
      const find = async (pet: NewPet) => found.unshift(petIn(await store.createPet(pet)));
      // A thousand at a time: one statement with all of them may exceed the time limit of a statement on a busy machine.
      const others = async (count: number) => {
        for (let rest = count; rest > 0; rest -= 1000) {
          const pets = Array.from({ length: Math.min(rest, 1000) }, (_, i): NewPet => {
            return { name: `Animal ${i}`, categoryId: 1n, status: statuses[i % 3] ?? 'sold' };
          });
          await store.createPets(pets);
        }
      };
      await find({ name: 'Oldest', categoryId: 1n, status: 'sold' });
      await others(limits.lookedAt);
      await find({ name: 'In older days', categoryId: 2n, status: 'sold' });
      await others(limits.lookedAt - 2);
      await find({ name: 'Older', categoryId: 1n, status: 'pending' });
      await others(1);
      const pages: number[] = [];
      const walk = async (query: Omit<PetQuery, 'limit'>) => {
        pages.length = 0;
        const limit = 5;
        for (let from: PetQuery['from'], isDone = false; !isDone; isDone = from === undefined) {
          const page = await store.listPets({ ...query, limit, from });
          pages.push((JSON.parse(textOf(page)) as unknown[]).length);
          from = page.next;
        }
        return walkPets(store, { ...query, limit });
      };
      assert.deepEqual(await walk({ name: 'old' }), found);
      // The animals are 40,002: the third page looks at the two oldest.
      assert.deepEqual(pages, [1, 1, 1]);
      assert.deepEqual(await walk({ name: 'nothing' }), []);
      assert.deepEqual(pages, [0, 0, 0]);
      // With another filter, only animals that match it are looked at.
      assert.deepEqual(await walk({ name: 'old', categoryId: 2n }), [found[1]]);
      assert.deepEqual(pages, [1]);
      assert.deepEqual(await walk({ name: 'older', status: 'pending' }), [found[0]]);
      assert.deepEqual(pages, [1]);
      assert.deepEqual(await walk({ name: 'oldest', categoryId: 1n }), [found[2]]);
      assert.deepEqual(pages, [0, 0, 1]);
      const ids = found.map(({ id }) => id);
      assert.deepEqual(await walk({ name: 'OLD', ids }), found);
      assert.deepEqual(pages, [3]);
    });

    it('that were removed, the latest removal first', async (t) => {
      const { store } = await open(t);
      const pets = await addAll(
        store,
        ['Björn', 'Zoë', 'bjorn 2'].map((name) => ({ name, categoryId: 1n, status: 'sold' })),
      );
      for (const { id } of pets.toReversed()) await store.removePet(id);
      const removed = await listRemovedPets(store, { limit: 10, name: 'jör' });
      assert.deepEqual(
        removed.map(({ name }) => name),
        ['Björn', 'bjorn 2'],
      );
    });

    if (!persistent) return;

    it('and still finds them after it is reopened', async (t) => {
      const { store, reopen } = await open(t);
      const pet = petIn(await store.createPet({ name: 'Ängström', categoryId: 1n, status: 'sold' }));
      assert.deepEqual(await listPets(await reopen(), { limit: 10, name: 'GSTROM' }), [pet]);
    });
  });
}
