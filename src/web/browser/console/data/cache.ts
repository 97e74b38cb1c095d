import { batch, type Signal, signal } from '@preact/signals';
import type { Category, Event, Key, ListedPet, Order, Pet, PetStatus } from '../../../../client/index.ts';

/** An animal, in the inventory or removed from it. */
export interface Animal extends Readonly<Pet> {
  /** Undefined while it is in the inventory. */
  readonly removed?: { readonly at?: string | undefined; readonly reason?: string | undefined } | undefined;
}

export const shownStatus = ({ status, removed }: Animal): PetStatus | 'removed' =>
  removed ? 'removed' : status;

/** An animal as the service lists it. */
export function animalFrom({ id, name, categoryId, status, removedAt, reason }: ListedPet): Animal {
  const pet = { id, name, categoryId, status };
  return removedAt === undefined ? pet : { ...pet, removed: { at: removedAt, reason } };
}

/** Whether two values of JSON, which may contain dates, are equal. An undefined field counts as absent. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  // A date has no fields to compare.
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return Object.keys({ ...left, ...right }).every((field) => isEqual(left[field], right[field]));
}

/** Numbers requests and changes in the order in which they happen. All tables of a cache share one. */
export class Sequence {
  #last = 0;

  next(): number {
    return ++this.#last;
  }
}

interface Entry<T> {
  /** Undefined until the service was asked. It changes only with the value, so that no view is drawn again needlessly. */
  readonly known: Signal<Known<T> | undefined>;
  /** The moment at which this was asked for, or changed. */
  asOf: number;
  /** Changed here, and not yet confirmed by an event or a later answer. */
  isUnconfirmed: boolean;
}

interface Known<T> {
  /** Undefined if the service has no such thing. */
  readonly value: T | undefined;
}

/**
 * The known items of one kind, each of them once, by id. Views read them through signals and follow every change.
 *
 * One rule decides what is stale: an answer replaces nothing that is newer than its request. A change made here and an event are newer
 * than every request before them.
 */
export class Table<Id, T extends { readonly id: Id }> {
  readonly #sequence: Sequence;
  readonly #observe: (value: T | undefined, id: Id) => void;
  readonly #entries = new Map<Id, Entry<T>>();

  /** `observe` is called with a value when it appears, and with undefined when it is gone. */
  constructor(sequence: Sequence, observe: (value: T | undefined, id: Id) => void = () => {}) {
    this.#sequence = sequence;
    this.#observe = observe;
  }

  #entry(id: Id): Entry<T> {
    let entry = this.#entries.get(id);
    if (!entry) {
      entry = { known: signal(undefined), asOf: 0, isUnconfirmed: false };
      this.#entries.set(id, entry);
    }
    return entry;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Undefined if it does not exist, or was never asked for. */
  get(id: Id): T | undefined {
    return this.#entry(id).known.value?.value;
  }

  peek(id: Id): T | undefined {
    return this.#entries.get(id)?.known.peek()?.value;
  }

  /** Whether the service was asked for it. */
  isKnown(id: Id): boolean {
    return this.#entry(id).known.value !== undefined;
  }

  /** Stores the answer to a request that began at the moment `asked`. */
  receive(values: readonly T[], asked: number): void {
    batch(() => {
      for (const value of values) this.#receive(value.id, value, asked);
    });
  }

  /** Notes that a request that began at the moment `asked` did not find these. */
  receiveAbsent(ids: readonly Id[], asked: number): void {
    batch(() => {
      for (const id of ids) this.#receive(id, undefined, asked);
    });
  }

  #receive(id: Id, value: T | undefined, asked: number): void {
    if (this.#entry(id).asOf > asked) return;
    this.#set(id, value, asked, false);
  }

  /** Stores the answer to a change that was made here. */
  change(value: T): void {
    this.#set(value.id, value, this.#sequence.next(), true);
  }

  /** Notes that it was removed here. */
  remove(id: Id): void {
    this.#set(id, undefined, this.#sequence.next(), true);
  }

  /**
   * Applies an event. Events arrive in order, but later than the answer to a change that was made here, so an event that says something
   * else may be older than that change. Such an event is not applied, and the result is false: the service has to be asked.
   */
  applyEvent(id: Id, value: T | undefined): boolean {
    const { known, isUnconfirmed } = this.#entry(id);
    if (isUnconfirmed && !isEqual(known.peek()?.value, value)) return false;
    this.#set(id, value, this.#sequence.next(), false);
    return true;
  }

