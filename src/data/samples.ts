import type { CategoryName } from '../contract/category.ts';
import type { NewPet, PetStatus } from '../contract/pet.ts';

/** The name of each category and what is in it; the category's identifier is its place, from 1. */
const kinds: readonly (readonly [category: string, breeds: readonly string[]])[] = [
  ['Dogs', ['Labrador', 'Poodle', 'Beagle', 'Corgi', 'Border Collie', 'Dachshund']],
  ['Cats', ['Siamese', 'Maine Coon', 'Ragdoll', 'Bengal', 'Sphynx']],
  ['Birds', ['Budgie', 'Cockatiel', 'Canary', 'Zebra Finch', 'African Grey']],
  ['Fish', ['Goldfish', 'Betta', 'Guppy', 'Neon Tetra', 'Koi']],
  ['Small mammals', ['Holland Lop', 'Syrian Hamster', 'Guinea Pig', 'Chinchilla', 'Ferret']],
  ['Reptiles', ['Leopard Gecko', 'Corn Snake', 'Bearded Dragon', 'Red-eared Slider']],
];

const names: readonly string[] = [
  ...['Rex', 'Bella', 'Luna', 'Charlie', 'Max', 'Daisy', 'Milo', 'Rocky', 'Coco', 'Oscar', 'Ruby', 'Toby'],
  ...['Zoë', 'Björn', 'Chloé', 'Jiří', 'Søren', 'Ünal', 'Ñandú', 'Мурка', 'ポチ', '旺财', 'Nala', 'Simba'],
  ...['Biscuit', 'Pepper', 'Mocha', 'Ginger', 'Pumpkin', 'Olive', 'Hazel', 'Willow', 'Archie', 'Poppy'],
];

/** How often each status occurs, out of ten. */
const statuses: readonly PetStatus[] = [
  ...Array<PetStatus>(7).fill('available'),
  'pending',
  ...Array<PetStatus>(2).fill('sold'),
];

/** Plausible animals for a demonstration: the same ones, in the same order, for the same seed. */
export function* samplePets(count: number, seed: number): Generator<NewPet, void, undefined> {
  const random = randomNumbers(seed);
  const pick = picker(random);
  for (let n = 0; n < count; n++) {
    const category = Math.floor(random() * kinds.length);
    const name = `${pick(names)}, ${pick(kinds[category]?.[1] ?? [])}`;
    yield { name, categoryId: BigInt(category + 1), status: pick(statuses) };
  }
}

export const sampleCategories: readonly CategoryName[] = kinds.map(([name], i) => ({
  id: BigInt(i + 1),
  name,
}));

export const picker =
  (random: () => number) =>
  <T>(items: readonly T[]): T =>
    items[Math.floor(random() * items.length)] as T;

/** Numbers from 0 up to 1 that depend on the seed alone (mulberry32), on every machine and Node version. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
