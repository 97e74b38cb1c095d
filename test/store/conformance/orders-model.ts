import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../../src/contract/errors.ts';
import type { Order } from '../../../src/contract/order.ts';
import { PetStatus } from '../../../src/contract/pet.ts';
import type { Result, Store } from '../../../src/store/store.ts';
import { listOrders, listPets, listRemovedPets } from '../../support/lists.ts';
import { orderIn, petIn } from '../../support/service/created.ts';
import type { Open } from '../conformance.ts';

interface ModelPet {
  readonly id: bigint;
  name: string;
  status: PetStatus;
  isRemoved: boolean;
}
interface ModelOrder {
  readonly id: bigint;
  readonly pet: ModelPet;
  status: Order['status'];
}
interface Model {
  readonly categoryId: bigint;
  readonly pets: ModelPet[];
  readonly orders: ModelOrder[];
}

/** The documented table, in plain words. */
const CHANGES = [
  ...['placed completed', 'placed cancelled', 'completed returned', 'completed placed'],
  ...['completed cancelled', 'cancelled placed', 'returned completed'],
];
const UNDER = {
  placed: 'pending',
  completed: 'sold',
  cancelled: 'available',
  returned: 'available',
} as const;

const status = fc.constantFrom(...PetStatus.options);
const place = fc.nat(9);
const step = <T>(weight: number, fields: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }) => ({
  weight,
  arbitrary: fc.record<T>(fields),
});
/** `place` chooses an animal or an order of those that there are then, so that most steps are about one that exists. */
const anyStep = fc.oneof(
  step(1, { what: fc.constant('create' as const), status }),
  step(3, { what: fc.constant('order' as const), place, status: fc.constantFrom('placed', 'completed') }),
  step(6, {
    what: fc.constant('close' as const),
    place,
    status: fc.constantFrom('placed', 'completed', 'cancelled', 'returned'),
  }),
  step(3, {
    what: fc.constant('correct' as const),
    place,
    update: fc.record(
      { name: fc.constantFrom('Ada', 'Tom'), status },
      { requiredKeys: [], noNullPrototype: true },
    ),
  }),
  step(2, { what: fc.constantFrom('remove' as const, 'restore' as const), place }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;
/** `size`: otherwise fast-check makes only short ones, in which hardly an animal is sold. */
const anySteps = fc.array(anyStep, { minLength: 20, maxLength: 60, size: 'max' });

/** One of the items or, in one of so many cases, undefined for an item that does not exist. */
const itemAt = <T>(items: readonly T[], place: number): T | undefined => items[place % (items.length + 1)];

/** What the store must refuse the step with; undefined if it must do it, as the model then has. */
function refusalOf(one: Step, model: Model): string | undefined {
  const has = (pet: ModelPet, status: Order['status']) =>
    model.orders.some((order) => order.pet === pet && order.status === status);
  if (one.what === 'create') return undefined;
  if (one.what === 'close') {
    const order = itemAt(model.orders, one.place);
    if (!order) return 'order_not_found';
    const change = `${order.status} ${one.status}`;
    if (change === 'placed returned') return 'order_not_completed';
    if (!CHANGES.includes(change)) return 'order_closed';
    // Nothing else can happen to an animal that an order has sold.
    if (order.status === 'completed' && order.pet.isRemoved) return 'pet_not_sold';
    const isFree = order.pet.status === 'available' && !order.pet.isRemoved;
    if ((order.status === 'cancelled' || order.status === 'returned') && !isFree) return 'pet_not_available';
    order.status = one.status;
    order.pet.status = UNDER[one.status];
    return undefined;
  }
  const pet = itemAt(model.pets, one.place);
  if (!pet || (pet.isRemoved && one.what !== 'restore')) return 'pet_not_found';
  if (!pet.isRemoved && one.what === 'restore') return 'pet_not_removed';
  if (one.what === 'order') {
    if (pet.status !== 'available') return 'pet_not_available';
    pet.status = UNDER[one.status];
  } else if (one.what === 'correct') {
    const { name = pet.name, status = pet.status } = one.update;
    if (status !== pet.status && has(pet, 'placed')) return 'pet_has_open_order';
    if (status !== pet.status && has(pet, 'completed')) return 'pet_sold_by_order';
    Object.assign(pet, { name, status });
  } else {
    if (one.what === 'remove' && has(pet, 'placed')) return 'pet_has_open_order';
    pet.isRemoved = one.what === 'remove';
  }
  return undefined;
}

/** Does the step in the store, to the items that the model has chosen. */
function take(one: Step, { categoryId, pets, orders }: Model, store: Store): Promise<Result> {
  const NO_ID = 1_000_000n;
  if (one.what === 'create') return store.createPet({ name: 'Rex', categoryId, status: one.status });
  if (one.what === 'close')
    return store.updateOrder(itemAt(orders, one.place)?.id ?? NO_ID, { status: one.status });
  const id = itemAt(pets, one.place)?.id ?? NO_ID;
  if (one.what === 'order') return store.createOrder({ petId: id, status: one.status });
  if (one.what === 'correct') return store.updatePet(id, one.update);
  return one.what === 'remove' ? store.removePet(id) : store.restorePet(id);
}

/** Takes every step, and compares each outcome with that of the model, which afterwards is as the store must be. */
async function play(steps: readonly Step[], model: Model, store: Store): Promise<void> {
  const history: string[] = [];
  for (const one of steps) {
    const done = take(one, model, store);
    const pet = one.what === 'order' ? itemAt(model.pets, one.place) : undefined;
    const expected = refusalOf(one, model);
    const outcome = await done.catch((error: unknown) => error);
    history.push(`${JSON.stringify(one)}: ${outcome instanceof ApiError ? outcome.code : 'done'}`);
    if (outcome instanceof ApiError || expected !== undefined) {
      const code = outcome instanceof ApiError ? outcome.code : outcome;
      assert.equal(code, expected, `Expected ${expected ?? 'success'} at the end of\n${history.join('\n')}`);
    } else if (outcome instanceof Error) throw outcome;
    else if (one.what === 'create') model.pets.push({ ...petIn(outcome as Result), isRemoved: false });
    else if (pet && one.what === 'order')
      model.orders.push({ id: orderIn(outcome as Result).id, pet, status: one.status });
  }
}

async function compare({ categoryId, pets, orders }: Model, store: Store): Promise<void> {
  const query = { limit: 1000, categoryId };
  const expected = (areRemoved: boolean, status?: PetStatus) =>
    pets
      .filter((pet) => pet.isRemoved === areRemoved && (status ?? pet.status) === pet.status)
      .map(({ isRemoved, ...pet }) => pet)
      .reverse();
  assert.deepEqual(await listPets(store, query), expected(false));
  const ids = pets.map(({ id }) => id);
  const removed = (await listRemovedPets(store, { limit: 1000, ids })).map(({ removedAt, ...pet }) => pet);
  assert.deepEqual(
    removed.toSorted((a, b) => (a.id > b.id ? -1 : 1)),
    expected(true),
  );
  const listed = await listOrders(store, { limit: 1000, petIds: ids });
  assert.deepEqual(
    listed.map(({ id, petId, status }) => ({ id, petId, status })),
    orders.map(({ id, pet, status }) => ({ id, petId: pet.id, status })).reverse(),
  );
  const counts = await store.countPets(categoryId);
  for (const status of PetStatus.options) {
    assert.deepEqual(await listPets(store, { ...query, status }), expected(false, status));
    assert.equal(Number(counts[status]), expected(false, status).length);
  }
}

export function ordersModel(open: Open): void {
  it('has the outcomes of the model after any creates, orders, completions, cancellations, returns, corrections and removals', async (t) => {
    const { store } = await open(t);
    let categoryId = 0n;
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const model: Model = { categoryId: ++categoryId, pets: [], orders: [] };
        const first: Step = { what: 'create', status: 'available' };
        await play([first, first, ...steps], model, store);
        await compare(model, store);
      }),
      { numRuns: 20 },
    );
  });
}
