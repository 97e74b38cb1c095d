import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Order, OrderUpdate } from '../../../src/contract/order.ts';
import { type Pet, type PetStatus, PetStatus as statuses } from '../../../src/contract/pet.ts';
import { type Service, startService } from '../../support/service/service.ts';

interface ModelPet {
  /** Known when the service has answered: a refused request may use up an id. */
  id?: number;
  name: string;
  status: PetStatus;
  isRemoved: boolean;
}

interface ModelOrder {
  id?: number;
  readonly pet: ModelPet;
  status: Order['status'];
}

interface Correction {
  readonly name?: string;
  readonly status?: PetStatus;
}

/** The documented table, in plain words. */
const CHANGES = [
  'placed completed',
  'placed cancelled',
  'completed returned',
  'completed placed',
  'completed cancelled',
  'cancelled placed',
  'returned completed',
];
const UNDER = {
  placed: 'pending',
  completed: 'sold',
  cancelled: 'available',
  returned: 'available',
} as const;

/** A minimal model of the store operations, which the real service is compared with. Each returns what the service has to answer. */
class Model {
  readonly pets: ModelPet[] = [];
  readonly orders: ModelOrder[] = [];

  create(status: PetStatus): string {
    this.pets.push({ name: 'Rex', status, isRemoved: false });
    return '201';
  }

  order(pet: ModelPet | undefined, status: 'placed' | 'completed'): string {
    if (!pet || pet.isRemoved) return '404 pet_not_found';
    if (pet.status !== 'available') return '409 pet_not_available';
    pet.status = UNDER[status];
    this.orders.push({ pet, status });
    return '201';
  }

  close(order: ModelOrder | undefined, status: NonNullable<OrderUpdate['status']>): string {
    if (!order) return '404 order_not_found';
    const change = `${order.status} ${status}`;
    if (change === 'placed returned') return '409 order_not_completed';
    if (!CHANGES.includes(change)) return '409 order_closed';
    // Nothing else can happen to an animal that an order has sold.
    if (order.status === 'completed' && order.pet.isRemoved) return '409 pet_not_sold';
    const isFree = order.pet.status === 'available' && !order.pet.isRemoved;
    if ((order.status === 'cancelled' || order.status === 'returned') && !isFree)
      return '409 pet_not_available';
    order.status = status;
    order.pet.status = UNDER[status];
    return '200';
  }

  correct(pet: ModelPet | undefined, { name, status }: Correction): string {
    if (!pet || pet.isRemoved) return '404 pet_not_found';
    if (status !== undefined && status !== pet.status) {
      if (this.#has(pet, 'placed')) return '409 pet_has_open_order';
      if (this.#has(pet, 'completed')) return '409 pet_sold_by_order';
      pet.status = status;
    }
    pet.name = name ?? pet.name;
    return '200';
  }

  remove(pet: ModelPet | undefined): string {
    if (!pet || pet.isRemoved) return '404 pet_not_found';
    if (this.#has(pet, 'placed')) return '409 pet_has_open_order';
    pet.isRemoved = true;
    return '204';
  }

  restore(pet: ModelPet | undefined): string {
    if (!pet) return '404 pet_not_found';
    if (!pet.isRemoved) return '409 pet_not_removed';
    pet.isRemoved = false;
    return '200';
  }

  #has(pet: ModelPet, status: Order['status']): boolean {
    return this.orders.some((order) => order.pet === pet && order.status === status);
  }
}

/** `place` chooses an animal or an order of those that there are then, so that most steps are about one that exists. */
type Step =
  | { readonly what: 'create'; readonly status: PetStatus }
  | { readonly what: 'remove' | 'restore'; readonly place: number }
  | { readonly what: 'order'; readonly place: number; readonly status: 'placed' | 'completed' }
  | { readonly what: 'close'; readonly place: number; readonly status: OrderUpdate['status'] }
  | { readonly what: 'correct'; readonly place: number; readonly update: Correction };

const status = fc.constantFrom<PetStatus>('available', 'pending', 'sold');
const place = fc.nat(9);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ what: fc.constant('create' as const), status }),
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('order' as const),
      place,
      status: fc.constantFrom('placed' as const, 'completed' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('close' as const),
      place,
      status: fc.constantFrom<OrderUpdate['status']>('placed', 'completed', 'cancelled', 'returned'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('correct' as const),
      place,
      update: fc.record({ name: fc.constantFrom('Ada', 'Tom'), status }, { requiredKeys: [] }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constantFrom('remove' as const, 'restore' as const), place }),
  },
);
/** `size`: otherwise fast-check makes only short ones, in which hardly an animal is sold. */
const anySteps = fc.array(anyStep, { minLength: 20, maxLength: 60, size: 'max' });
/** In every store: otherwise many sequences are about nothing. */
const FIRST: readonly Step[] = Array(2).fill({ what: 'create', status: 'available' });

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly expected: string;
}

