import { type CategoryName, categoryJson, type NewCategory } from '../contract/category.ts';
import { ApiError } from '../contract/errors.ts';
import { type Author, type NewEvent, orderEvent, petEvent } from '../contract/event.ts';
import {
  type Inventory,
  type NewOrder,
  NO_ANIMALS,
  type Order,
  type OrderUpdate,
  orderJson,
} from '../contract/order.ts';
import { type NewPet, type Pet, type PetUpdate, petJson, type RemovedPet } from '../contract/pet.ts';
import { createCategory, removeCategory, setCategory } from '../contract/rules/categories.ts';
import { changeOrder, createOrder } from '../contract/rules/orders.ts';
import { type OrdersOfPet, removePet, restorePet, updatePet } from '../contract/rules/pets.ts';
import type { IdempotencyKey, Result, StoredResult, WriteOptions } from './store.ts';

/**
 * What a write reads and changes, within one transaction: the only thing that a store has to provide for the actions. What is read is
 * locked, so that nothing changes between a decision and what follows from it, and every change is seen by the next read.
 */
export interface Rows {
  now(): Date;

  pet(id: bigint): Pet | undefined;
  removedPet(id: bigint): RemovedPet | undefined;
  ordersOf(petId: bigint): OrdersOfPet;
  order(id: bigint): Order | undefined;
  category(id: bigint): CategoryName | undefined;
  /** The category with this name, ignoring case. */
  categoryNamed(name: string): CategoryName | undefined;
  inventory(categoryId: bigint): Inventory;
  /** Takes an identifier that no category and no animal uses, and that no category ever had. */
  unusedCategoryId(): bigint;
  /** The stored result of the first call with this key, unless the key has expired. */
  result(key: IdempotencyKey): StoredResult | undefined;

  addPet(pet: NewPet): Pet;
  changePet(pet: Pet): void;
  removePet(pet: RemovedPet): void;
  restorePet(pet: Pet): void;
  addOrder(order: Omit<Order, 'id'>): Order;
  changeOrder(order: Order): void;
  addCategory(category: CategoryName): void;
  renameCategory(category: CategoryName): void;
  removeCategory(id: bigint): void;
  /** Replaces an expired result with the same key. */
  addResult(result: StoredResult): void;
  /** Events are numbered in the order of these calls. */
  record(event: NewEvent, by: Author | undefined): void;
}

export type Actions = ReturnType<typeof actionsOn>;

/** One call of an action, as it is passed to a writer. */
export type Write<A extends object = Actions> = {
  [M in keyof A]: A[M] extends (...args: infer Args) => unknown ? { method: M; args: Args } : never;
}[keyof A];

/** How much of a batch a write takes up: 1, or the number of animals that `createPets` adds. */
export const weightOf = ({ method, args }: { method: PropertyKey; args: readonly unknown[] }): number =>
  method === 'createPets' ? (args[0] as readonly NewPet[]).length : 1;

/** Whether the result of a write is the proof that the store can be written to: something new was stored. */
export const isProof = ({ method }: { method: PropertyKey }, result: unknown): boolean =>
  String(method).startsWith('create') && (result as Partial<Result> | undefined)?.replayed === false;

export function run<A extends object>(actions: A, { method, args }: Write<A>): unknown {
  return (actions[method] as (...args: unknown[]) => unknown)(...(args as unknown[]));
}

/** The result of a change, and its event unless nothing has changed. */
interface Change extends Omit<Result, 'replayed'> {
  readonly event?: NewEvent | undefined;
}

/**
 * Every change of animals, orders and categories, for both stores: read, decide by the rules of the contract, write. A refusal comes before
 * the first write, so that it leaves nothing behind.
 */
