import { firstPage, getPet } from './read-workloads.ts';
import { FEW, MANY, type Workload } from './workload.ts';

const create: Workload['call'] = (random) => {
  const name = `Rex ${String(random(1e6)).padStart(7, '0')} of the benchmark, a patient animal`;
  return { kind: 'create', body: JSON.stringify({ name, categoryId: random(500), status: 'available' }) };
};

export const mix: Workload = {
  name: 'mix, 90 % reads, 10 % creates',
  about: 'First pages and single animals, 45 % each, and 10 % creates.',
  animals: MANY,
  clients: 64,
  call: (random, animals) => {
    const draw = random(100);
    if (draw <= 10) return create(random, animals);
    return (draw <= 55 ? firstPage : getPet).call(random, animals);
  },
  target: 0.6,
  postgresTarget: 0.6,
};

const DURABLE = 'Every contender except json-server answers after the animal is on disk.';

export const createByMany: Workload = {
  name: 'createPet, 64 clients',
  about: DURABLE,
  animals: FEW,
  clients: 64,
  call: create,
  target: 0.6,
};

function idempotent(plain: Workload): Workload {
  const { target: _, ...rest } = plain;
  const about = 'The same with an `Idempotency-Key` of its own for each request, as our clients send it.';
  const name = `${plain.name}, idempotent`;
  return { ...rest, variantOf: plain, variantLimit: 1.5, name, about, isIdempotent: true };
}

export const createIdempotentByMany = idempotent(createByMany);

export const createSplit: Workload = {
  ...createByMany,
  variantOf: createByMany,
  name: 'createPet, 64 clients, split',
  about: "The same with head and body in separate packets, as Python's `http.client` sends them.",
  splitBody: true,
};

export const updateByMany: Workload = {
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

export const createIdempotentByOne = idempotent(createByOne);
