import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../src/contract/errors.ts';
import type { NewEvent } from '../../src/contract/event.ts';
import { parseJson } from '../../src/contract/json.ts';
import { type Order, OrderStatus, type OrderUpdate, petStatusUnder } from '../../src/contract/order.ts';
import type { Pet, PetUpdate, RemovedPet } from '../../src/contract/pet.ts';
import { changeOrder, createOrder, possibleAfter, transitions } from '../../src/contract/rules/orders.ts';
import { removePet, restorePet, updatePet } from '../../src/contract/rules/pets.ts';

/** One animal and everything that was ever done with it. */
interface Shop {
  pet: Pet | undefined;
  removed: RemovedPet | undefined;
  orders: Order[];
  events: NewEvent[];
}

type Step =
  | { readonly do: 'update'; readonly changes: PetUpdate }
  | { readonly do: 'remove' }
  | { readonly do: 'restore' }
  | { readonly do: 'order'; readonly status: 'placed' | 'completed' }
  | { readonly do: 'change'; readonly order: number; readonly status: OrderUpdate['status'] };

const status = fc.constantFrom('available' as const, 'pending' as const, 'sold' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('update' as const),
    changes: fc.record(
      { name: fc.constantFrom('Rex', 'Tom'), categoryId: fc.constantFrom(1n, 2n), status },
      { requiredKeys: [] },
    ),
  }),
  fc.constantFrom({ do: 'remove' as const }, { do: 'restore' as const }),
  fc.record({
    do: fc.constant('order' as const),
    status: fc.constantFrom('placed' as const, 'completed' as const),
  }),
  fc.record({
    do: fc.constant('change' as const),
    order: fc.nat(3),
    status: fc.constantFrom(...OrderStatus.pipe[0].options),
  }),
);

const latest = (orders: readonly Order[], wanted: Order['status']) =>
  orders.findLast((order) => order.status === wanted);
const ordersOf = ({ orders }: Shop) => ({
  open: latest(orders, 'placed'),
  sale: latest(orders, 'completed'),
});

/** Does what the rules allow; a refusal leaves everything as it is. */
function apply(shop: Shop, given: Step, at: string): void {
  const before = structuredClone(shop);
  try {
    change(shop, given, at);
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    assert.ok([404, 409].includes(error.status), error.code);
    assert.deepEqual(shop, before);
  }
}

function change(shop: Shop, given: Step, at: string): void {
  if (given.do === 'update') {
    const { pet, event } = updatePet(shop.pet, given.changes, ordersOf(shop));
    const isChanged = JSON.stringify(comparable(pet)) !== JSON.stringify(comparable(shop.pet));
    assert.equal(event !== undefined, isChanged);
    if (event) assert.deepEqual(beforeIn(event), differences(shop.pet as Pet, pet));
    shop.pet = pet;
    if (event) shop.events.push(event);
  } else if (given.do === 'remove') {
    const { pet, event } = removePet(shop.pet, ordersOf(shop), { at });
    [shop.pet, shop.removed] = [undefined, pet];
    shop.events.push(event);
  } else if (given.do === 'restore') {
    const { pet, event } = restorePet(shop.pet, shop.removed);
    [shop.pet, shop.removed] = [pet, undefined];
    shop.events.push(event);
  } else if (given.do === 'order') {
    const { order, pet } = createOrder(shop.pet, { petId: 1n, status: given.status }, { at });
    shop.pet = pet;
    shop.orders.push({ id: BigInt(shop.orders.length + 1), ...order });
  } else {
    const found = shop.orders[given.order];
    const { order, pet, event } = changeOrder(
      found,
      shop.pet,
      ordersOf(shop),
      { status: given.status },
      { at },
    );
    shop.orders[given.order] = order;
    if (pet) shop.pet = pet;
    if (event) shop.events.push(event);
  }
}

const comparable = (pet: Pet | undefined) =>
  pet && { ...pet, id: `${pet.id}`, categoryId: `${pet.categoryId}` };
const beforeIn = ({ content }: NewEvent) => (parseJson(content) as { before?: object }).before;

