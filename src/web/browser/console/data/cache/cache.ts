import { batch, type Signal, signal } from '@preact/signals';
import type { Category, Event, Key, Order, OrderStatus } from '../../../../../client/index.ts';
import { type Animal, animalOf } from './animal.ts';
import { Sequence, Table } from './table.ts';

/** What an event has led to. */
export interface Applied {
  /** Whether it has changed something that was known to be otherwise. */
  readonly isChange: boolean;
  /** What it could not be applied to: the service has to be asked. */
  readonly unclear: { readonly animals: readonly bigint[]; readonly orders: readonly bigint[] };
}

/** What a person may want to know the author of. */
export type AuthoredType = 'pet.removed' | 'order.placed' | 'order.completed';

/** What each of them was before: the correction of an order has another author than the reservation or the sale. */
const AUTHORED: Readonly<Record<AuthoredType, readonly (OrderStatus | undefined)[]>> = {
  'pet.removed': [undefined],
  'order.placed': [undefined],
  'order.completed': [undefined, 'placed'],
};

/**
 * Everything that the console knows of the shop. Each animal, order, category and key is in here once; lists have ids, and what waits for
 * an animal follows from its orders.
 */
export class Cache {
  readonly sequence = new Sequence();
  readonly animals = new Table<bigint, Animal>(this.sequence);
  readonly orders = new Table<bigint, Order>(this.sequence, (order) => order && this.#index(order));
  readonly categories = new Table<bigint, Category>(this.sequence, (category, id) => {
    const others = [...this.categoryIds.peek()].filter((one) => one !== id);
    this.categoryIds.value = new Set(category ? [...others, id] : others);
  });
  /** The categories that have a name. */
  readonly categoryIds = signal<ReadonlySet<bigint>>(new Set());
  readonly keys = new Table<string, Key>(this.sequence);
  /** An event never changes. */
  readonly events = new Table<string, Event>(this.sequence, (event) => event && this.#noteEvent(event));
  readonly #orderIds = new Map<bigint, Signal<ReadonlySet<bigint>>>();
  readonly #latestEvents = new Map<string, Signal<Event | undefined>>();

  /** The orders of an animal that are known, the latest first. */
  ordersOf(petId: bigint): readonly Order[] {
    const ids = [...this.#idsOf(petId).value].sort((one, other) => (one < other ? 1 : -1));
    return ids.map((id) => this.orders.get(id)).filter((order) => order !== undefined);
  }

  /** The order that waits for an animal, if it is known. */
  reservationOf(petId: bigint): Order | undefined {
    return this.ordersOf(petId).find(({ status }) => status === 'placed');
  }

  /** The latest event of this kind on an animal or an order, as far as one was loaded: it tells who has done it. */
  latestEvent(type: AuthoredType, id: bigint): Event | undefined {
    return this.#latestEventOf(`${type} ${id}`).value;
  }

  /** Applies an event of the stream. */
  apply(event: Event): Applied {
    const animals: bigint[] = [];
    const orders: bigint[] = [];
    const { pet, order, category } = event;
    const before = [pet && this.animals.peek(pet.id), order && this.orders.peek(order.id)];
    batch(() => {
      this.events.applyEvent(event.id, event);
      if (pet && !this.animals.applyEvent(pet.id, animalOf(event))) animals.push(pet.id);
      if (order && !this.orders.applyEvent(order.id, order)) orders.push(order.id);
      if (category) this.#applyCategory(event, category);
    });
    const after = [pet && this.animals.peek(pet.id), order && this.orders.peek(order.id)];
    const isChange = before.some((one, index) => one !== undefined && one !== after[index]);
    return { isChange, unclear: { animals, orders } };
  }

  /** The event has the name alone; how many animals it has is asked for after every change. */
  #applyCategory({ type }: Event, { id, name }: { id: bigint; name: string }): void {
    const known = this.categories.peek(id);
    const inventory = known?.inventory ?? { available: 0n, pending: 0n, sold: 0n };
    this.categories.applyEvent(id, type === 'category.removed' ? undefined : { id, name, inventory });
  }

  #index({ id, petId }: Order): void {
    const ids = this.#idsOf(petId);
    ids.value = new Set([...ids.peek(), id]);
  }

  #idsOf(petId: bigint): Signal<ReadonlySet<bigint>> {
    return emplace(this.#orderIds, petId, new Set());
  }

  #latestEventOf(key: string): Signal<Event | undefined> {
    return emplace(this.#latestEvents, key, undefined);
  }

  #noteEvent(event: Event): void {
    const { type, pet, order, at, before } = event;
    if (!AUTHORED[type as AuthoredType]?.includes(before?.orderStatus)) return;
    const id = type.startsWith('order.') ? order?.id : pet?.id;
    const latest = this.#latestEventOf(`${type} ${id}`);
    if ((latest.peek()?.at ?? '') <= at) latest.value = event;
  }
}

function emplace<Key, T>(map: Map<Key, Signal<T>>, key: Key, initial: T): Signal<T> {
  let found = map.get(key);
  if (!found) {
    found = signal(initial);
    map.set(key, found);
  }
  return found;
}
