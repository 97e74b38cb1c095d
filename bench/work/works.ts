import { type Call, randomNumbers } from './calls.ts';

/** Few enough to be built beforehand, many enough to be random. */
const CALLS = 4096;

export const FEW = 1000;
const MANY = 1_000_000;

export interface Work {
  readonly name: string;
  readonly about: string;
  /** How many animals there are. */
  readonly animals: number;
  readonly clients: number;
  readonly call: (random: (most: number) => number, animals: number) => Call;
  /** What share of the limit we want to reach, in CPU per request. */
  readonly target?: number;
}

const first = (): Call => ({ kind: 'first' });
const one: Work['call'] = (random, animals) => ({ kind: 'one', id: random(animals) });
const create: Work['call'] = (random) => {
  const name = `Rex ${String(random(1e6)).padStart(7, '0')} of the benchmark, a patient animal`;
  return { kind: 'create', body: JSON.stringify({ name, categoryId: random(500), status: 'available' }) };
};

export const firstPage: Work = {
  name: 'listPets, first page',
  about: 'The 20 newest animals, while nobody writes.',
  animals: FEW,
  clients: 32,
  call: first,
  target: 0.85,
};

const filteredPage: Work = {
  name: 'listPets, filtered',
  about: 'The 20 newest animals that are `pending`.',
  animals: FEW,
  clients: 32,
  call: () => ({ kind: 'filtered', status: 'pending' }),
};

const randomPages: Work = {
  name: 'listPets, random pages',
  about: 'Pages of 20 from anywhere in the list.',
  animals: MANY,
  clients: 32,
  call: (random, animals) => ({ kind: 'page', before: 20 + random(animals - 20) }),
  target: 0.4,
};

export const getPet: Work = {
  name: 'getPet, random',
  about: 'Any animal, by its id.',
  animals: MANY,
  clients: 32,
  call: one,
  target: 0.8,
};

const mix: Work = {
  name: 'mix, 90 % reads, 10 % creates',
  about: 'First pages and single animals, 45 % each, and 10 % creates.',
  animals: MANY,
  clients: 64,
  call: (random, animals) => {
    const draw = random(100);
    if (draw <= 10) return create(random, animals);
    return draw <= 55 ? first() : one(random, animals);
  },
  target: 0.6,
};

export const createTogether: Work = {
  name: 'createPet, 64 clients',
  about: 'Each is on disk before it is answered, but by json-server and Prism.',
  animals: FEW,
  clients: 64,
  call: create,
  target: 0.6,
};

const createAlone: Work = {
  name: 'createPet, 1 client',
  about: createTogether.about,
  animals: FEW,
  clients: 1,
  call: create,
};

/** In the order of the report. What writes comes last, so that all reads see the same animals. */
export const works = [firstPage, randomPages, filteredPage, getPet, createAlone, createTogether, mix];

export const reads = [firstPage, randomPages, filteredPage, getPet];

/** The calls of a work on so many animals: the same ones for every contender. */
export function callsOf(work: Work, animals = work.animals): Call[] {
  const random = randomNumbers(1);
  return Array.from({ length: CALLS }, () => work.call(random, animals));
}
