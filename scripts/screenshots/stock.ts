import type { NewPet } from '../../src/client/index.ts';

/** The id of a category is its position in this list, from 1. */
export const CATEGORIES = ['Dogs', 'Cats', 'Birds', 'Reptiles', 'Rabbits', 'Fish'] as const;
/** A category of animals that came from another program, with a number only. */
const UNNAMED_CATEGORY = 40;

type CategoryName = (typeof CATEGORIES)[number];
const idOf = (name: CategoryName): number => CATEGORIES.indexOf(name) + 1;

/** `Guppy 1` to `Guppy 24`, of which the first few are sold. */
const litter = (name: string, category: CategoryName, count: number, sold: number): NewPet[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `${name} ${index + 1}`,
    categoryId: idOf(category),
    status: index < sold ? 'sold' : 'available',
  }));

const animals = (category: CategoryName, names: string): NewPet[] =>
  names.split(' ').map((name) => ({ name, categoryId: idOf(category) }));

/** Animals that the shop has had for a while. */
export const STOCK: readonly NewPet[] = [
  ...litter('Neon tetra', 'Fish', 48, 14),
  ...litter('Guppy', 'Fish', 36, 11),
  ...litter('Zebra finch', 'Birds', 24, 6),
  ...litter('Budgie', 'Birds', 22, 5),
  ...litter('Dwarf rabbit', 'Rabbits', 30, 9),
  ...litter('Gecko', 'Reptiles', 26, 5),
  ...litter('Kitten', 'Cats', 40, 8),
  ...litter('Puppy', 'Dogs', 34, 7),
  { name: 'Old Tom', categoryId: UNNAMED_CATEGORY, status: 'pending' },
  { name: 'Domino', categoryId: UNNAMED_CATEGORY },
  { name: 'Patch', categoryId: UNNAMED_CATEGORY },
];

/** Animals that came recently, the newest last. Those after the twentieth came this week. */
export const LATEST: readonly NewPet[] = [
  ...animals('Birds', 'Coco Tango'),
  ...animals('Rabbits', 'Peanut Clover'),
  ...animals('Reptiles', 'Iggy'),
  ...animals('Cats', 'Figaro Shadow Suki'),
  ...animals('Dogs', 'Archie Juno'),
  ...animals('Cats', 'Pepper'),
  ...animals('Rabbits', 'Willow'),
  ...animals('Birds', 'Mango'),
  ...animals('Fish', 'Pearl'),
  ...animals('Dogs', 'Truffle'),
  ...animals('Cats', 'Olive'),
  ...animals('Dogs', 'Poppy'),
  { name: 'Atlas', categoryId: UNNAMED_CATEGORY },
  ...animals('Fish', 'Saffron'),
  ...animals('Dogs', 'Rex'),
  ...animals('Rabbits', 'Hazel'),
  ...animals('Reptiles', 'Basil'),
  ...animals('Birds', 'Kiwi'),
  ...animals('Cats', 'Clementine'),
  ...animals('Dogs', 'Otis'),
  ...animals('Rabbits', 'Juniper'),
  ...animals('Reptiles', 'Noodle'),
  { name: 'Sir Reginald Fluffington of the Upper Meadows', categoryId: idOf('Cats') },
  ...animals('Birds', 'Pip'),
  ...animals('Cats', 'Maple'),
  { name: 'Rex again', categoryId: idOf('Dogs') },
];
