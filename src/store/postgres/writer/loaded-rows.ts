import { type CategoryName, categoryNameDigest } from '../../../contract/category.ts';
import type { Author, NewEvent } from '../../../contract/event.ts';
import { type Inventory, NO_ANIMALS, type Order } from '../../../contract/order.ts';
import type { NewPet, Pet, RemovedPet } from '../../../contract/pet.ts';
import type { OrdersOfPet } from '../../../contract/rules/pets.ts';
import type { Rows } from '../../actions.ts';
import { lastAssigned } from '../../category-ids.ts';
import type { EventRow } from '../../events.ts';
import { IDEMPOTENCY_KEY_LIFETIME_MS, type IdempotencyKey, type StoredResult } from '../../store.ts';

/** What was locked and read for a batch. */
interface Loaded {
  readonly now: Date;
  readonly pets: readonly Pet[];
  readonly removedPets: readonly RemovedPet[];
  readonly orders: readonly Order[];
  /** The placed and the completed orders of the animals. */
  readonly deciding: readonly Pick<Order, 'id' | 'petId' | 'status'>[];
  readonly results: readonly StoredResult[];
  readonly categories: readonly CategoryName[];
  /** The counts of the categories that the batch names by their ids, but of none that never had an animal. */
  readonly inventory: readonly (readonly [id: bigint, Inventory])[];
  readonly newPetIds: readonly bigint[];
  readonly newOrderIds: readonly bigint[];
  /** Free identifiers: one for each new category, and one for each that the batch may use otherwise. */
  readonly newCategoryIds: readonly bigint[];
}

/** An item as it is stored, if it is, and as the batch leaves it. */
export interface Changed<T> {
  readonly stored: T | undefined;
  current: T | undefined;
}

/** The rows of a batch in memory: what one write changes, the next one sees. `save.ts` stores what has changed in the end. */
export class LoadedRows implements Rows {
  readonly pets: Map<bigint, Changed<Pet>>;
  readonly removedPets: Map<bigint, Changed<RemovedPet>>;
  readonly orders: Map<bigint, Changed<Order>>;
  readonly results: StoredResult[] = [];
  /** The new results that replace an expired one. */
  readonly expired: StoredResult[] = [];
  /** Each change is written by itself, in this order, because a name may pass from one category to another. */
  readonly categoryChanges: Readonly<Changed<CategoryName> & { id: bigint }>[] = [];
  /** The last identifier that was assigned to a new category, if the next one is looked for after it. */
  lastCategoryId: bigint | undefined;
  readonly events: Omit<EventRow, 'id'>[] = [];
  readonly #now: Date;
  readonly #deciding: Map<bigint, Map<bigint, Order['status']>>;
  readonly #results: Map<string, StoredResult>;
  /** Undefined for one that the batch has removed. */
  readonly #categories: Map<bigint, CategoryName | undefined>;
  readonly #categoriesByName: Map<string, CategoryName>;
  /** The loaded counts, with what the batch has changed; of other categories only the changes. */
  readonly #inventory: Map<bigint, Inventory>;
  readonly #newPetIds: Iterator<bigint, undefined>;
  readonly #newOrderIds: Iterator<bigint, undefined>;
  readonly #newCategoryIds: Iterator<bigint, undefined>;

  constructor(loaded: Loaded) {
    this.#now = loaded.now;
    this.pets = storedById(loaded.pets);
    this.removedPets = storedById(loaded.removedPets);
    this.orders = storedById(loaded.orders);
    this.#deciding = new Map();
    for (const { id, petId, status } of loaded.deciding) this.#decidingOf(petId).set(id, status);
    this.#results = new Map(loaded.results.map((result) => [nameOf(result), result]));
    this.#categories = new Map(loaded.categories.map((category) => [category.id, category]));
    this.#categoriesByName = new Map(loaded.categories.map((category) => [digestOf(category), category]));
    this.#inventory = new Map(loaded.inventory);
    this.#newPetIds = loaded.newPetIds.values();
    this.#newOrderIds = loaded.newOrderIds.values();
    this.#newCategoryIds = loaded.newCategoryIds.values();
  }

  now(): Date {
    return this.#now;
  }

  pet(id: bigint): Pet | undefined {
    return this.pets.get(id)?.current;
  }

  removedPet(id: bigint): RemovedPet | undefined {
    return this.removedPets.get(id)?.current;
  }