export function actionsOn(rows: Rows) {
  /** Makes a change with its event; or returns the stored result of the first call with this key, which must have been the same request. */
  function once({ idempotencyKey: key, by }: WriteOptions, change: () => Change): Result {
    const stored = key && rows.result(key);
    if (stored) {
      const { result: json, status } = stored;
      if (stored.fingerprint === key.fingerprint) return { json, status, replayed: true };
      throw new ApiError(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request. Use a new one.',
      );
    }
    const { json, status, event } = change();
    if (event) rows.record(event, by);
    if (key) rows.addResult({ ...key, result: json, status, createdAt: rows.now() });
    return { json, status, replayed: false };
  }

  const stampOf = ({ by }: WriteOptions) => ({ at: rows.now().toISOString(), by: by?.keyName });

  function addPet(newPet: NewPet, by: Author | undefined): string {
    const pet = rows.addPet(newPet);
    const json = petJson(pet);
    rows.record(petEvent('pet.created', pet, undefined, json), by);
    return json;
  }

  return {
    createPet: (pet: NewPet, options: WriteOptions = {}): Result =>
      once(options, () => ({ json: addPet(pet, options.by) })),

    createPets: (pets: readonly NewPet[], options: WriteOptions = {}): Result =>
      once(options, () => ({ json: `[${pets.map((pet) => addPet(pet, options.by)).join()}]` })),

    updatePet: (id: bigint, changes: PetUpdate, options: WriteOptions = {}): Result =>
      once(options, () => {
        const { pet, event } = updatePet(rows.pet(id), changes, rows.ordersOf(id), options.precondition);
        if (event) rows.changePet(pet);
        return { json: petJson(pet), event };
      }),

    removePet: (id: bigint, reason?: string, options: WriteOptions = {}): Result =>
      once(options, () => {
        const removal = { at: rows.now().toISOString(), reason };
        const { pet, event } = removePet(rows.pet(id), rows.ordersOf(id), removal, options.precondition);
        rows.removePet(pet);
        return { json: '', event };
      }),

    restorePet: (id: bigint, options: WriteOptions = {}): Result =>
      once(options, () => {
        const { pet, event } = restorePet(rows.pet(id), rows.removedPet(id));
        rows.restorePet(pet);
        return { json: petJson(pet), event };
      }),

    createOrder: (newOrder: NewOrder, options: WriteOptions = {}): Result =>
      once(options, () => {
        const created = createOrder(rows.pet(newOrder.petId), newOrder, stampOf(options));
        rows.changePet(created.pet);
        const order = rows.addOrder(created.order);
        const json = orderJson(order);
        return { json, event: orderEvent(`order.${order.status}`, order, created.pet, order, json) };
      }),

    updateOrder: (id: bigint, update: OrderUpdate, options: WriteOptions = {}): Result =>
      once(options, () => {
        const found = rows.order(id);
        const petId = found?.petId ?? 0n;
        const orders = rows.ordersOf(petId);
        const { order, pet, event } = changeOrder(found, rows.pet(petId), orders, update, stampOf(options));
        if (event) rows.changeOrder(order);
        if (pet) rows.changePet(pet);
        return { json: orderJson(order), event };
      }),

    createCategory: ({ name }: NewCategory, options: WriteOptions = {}): Result =>
      once(options, () => {
        const takeId = () => rows.unusedCategoryId();
        const { category, event } = createCategory(rows.categoryNamed(name), name, takeId);
        rows.addCategory(category);
        return { json: categoryJson({ ...category, inventory: NO_ANIMALS }), event };
      }),

    setCategory: (category: CategoryName, options: WriteOptions = {}): Result =>
      once(options, () => {
        const { id, name } = category;
        const { created, event } = setCategory(rows.category(id), rows.categoryNamed(name), category);
        if (created) rows.addCategory(category);
        else if (event) rows.renameCategory(category);
        const json = categoryJson({ ...category, inventory: rows.inventory(id) });
        return { json, status: created ? 201 : 200, event };
      }),

    removeCategory: (id: bigint, options: WriteOptions = {}): Result =>
      once(options, () => {
        const event = removeCategory(rows.category(id), rows.inventory(id));
        rows.removeCategory(id);
        return { json: '', event };
      }),
  };
}
