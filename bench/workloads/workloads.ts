import { BROWSER_HEADERS } from './browser-headers.ts';
import { type Call, randomNumbers } from './calls.ts';

/** Few enough to be built in advance, many enough to be random. */
const CALLS = 4096;

export const FEW = 1000;
const MANY = 1_000_000;

export interface Workload {
  readonly name: string;
  readonly about: string;
  /** How many animals there are. */
  readonly animals: number;
  readonly clients: number;
  readonly call: (random: (max: number) => number, animals: number) => Call;
  /** The share of the limit to reach, in CPU per request. */
  readonly target?: number;
  /** The same for the service on PostgreSQL. */
  readonly postgresTarget?: number;
  /** The same work sent in another way, or similar work. It is measured for the bare server and this service only. */
  readonly variantOf?: Workload;
  /** What it may cost, times the plain workload, if that is more than for other variants. */
  readonly variantLimit?: number;
  /** Header lines in addition to those of every request. */
  readonly headers?: readonly string[];
  /** Whether head and body are sent in separate packets. */
  readonly splitBody?: boolean;
}

const first = (): Call => ({ kind: 'first' });
const one: Workload['call'] = (random, animals) => ({ kind: 'one', id: random(animals) });
const create: Workload['call'] = (random) => {
  const name = `Rex ${String(random(1e6)).padStart(7, '0')} of the benchmark, a patient animal`;
  return { kind: 'create', body: JSON.stringify({ name, categoryId: random(500), status: 'available' }) };
};

export const firstPage: Workload = {
  name: 'listPets, first page',
  about: 'The 20 newest animals, with no writes in between.',
  animals: FEW,
  clients: 32,
  call: first,
  target: 0.85,
  postgresTarget: 0.7,
};

const firstPageFromBrowser: Workload = {
  ...firstPage,
  variantOf: firstPage,
  name: 'listPets, first page, browser',
  about: `The same with the headers of a browser: ${BROWSER_HEADERS.length + 2} in all, as Chromium sends them.`,
  headers: BROWSER_HEADERS,
};

const filteredPage: Workload = {
  name: 'listPets, filtered',
  about: 'The 20 newest animals that are `pending`.',
  animals: FEW,
  clients: 32,
  call: () => ({ kind: 'filtered', status: 'pending' }),
};

const categoryPage: Workload = {
  name: 'listPets, one category',
  about: 'The 20 newest animals of one of 500 categories.',
  variantOf: filteredPage,
  variantLimit: 1.3,
  animals: FEW,
  clients: 32,
  call: (random) => ({ kind: 'category', categoryId: random(500) }),
};

const randomPages: Workload = {
  name: 'listPets, random pages',
  about: 'Pages of 20 from anywhere in the list.',
  animals: MANY,
  clients: 32,
  call: (random, animals) => ({ kind: 'page', before: 20 + random(animals - 20) }),
  target: 0.4,
  postgresTarget: 0.4,
};

export const getPet: Workload = {
  name: 'getPet, random',
  about: 'Any animal, by its id.',
  animals: MANY,
  clients: 32,
  call: one,
  target: 0.8,
  postgresTarget: 0.6,
};

const mix: Workload = {
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
  postgresTarget: 0.6,
};

const DURABLE = 'Every contender except json-server and Prism answers after the animal is on disk.';

export const createByMany: Workload = {
  name: 'createPet, 64 clients',
  about: DURABLE,
  animals: FEW,
  clients: 64,
  call: create,
  target: 0.6,
};

const createSplit: Workload = {
  ...createByMany,
  variantOf: createByMany,
  name: 'createPet, 64 clients, split',
  about: "The same with head and body in separate packets, as Python's `http.client` sends them.",
  splitBody: true,
};

const updateByMany: Workload = {
  ...createByMany,
  variantOf: createByMany,
  variantLimit: 1.3,
  name: 'updatePet, 64 clients',
  about: 'A new name for an animal that exists.',
  call: (random, animals) => ({
    kind: 'update',
    id: random(animals),
    body: JSON.stringify({ name: `Rex ${random(1e6)} of the benchmark, a patient animal` }),
  }),
};

export const createByOne: Workload = {
  name: 'createPet, 1 client',
  about: DURABLE,
  animals: FEW,
  clients: 1,
  call: create,
};

/** In the order of the report. Workloads that write come last, so that all reads see the same animals. */
export const workloads = [
  firstPage,
  firstPageFromBrowser,
  randomPages,
  filteredPage,
  categoryPage,
  getPet,
  createByOne,
  createByMany,
  createSplit,
  updateByMany,
  mix,
];

export const reads = [firstPage, randomPages, filteredPage, categoryPage, getPet];

/** The calls of a workload with this many animals: the same for every contender. */
export function callsOf(workload: Workload, animals: number): Call[] {
  const random = randomNumbers(1);
  return Array.from({ length: CALLS }, () => workload.call(random, animals));
}