/** The fields that differ, with their values in `old`. Small numbers are plain ones in JSON. */
function differences(old: Pet, now: Pet): object {
  const fields = Object.entries(old).filter(([name, value]) => value !== now[name as keyof Pet]);
  return Object.fromEntries(
    fields.map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
}

describe('What may happen to an animal and its orders', () => {
  it('never sells it twice, however its orders and corrections follow each other', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), status, (steps, first) => {
        const shop: Shop = {
          pet: { id: 1n, name: 'Rex', categoryId: 1n, status: first },
          removed: undefined,
          orders: [],
          events: [],
        };
        for (const [i, one] of steps.entries()) {
          apply(shop, one, new Date(1000 * i).toISOString());
          const counts = Object.groupBy(shop.orders, ({ status }) => status);
          for (const status of Object.keys(counts)) reached.add(status);
          assert.ok((counts.completed?.length ?? 0) <= 1, 'two orders have sold it');
          assert.ok((counts.placed?.length ?? 0) <= 1, 'two orders are open');
          assert.ok(!(shop.pet && shop.removed), 'it is in the inventory and removed');
          if (counts.placed) assert.equal(shop.pet?.status, 'pending');
          if (counts.completed) assert.equal((shop.pet ?? shop.removed)?.status, 'sold');
        }
      }),
      { numRuns: 500 },
    );
    assert.deepEqual([...reached].sort(), ['cancelled', 'completed', 'placed', 'returned']);
  });

  it('lets an order become what the table says, only with the animal that this needs, and refuses the rest with what is possible', () => {
    const at = new Date(2000).toISOString();
    const order = { id: 1n, petId: 1n, createdAt: at, updatedAt: at };
    const isSale = (status: OrderStatus) => status === 'completed' || status === 'returned';
    const statuses = OrderStatus.pipe[0].options;
    for (const from of statuses)
      for (const to of statuses)
        for (const petStatus of ['available', 'pending', 'sold', undefined] as const)
          for (const sale of [{ id: 1n }, { id: 2n }]) {
            const pet = petStatus && { id: 1n, name: 'Rex', categoryId: 1n, status: petStatus };
            const become = (known = from) =>
              changeOrder(
                { ...order, status: from, ...(isSale(from) && { completedAt: at }) },
                pet,
                { open: undefined, sale },
                { status: to, from: known },
                { at, by: 'till' },
              );
            for (const stale of statuses.filter((other) => other !== from))
              assert.throws(() => become(stale), {
                code: 'order_closed',
                message: `The order is ${from}, not ${stale}, so nothing was changed. It can become ${possibleAfter(from)}.`,
              });
            const condition = transitions[from][to];
            if (!condition) {
              const code = from === 'placed' && to === 'returned' ? 'order_not_completed' : 'order_closed';
              const message = `The order is ${from}: it can only become ${possibleAfter(from)}.`;
              assert.throws(() => become(), { code, message });
            } else if (condition === 'available' && petStatus !== 'available')
              assert.throws(() => become(), { code: 'pet_not_available' });
            else if (condition === 'sold by it' && (petStatus !== 'sold' || sale.id !== 1n))
              assert.throws(() => become(), { code: 'pet_not_sold' });
            else {
              const { order: changed, pet: left, event } = become();
              assert.equal(left?.status, pet && petStatusUnder[to]);
              assert.equal('completedAt' in changed, isSale(to));
              // Nobody knows who made the sale of an order from before that was only returned.
              assert.equal(changed.completedBy, isSale(to) && !isSale(from) ? 'till' : undefined);
              assert.equal(event?.type, `order.${to}`);
              assert.deepEqual(beforeIn(event as NewEvent), { orderStatus: from });
            }
          }
    assert.equal(possibleAfter('completed'), 'returned, placed or cancelled');
  });

  it('changes an order at the time of the change, but never before it was placed', () => {
    const [early = '', at = '', late] = [1, 2, 3].map((ms) => new Date(ms).toISOString());
    const order: Order = { id: 1n, petId: 1n, status: 'placed', createdAt: at, updatedAt: at };
    for (const [now = '', expected] of [
      [late, late],
      [early, at],
    ]) {
      const orders = { open: order, sale: undefined };
      const { updatedAt, completedAt } = changeOrder(
        order,
        undefined,
        orders,
        { status: 'completed' },
        { at: now },
      ).order;
      assert.deepEqual([updatedAt, completedAt], [expected, expected]);
    }
  });
});
