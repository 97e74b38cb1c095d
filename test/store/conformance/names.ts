import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isPartText } from '../../../src/contract/folded-text.ts';
import { INT64_MAX } from '../../../src/contract/int64.ts';
import { limits } from '../../../src/contract/limits.ts';
import type { NewPet, Pet, PetStatus } from '../../../src/contract/pet.ts';
import type { PetQuery, Store } from '../../../src/store/store.ts';
import { hasWords, textOf, walkPets } from '../../support/lists.ts';
import { petIn } from '../../support/service/created.ts';
import type { Capabilities, Open } from '../conformance.ts';

const statuses: readonly PetStatus[] = ['available', 'pending', 'sold'];

/** Characters whose case, normalization or order is special, and plain ones that occur often. */
const character = fc.oneof(
  fc.constantFrom('r', 'R', 'e', 'E', 'x', ' ', '%', '_', '\\', "'", '"'),
  fc.constantFrom(
    ...'ßẞſSσςΣİıiIéﬁＡKµǅﷺ\ud7ff\ue000\uffff\u{10000}\u{1f436}\u{10fffe}\u{10ffff}\u0001\u007fა',
  ),
  fc.constantFrom('e\u0301', '\u0301'),
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
    .filter((pet) => hasWords(pet.name, name))
    .filter((pet) => status === undefined || pet.status === status)
    .filter((pet) => categoryId === undefined || pet.categoryId === categoryId)
    .filter((pet) => ids === undefined || ids.includes(pet.id))
    .toSorted((a, b) => (a.id > b.id ? -1 : 1));
}

/** One to three characters of its name, from the first or the second on; or two such parts, as two words. */
function partOf(pet: Pet | undefined, n: number): string {
  const part = (n: number) => [...(pet?.name ?? '')].slice(n % 2, (n % 2) + 1 + (n % 3)).join('');
  return n % 5 < 2 ? `${part(n + 1)}\u3000${part(n)}` : part(n);
}

const addAll = (store: Store, pets: readonly NewPet[]): Promise<Pet[]> =>
  Promise.all(pets.map(async (pet) => petIn(await store.createPet(pet))));

export function names(open: Open, { thorough }: Capabilities): void {
  describe('finds animals by name', () => {
    it('exactly as the documented rule says: any names, text, status, category, ids and page size', async (t) => {
      const { store } = await open(t);
      const pets: Pet[] = [];
      const anyCategory = fc.constantFrom(1n, 2n, INT64_MAX);
      const anyPet = fc.record(
        { name: anyText, categoryId: anyCategory, status: fc.constantFrom(...statuses) },
        { noNullPrototype: true },
      );
      const anyQuery = fc.record({
        limit: fc.integer({ min: 1, max: 7 }),
        // Often a part of a name that exists.
        name: fc.option(fc.oneof(anyText, fc.nat()), { nil: undefined }),
        status: fc.option(fc.constantFrom(...statuses), { nil: undefined }),
        categoryId: fc.option(fc.oneof(anyCategory, fc.constant(7n)), { nil: undefined }),
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
              const name = typeof given === 'number' ? partOf(pets[given % pets.length], given) : given;
              if (name !== undefined && !isPartText(name)) continue;
              assert.deepEqual(await walkPets(store, { ...query, name }), matches(pets, { ...query, name }));
            }
          },
        ),
        { numRuns: 40 },
      );
    });

    it('by as many words as a text can have, in any order', async (t) => {
      const { store } = await open(t);
      const letters = Array.from({ length: 100 }, (_, i) => String.fromCodePoint(0x4e00 + i));
      const [whole] = await addAll(store, [
        { name: letters.join(''), categoryId: 1n, status: 'sold' },
        { name: letters.slice(1).join(''), categoryId: 1n, status: 'sold' },
      ]);
      const found = (name: string) => walkPets(store, { limit: 1, name });
      assert.deepEqual(await found(letters.toReversed().join(' ')), [whole]);
      assert.deepEqual(await found([...letters.slice(1), 'x'].join(' ')), []);
      assert.equal((await found(letters.slice(1).join(' '))).length, 2);
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

    if (!thorough) return;

    it('at a bounded cost: a page ends after so many animals, and the next ones lead to the end', async (t) => {
      const { store } = await open(t);
      const found: Pet[] = [];
      const find = async (pet: NewPet) => found.unshift(petIn(await store.createPet(pet)));
      // A thousand at a time: one statement with all of them may exceed the time limit of a statement on a busy machine.
      const others = async (count: number, name = 'Animal') => {
        for (let rest = count; rest > 0; rest -= 1000) {
          const pets = Array.from({ length: Math.min(rest, 1000) }, (_, i): NewPet => {
            return { name, categoryId: 1n, status: statuses[i % 3] ?? 'sold' };
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
      // Two words cost more than one, so half as many animals are looked at.
      assert.deepEqual(await walk({ name: 'days OLD' }), [found[1]]);
      assert.deepEqual(pages, [0, 0, 1, 0, 0]);
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
      // A name of 1,000 bytes costs as much as five short ones.
      await others(6000, 'x'.repeat(1000));
      assert.deepEqual(await walk({ name: 'old' }), found);
      assert.deepEqual(pages, [0, 1, 1, 1]);
      // For four words, it is a quarter of them, and not only of the steps.
      assert.deepEqual(await walk({ name: 'x xx xxx old' }), []);
      assert.ok(pages.length >= 13, `${pages.length} pages`);
      assert.deepEqual((await walk({ name: 'xx', categoryId: 1n })).length, 6000);
      assert.equal(pages[0], 5);
    });
  });
}