const NO_ID = 1_000_000;
/** One of the items or, in one of so many cases, undefined for an item that does not exist. */
const itemAt = <T>(items: readonly T[], place: number): T | undefined => items[place % (items.length + 1)];

/** The request of a step, with what the service must answer. Afterwards the model is as the service must be then. */
function take(step: Step, model: Model): Request {
  if (step.what === 'create') {
    const body = { name: 'Rex', categoryId: 1, status: step.status };
    return { method: 'POST', path: '/pets', body, expected: model.create(step.status) };
  }
  if (step.what === 'close') {
    const { status = 'completed' } = step;
    const order = itemAt(model.orders, step.place);
    const path = `/store/orders/${order?.id ?? NO_ID}`;
    const body = { status };
    return { method: 'PATCH', path, body, expected: model.close(order, status) };
  }
  const pet = itemAt(model.pets, step.place);
  const petId = pet?.id ?? NO_ID;
  const path = `/pets/${petId}`;
  switch (step.what) {
    case 'order': {
      const { status } = step;
      const body = { petId, ...(status === 'completed' && { status }) };
      return { method: 'POST', path: '/store/orders', body, expected: model.order(pet, status) };
    }
    case 'correct':
      return { method: 'PATCH', path, body: step.update, expected: model.correct(pet, step.update) };
    case 'remove':
      return { method: 'DELETE', path, expected: model.remove(pet) };
    case 'restore':
      return { method: 'POST', path: `${path}/restore`, expected: model.restore(pet) };
  }
}

/** Takes every step, and compares each answer with that of the model. */
async function play(steps: readonly Step[], model: Model, service: Service): Promise<void> {
  const history: string[] = [];
  for (const step of steps) {
    const { method, path, body, expected } = take(step, model);
    const { status, json } = await service.call(method, `/v1${path}`, { body });
    const { id, code } = (json ?? {}) as { id?: number | bigint; code?: string };
    const answer = status < 400 ? `${status}` : `${status} ${code}`;
    history.push(`${method} ${path} ${JSON.stringify(body) ?? ''}: ${answer}`);
    assert.equal(answer, expected, `Expected ${expected} at the end of\n${history.join('\n')}`);
    const added = [...model.pets, ...model.orders].find((item) => item.id === undefined);
    if (added) added.id = Number(id);
  }
}

async function compare({ pets, orders }: Model, service: Service): Promise<void> {
  const list = async (path: string) => (await service.call('GET', `/v1${path}`)).json;
  const expectedPets = (areRemoved: boolean) =>
    pets
      .filter(({ isRemoved }) => isRemoved === areRemoved)
      .map(({ id, name, status }) => ({ id, name, status }));
  const listPets = async (query: string) =>
    ((await list(`/pets?limit=100${query}`)) as Pet[])
      .map(({ id, name, status }) => ({ id: Number(id), name, status }))
      .sort((a, b) => a.id - b.id);
  assert.deepEqual(await listPets(''), expectedPets(false));
  assert.deepEqual(await listPets('&removed=true'), expectedPets(true));
  assert.deepEqual(
    ((await list('/store/orders?limit=100')) as Order[])
      .map(({ id, petId, status }) => ({ id: Number(id), petId: Number(petId), status }))
      .reverse(),
    orders.map(({ id, pet, status }) => ({ id, petId: pet.id, status })),
  );
  const counts = (await list('/store/inventory')) as Record<PetStatus, number>;
  for (const status of statuses.pipe[0].options) {
    const expected = expectedPets(false).filter((pet) => pet.status === status);
    assert.deepEqual(await listPets(`&status=${status}`), expected);
    assert.equal(counts[status], expected.length);
  }
}

/** Compares the service with the model. Each run has a new database, which `createUrl` makes. */
export function ordersModelSuite(createUrl: () => Promise<string>, numRuns: number): void {
  describe('any sequence of creates, orders, completions, cancellations, returns, corrections and removals', () => {
    it('has the answers of the model, and results in its animals, orders, filters and counts', async () => {
      await fc.assert(
        fc.asyncProperty(anySteps, async (steps) => {
          // Closed after each run: there may be many, and each has connections.
          const cleanups: (() => unknown)[] = [];
          const owner = { after: (work: () => unknown) => void cleanups.push(work) };
          try {
            const service = await startService(owner, { database: await createUrl() });
            const model = new Model();
            await play([...FIRST, ...steps], model, service);
            await compare(model, service);
          } finally {
            for (const work of cleanups.reverse()) await work();
          }
        }),
        { numRuns },
      );
    });
  });
}
