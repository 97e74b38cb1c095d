import assert from 'node:assert/strict';
import { categoryNameJson } from '../../../src/contract/category.ts';
import { parseJson } from '../../../src/contract/json.ts';
import { type OrderStatus, orderJson, petStatusUnder } from '../../../src/contract/order.ts';
import { listedPetJson, petJson } from '../../../src/contract/pet.ts';
import { transitions } from '../../../src/contract/rules/orders.ts';
import type { Store, StoredEvent } from '../../../src/store/store.ts';
import { listCategories, listOrders, listPets, listRemovedPets } from '../lists.ts';

interface Item {
  readonly id: number | bigint;
  readonly [field: string]: unknown;
}

/** An event as it is stored: its type, and its content as JSON. */
export interface FeedRow {
  readonly type: string;
  readonly content: string;
}

/** What a store contains, each item as JSON. */
interface FeedState {
  readonly pets: readonly string[];
  readonly removed: readonly string[];
  readonly orders: readonly string[];
  readonly categories: readonly string[];
}

/**
 * Asserts that the events, one after the other, lead from an empty store to this state: every change has exactly one event, in the
 * order of the changes, and says what has changed. The animals of an import are known from its range only.
 */
export function assertReplays(events: Iterable<FeedRow>, state: FeedState): void {
  const replay = new Replay();
  let number = 0;
  for (const { type, content } of events) {
    number++;
    try {
      replay.apply(type, parseJson(content) as Record<string, Item>);
    } catch (error) {
      throw new Error(`event ${number}, ${type}, does not continue what the ones before left: ${content}`, {
        cause: error,
      });
    }
  }
  const expected = (items: readonly string[]) =>
    new Map(items.map((json) => entryOf(parseJson(json) as Item)));
  for (const [id, pet] of expected(state.pets))
    if (!replay.pets.has(id) && replay.isImported(id)) replay.pets.set(id, pet);
  assert.deepEqual(replay.pets, expected(state.pets), 'animals');
  assert.deepEqual(replay.removed, expected(state.removed), 'removed animals');
  assert.deepEqual(replay.orders, expected(state.orders), 'orders');
  assert.deepEqual(replay.categories, expected(state.categories), 'categories');
}

/** The same of everything in a store that has kept all its events. `events` are the ones to replay, if a reader has them already. */
export async function assertStoreReplays(store: Store, events?: readonly StoredEvent[]): Promise<void> {
  const all = { limit: 1_000_000 };
  const rows = (events ?? (await store.listEvents(all)).events).map(({ type, json }) => ({
    type,
    content: json,
  }));
  assertReplays(rows, {
    pets: (await listPets(store, all)).map(petJson),
    removed: (await listRemovedPets(store, all)).map(listedPetJson),
    orders: (await listOrders(store, all)).map(orderJson),
    categories: (await listCategories(store, all)).map(categoryNameJson),
  });
}

const entryOf = (item: Item): [string, Item] => [String(item.id), item];

/** A removed animal without what is known of its removal. */
const animalOf = ({ removedAt, reason, ...animal }: Item): Item => animal;

class Replay {
  readonly pets = new Map<string, Item>();
  readonly removed = new Map<string, Item>();
  readonly orders = new Map<string, Item>();
  readonly categories = new Map<string, Item>();
  readonly #imports: { firstId: bigint; lastId: bigint }[] = [];

  isImported(id: string): boolean {
    return this.#imports.some(({ firstId, lastId }) => firstId <= BigInt(id) && BigInt(id) <= lastId);
  }

