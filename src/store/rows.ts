import type { CategoryName } from '../contract/category.ts';
import type { Author, NewEvent } from '../contract/event.ts';
import type { Inventory, Order } from '../contract/order.ts';
import type { NewPet, Pet, RemovedPet } from '../contract/pet.ts';
import type { OrdersOfPet } from '../contract/rules/pets.ts';
import type { IdempotencyKey, StoredResult } from './store.ts';

/**
 * What a write reads and changes, within one transaction: the only thing that a store has to provide for `actions.ts`. What is read is
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
