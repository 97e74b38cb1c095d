import { type CategoryName, categoryJson, type NewCategory } from '../contract/category.ts';
import { ApiError } from '../contract/errors.ts';
import { type Author, orderEvent, petEvent } from '../contract/event.ts';
import { type NewOrder, NO_ANIMALS, type Order, type OrderUpdate, orderJson } from '../contract/order.ts';
import { type NewPet, type Pet, type PetUpdate, petJson } from '../contract/pet.ts';
import type { Precondition } from '../contract/precondition.ts';
import { createCategory, removeCategory, setCategory } from '../contract/rules/categories.ts';
import { changeOrder, placeOrder } from '../contract/rules/orders.ts';
import { removePet, restorePet, updatePet } from '../contract/rules/pets.ts';
import type { Rows } from './rows.ts';
import type { Created, IdempotencyKey } from './store.ts';

export type Actions = ReturnType<typeof actionsOn>;

/** One call of an action, as it is passed to a writer. */
export type Write<A extends object = Actions> = {
  [M in keyof A]: A[M] extends (...args: infer Args) => unknown ? { method: M; args: Args } : never;
}[keyof A];

/** How much of a batch a write takes up: as much as the animals that it adds. */
export const weightOf = ({ method, args }: { method: PropertyKey; args: readonly unknown[] }): number =>
  method === 'createPets' ? (args[0] as readonly NewPet[]).length : 1;

/** Runs a write with the actions that it names. */
export function run<A extends object>(actions: A, { method, args }: Write<A>): unknown {
  return (actions[method] as (...args: unknown[]) => unknown)(...(args as unknown[]));
}

/**
 * Every change of animals, orders and categories, for both stores: read, decide by the rules of the contract, write. A refusal comes before
 * the first write, so that it leaves nothing behind.
 */
export function actionsOn(rows: Rows) {
  /** What `create` returns, or the stored result of the first call with this key, which must have been the same request. */
  function once(key: IdempotencyKey | undefined, create: () => string): Created {
    if (!key) return { json: create(), replayed: false };
    const stored = rows.result(key);
    if (stored) {
      if (stored.fingerprint === key.fingerprint) return { json: stored.result, replayed: true };
      throw new ApiError(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request. Use a new one.',
      );
    }
    const json = create();
    rows.addResult({ ...key, result: json, createdAt: rows.now() });
    return { json, replayed: false };
  }

  function addPet(newPet: NewPet, by: Author | undefined): string {
    const pet = rows.addPet(newPet);
    const json = petJson(pet);
    rows.record(petEvent('pet.created', pet, undefined, json), by);
    return json;
  }

  return {
    createPet: (pet: NewPet, key?: IdempotencyKey, by?: Author): Created => once(key, () => addPet(pet, by)),

    createPets: (pets: readonly NewPet[], key?: IdempotencyKey, by?: Author): Created =>
      once(key, () => `[${pets.map((pet) => addPet(pet, by)).join()}]`),

    updatePet(id: bigint, changes: PetUpdate, precondition?: Precondition, by?: Author): Pet {
      const { pet, event } = updatePet(rows.pet(id), changes, rows.ordersOf(id), precondition);
      if (event) {
        rows.changePet(pet);
        rows.record(event, by);
      }
      return pet;
    },

    removePet(id: bigint, reason?: string, precondition?: Precondition, by?: Author): void {
      const removal = { at: rows.now().toISOString(), reason };
      const { pet, event } = removePet(rows.pet(id), rows.ordersOf(id), removal, precondition);
      rows.removePet(pet);
      rows.record(event, by);
    },

    restorePet(id: bigint, by?: Author): Pet {
      const { pet, event } = restorePet(rows.pet(id), rows.removedPet(id));
      rows.restorePet(pet);
      rows.record(event, by);
      return pet;
    },

    createOrder: (newOrder: NewOrder, key?: IdempotencyKey, by?: Author): Created =>
      once(key, () => {
        const placed = placeOrder(rows.pet(newOrder.petId), newOrder, rows.now().toISOString());
        rows.changePet(placed.pet);
        const order = rows.addOrder(placed.order);
        const json = orderJson(order);
        rows.record(orderEvent('order.placed', order, placed.pet, order, json), by);
        return json;
      }),

    updateOrder(id: bigint, update: OrderUpdate, by?: Author): Order {
      const found = rows.order(id);
      const petId = found?.petId ?? 0n;
      const at = rows.now().toISOString();
      const { order, pet, event } = changeOrder(found, rows.pet(petId), rows.ordersOf(petId), update, at);
      if (event) {
        rows.changeOrder(order);
        if (pet) rows.changePet(pet);
        rows.record(event, by);
      }
      return order;
    },

    createCategory: ({ name }: NewCategory, key?: IdempotencyKey, by?: Author): Created =>
      once(key, () => {
        const takeId = () => rows.unusedCategoryId();
        const { category, event } = createCategory(rows.categoryNamed(name), name, takeId);
        rows.addCategory(category);
        rows.record(event, by);
        return categoryJson({ ...category, inventory: NO_ANIMALS });
      }),

    setCategory(category: CategoryName, by?: Author): { created: boolean } {
      const { id, name } = category;
      const { created, event } = setCategory(rows.category(id), rows.categoryNamed(name), category);
      if (event) {
        if (created) rows.addCategory(category);
        else rows.renameCategory(category);
        rows.record(event, by);
      }
      return { created };
    },

    removeCategory(id: bigint, by?: Author): void {
      const event = removeCategory(rows.category(id), () => rows.isCategoryUsed(id));
      rows.removeCategory(id);
      rows.record(event, by);
    },
  };
}