  #set(id: Id, value: T | undefined, asOf: number, isUnconfirmed: boolean): void {
    const entry = this.#entry(id);
    const known = entry.known.peek();
    entry.asOf = asOf;
    entry.isUnconfirmed = isUnconfirmed;
    if (!known || !isEqual(known.value, value)) entry.known.value = { value };
    if ((value === undefined) !== (known?.value === undefined)) this.#observe(value, id);
  }

  /** Forgets all but `kept` if there are more than `most`. What is on the page must be kept: a forgotten signal no longer changes. */
  trim(kept: ReadonlySet<Id>, most: number): void {
    if (this.#entries.size <= most) return;
    for (const id of this.#entries.keys()) if (!kept.has(id)) this.#entries.delete(id);
  }
}

/** What is in the lists and the panel on the page. */
interface OnPage {
  readonly animals: ReadonlySet<bigint>;
  readonly orders: ReadonlySet<bigint>;
}

/** More than the lists of one view can have. Above this, what is not on the page is forgotten. */
const MOST = 3000;

/**
 * Everything that the console knows of the shop. Each animal, order, category and key is stored here once, and lists contain only ids. The
 * order that explains the status of an animal is found among its orders.
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
  /** The events in the list of activity, which never change. */
  readonly events = new Table<string, Event>(this.sequence);
  readonly #orderIds = new Map<bigint, Signal<ReadonlySet<bigint>>>();
  /** The animals whose orders were asked for. */
  readonly #asked = new Map<bigint, Signal<boolean>>();

  /** The known orders of an animal, the latest first. */
  ordersOf(petId: bigint): readonly Order[] {
    const ids = [...emplace(this.#orderIds, petId, new Set<bigint>()).value].sort((a, b) => (a < b ? 1 : -1));
    return ids.map((id) => this.orders.get(id)).filter((order) => order !== undefined);
  }

  /** The order that explains why an animal is reserved or sold, if it is known. */
  orderOf({ id, status }: Animal): Order | undefined {
    if (status === 'available') return undefined;
    const wanted = status === 'pending' ? 'placed' : 'completed';
    return this.ordersOf(id).find((order) => order.status === wanted);
  }

  /** Whether no order explains why an animal is reserved or sold: it was imported, or its status was set. */
  isWithoutOrder(animal: Animal): boolean {
    const isAsked = emplace(this.#asked, animal.id, false).value;
    return animal.status !== 'available' && isAsked && !this.orderOf(animal);
  }

  /** Notes that the orders of these animals were loaded into the table. */
  noteAsked(petIds: readonly bigint[]): void {
    for (const id of petIds) emplace(this.#asked, id, false).value = true;
  }

  /** Applies an event of the stream. Returns what it could not be applied to, about which the service has to be asked. */
  apply(event: Event): { readonly animals: readonly bigint[]; readonly orders: readonly bigint[] } {
    const animals: bigint[] = [];
    const orders: bigint[] = [];
    const { pet, order, category } = event;
    batch(() => {
      if (pet && !this.animals.applyEvent(pet.id, animalFrom(pet))) animals.push(pet.id);
      if (order && !this.orders.applyEvent(order.id, order)) orders.push(order.id);
      if (category) this.#applyCategory(event, category);
    });
    return { animals, orders };
  }

  /** The event has only the name. How many animals the category has is loaded after every change. */
  #applyCategory({ type }: Event, { id, name }: { id: bigint; name: string }): void {
    const known = this.categories.peek(id);
    const inventory = known?.inventory ?? { available: 0n, pending: 0n, sold: 0n };
    this.categories.applyEvent(id, type === 'category.removed' ? undefined : { id, name, inventory });
  }

  #index({ id, petId }: Order): void {
    const ids = emplace(this.#orderIds, petId, new Set<bigint>());
    ids.value = new Set([...ids.peek(), id]);
  }

  /** Forgets what is not on the page, so that a day of work does not fill the memory of a till. */
  trim({ animals, orders }: OnPage, events: ReadonlySet<string>): void {
    this.events.trim(events, 0);
    this.animals.trim(animals, MOST);
    if (Math.max(this.orders.size, this.#orderIds.size, this.#asked.size) <= MOST) return;
    const ofAnimals = [...animals].flatMap((id) => [...(this.#orderIds.get(id)?.peek() ?? [])]);
    this.orders.trim(new Set([...orders, ...ofAnimals]), 0);
    for (const map of [this.#orderIds, this.#asked])
      for (const id of map.keys()) if (!animals.has(id)) map.delete(id);
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