  ordersOf(petId: bigint): OrdersOfPet {
    const orders = [...(this.#deciding.get(petId) ?? [])];
    const latest = (wanted: Order['status']) => {
      const ids = orders.flatMap(([id, status]) => (status === wanted ? [id] : []));
      return ids.length === 0 ? undefined : { id: ids.reduce((a, b) => (a > b ? a : b)) };
    };
    return { open: latest('placed'), sale: latest('completed') };
  }

  order(id: bigint): Order | undefined {
    return this.orders.get(id)?.current;
  }

  category(id: bigint): CategoryName | undefined {
    return this.#categories.get(id);
  }

  categoryNamed(name: string): CategoryName | undefined {
    return this.#categoriesByName.get(categoryNameDigest(name));
  }

  inventory(categoryId: bigint): Inventory {
    return this.#inventory.get(categoryId) ?? NO_ANIMALS;
  }

  unusedCategoryId(): bigint {
    let id = next(this.#newCategoryIds);
    while (this.#categories.has(id) || this.#inventory.has(id)) id = next(this.#newCategoryIds);
    this.lastCategoryId = lastAssigned([id]) ?? this.lastCategoryId;
    return id;
  }

  result(key: IdempotencyKey): StoredResult | undefined {
    const stored = this.#results.get(nameOf(key));
    const isLive = stored && this.#now.getTime() - stored.createdAt.getTime() < IDEMPOTENCY_KEY_LIFETIME_MS;
    return isLive ? stored : undefined;
  }

  addPet(newPet: NewPet): Pet {
    const pet = { id: next(this.#newPetIds), ...newPet };
    this.changePet(pet);
    return pet;
  }

  changePet(pet: Pet): void {
    this.#setPet(pet.id, pet);
  }

  removePet(pet: RemovedPet): void {
    this.#setPet(pet.id, undefined);
    change(this.removedPets, pet.id, pet);
  }

  restorePet(pet: Pet): void {
    change(this.removedPets, pet.id, undefined);
    this.changePet(pet);
  }

  addOrder(newOrder: Omit<Order, 'id'>): Order {
    const order = { id: next(this.#newOrderIds), ...newOrder };
    this.changeOrder(order);
    return order;
  }

  changeOrder(order: Order): void {
    change(this.orders, order.id, order);
    this.#decidingOf(order.petId).set(order.id, order.status);
  }

  addCategory(category: CategoryName): void {
    this.#setCategory(category.id, category);
  }

  renameCategory(category: CategoryName): void {
    this.#setCategory(category.id, category);
  }

  removeCategory(id: bigint): void {
    this.#setCategory(id, undefined);
  }

  addResult(result: StoredResult): void {
    const name = nameOf(result);
    if (this.#results.has(name)) this.expired.push(result);
    this.#results.set(name, result);
    this.results.push(result);
  }

  record({ type, petId, content }: NewEvent, by: Author | undefined): void {
    this.events.push({ type, petId, at: this.#now, keyId: by?.keyId, keyName: by?.keyName, content });
  }

  #setPet(id: bigint, pet: Pet | undefined): void {
    this.#count(this.pet(id), -1n);
    this.#count(pet, 1n);
    change(this.pets, id, pet);
  }

  #count(pet: Pet | undefined, by: bigint): void {
    if (!pet) return;
    const counts = this.inventory(pet.categoryId);
    this.#inventory.set(pet.categoryId, { ...counts, [pet.status]: counts[pet.status] + by });
  }

  #decidingOf(petId: bigint): Map<bigint, Order['status']> {
    const orders = this.#deciding.get(petId) ?? new Map();
    this.#deciding.set(petId, orders);
    return orders;
  }

  #setCategory(id: bigint, current: CategoryName | undefined): void {
    const stored = this.#categories.get(id);
    if (stored) this.#categoriesByName.delete(digestOf(stored));
    this.#categories.set(id, current);
    if (current) this.#categoriesByName.set(digestOf(current), current);
    this.categoryChanges.push({ id, stored, current });
  }
}

const storedById = <T extends { readonly id: bigint }>(items: readonly T[]): Map<bigint, Changed<T>> =>
  new Map(items.map((item) => [item.id, { stored: item, current: item }]));

function change<T>(items: Map<bigint, Changed<T>>, id: bigint, current: T | undefined): void {
  const item = items.get(id);
  if (item) item.current = current;
  else items.set(id, { stored: undefined, current });
}

function next(ids: Iterator<bigint, undefined>): bigint {
  const { value } = ids.next();
  if (value === undefined) throw new Error('a write of the batch uses more ids than were read for it');
  return value;
}

const digestOf = ({ name }: CategoryName): string => categoryNameDigest(name);
export const nameOf = ({ owner, key }: Pick<IdempotencyKey, 'owner' | 'key'>): string =>
  JSON.stringify([owner, key]);