  apply(type: string, content: Record<string, Item>): void {
    const { pet, order, category, before, imported } = content;
    if (type === 'order.updated') this.#applyToNote(order as Item, pet, before);
    else if (order && pet) this.#applyToOrder(type, order, pet, before);
    else if (category) this.#applyToCategory(type, category, before);
    else if (imported)
      this.#imports.push({
        firstId: BigInt(imported.firstId as bigint),
        lastId: BigInt(imported.lastId as bigint),
      });
    else if (pet) this.#applyToPet(type, pet, before);
    else assert.fail(`${type} without content`);
  }

  #applyToPet(type: string, pet: Item, before: Item | undefined): void {
    const [id] = entryOf(pet);
    if (type === 'pet.created') {
      assert.ok(!this.pets.has(id) && !this.removed.has(id), `animal ${id} was created twice`);
      this.pets.set(id, pet);
    } else if (type === 'pet.updated') {
      assert.ok(before && Object.keys(before).length > 0);
      this.#change(pet, { ...pet, ...before });
    } else if (type === 'pet.removed') {
      assert.equal(typeof pet.removedAt, 'string');
      this.#change(animalOf(pet), animalOf(pet));
      this.pets.delete(id);
      this.removed.set(id, pet);
    } else {
      assert.equal(type, 'pet.restored');
      assert.deepEqual(animalOf(this.removed.get(id) as Item), pet);
      this.removed.delete(id);
      this.pets.set(id, pet);
    }
  }

  /** The animal must have been as the event before has left it. */
  #change(pet: Item, old: Item): void {
    const [id] = entryOf(pet);
    if (this.pets.has(id) || !this.isImported(id)) assert.deepEqual(this.pets.get(id), old);
    this.pets.set(id, pet);
  }

  /** The order and its animal must have been as the events before have left them, and no two orders may have the animal. */
  #applyToOrder(type: string, order: Item, pet: Item, before: Item | undefined): void {
    const [id] = entryOf(order);
    const old = this.orders.get(id);
    const [from, to] = [old?.status, order.status] as [OrderStatus | undefined, OrderStatus];
    assert.equal(type, `order.${to}`);
    assert.equal(order.petId, pet.id);
    assert.equal(before?.orderStatus, from);
    if (old) {
      assert.ok(from && transitions[from][to], `${from} became ${to}`);
      const sale = to === 'returned' || from === 'returned' ? ['completedAt', 'completedBy'] : [];
      for (const field of ['createdAt', 'createdBy', ...sale]) assert.equal(order[field], old[field], field);
    }
    const isSale = to === 'completed' || to === 'returned';
    assert.equal(order.completedAt !== undefined, isSale);
    assert.ok(isSale || order.completedBy === undefined);
    assert.equal(pet.status, petStatusUnder[to]);
    this.#change(pet, { ...pet, status: from ? petStatusUnder[from] : 'available' });
    this.orders.set(id, order);
    this.#assertOneOrder(pet);
  }

  #assertOneOrder(pet: Item): void {
    const holding = [...this.orders.values()].filter(
      ({ petId, status }) => petId === pet.id && (status === 'placed' || status === 'completed'),
    );
    assert.ok(holding.length <= 1, `${holding.length} orders have the animal`);
    if (holding[0]) assert.equal(pet.status, petStatusUnder[holding[0].status as OrderStatus]);
  }

  /** Only the note has changed, and the animal is as it was, if it is still there. */
  #applyToNote(order: Item, pet: Item | undefined, before: Item | undefined): void {
    const [id] = entryOf(order);
    const { note, updatedAt, ...old } = this.orders.get(id) as Item;
    const { note: newNote, updatedAt: newTime, ...rest } = order;
    assert.deepEqual(rest, old);
    assert.ok(before && 'note' in before && before.note === (note ?? null) && newNote !== note);
    if (pet) this.#change(pet, pet);
    this.orders.set(id, order);
  }

  #applyToCategory(type: string, category: Item, before: Item | undefined): void {
    const [id] = entryOf(category);
    const old = { 'category.created': undefined, 'category.removed': category }[type];
    assert.deepEqual(this.categories.get(id), type === 'category.renamed' ? { ...category, ...before } : old);
    if (type === 'category.removed') this.categories.delete(id);
    else this.categories.set(id, category);
  }
}
