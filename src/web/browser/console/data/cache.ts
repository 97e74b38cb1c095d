import { batch, type Signal, signal } from '@preact/signals';
import type {
  Category,
  Event,
  Key,
  ListedPet,
  Order,
  OrderStatus,
  Pet,
  PetStatus,
} from '../../../../client/index.ts';

/** An animal, in the inventory or removed from it. */
export interface Animal extends Readonly<Pet> {
  /** Undefined while it is in the inventory. */
  readonly removed?: { readonly at?: string | undefined; readonly reason?: string | undefined } | undefined;
}

/** The status of an animal as the page shows it. */
export const shownStatus = ({ status, removed }: Animal): PetStatus | 'removed' =>
  removed ? 'removed' : status;

/** An animal as the service lists it. */
export function animalFrom({ id, name, categoryId, status, removedAt, reason }: ListedPet): Animal {
  const pet = { id, name, categoryId, status };
  return removedAt === undefined ? pet : { ...pet, removed: { at: removedAt, reason } };
}

/** An animal as an event has left it. */
function animalOf({ type, at }: Event, pet: ListedPet): Animal {
  const animal = animalFrom(pet);
  return type === 'pet.removed' && !animal.removed
    ? { ...animal, removed: { at, reason: pet.reason } }
    : animal;
}

/** Whether two values of JSON, or with dates in it, are the same. A field that is undefined counts as absent. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  // A date has no fields.
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return Object.keys({ ...left, ...right }).every((field) => isEqual(left[field], right[field]));
}

/** Numbers what is asked for and what changes, in that order. All tables of a cache share one. */
export class Sequence {
  #last = 0;

  next(): number {
    return ++this.#last;
  }
}

interface Entry<T> {
  /** Undefined until the service was asked. It changes with the value alone, so that no view is drawn again for nothing. */
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
 * What is known of one kind of thing, each of them once, by its id. Views read it through signals and follow every change.
 *
 * One rule decides what is stale: nothing is replaced by an answer that was asked for before it. A change made here, and an event, are
 * newer than everything that was asked for before them.
 */
export class Table<Id, T extends { readonly id: Id }> {
  readonly #sequence: Sequence;
  readonly #observe: (value: T | undefined, id: Id) => void;
  readonly #entries = new Map<Id, Entry<T>>();

  /** `observe` is told what is new, and what is gone. */
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

  /** What is known of it; undefined if it does not exist, or was never asked for. */
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

  /** What a request that was begun at the moment `asked` has answered. */
  receive(values: readonly T[], asked: number): void {
    batch(() => {
      for (const value of values) this.#receive(value.id, value, asked);
    });
  }

  /** A request that was begun at the moment `asked` has not found these. */
  receiveAbsent(ids: readonly Id[], asked: number): void {
    batch(() => {
      for (const id of ids) this.#receive(id, undefined, asked);
    });
  }

  #receive(id: Id, value: T | undefined, asked: number): void {
    if (this.#entry(id).asOf > asked) return;
    this.#set(id, value, asked, false);
  }

  /** The answer to a change that was made here. */
  change(value: T): void {
    this.#set(value.id, value, this.#sequence.next(), true);
  }

  /** It was removed here. */
  remove(id: Id): void {
    this.#set(id, undefined, this.#sequence.next(), true);
  }

  /**
   * An event says that it has become this. Events arrive in order, but later than the answer to a change that was made here: one that
   * says something else may be older than that change. It is not applied then, and the result is false: the service has to be asked.
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

  /** Forgets all but these, if there is a lot to forget. What is forgotten must not be on the page: nothing tells it any more. */
  trim(kept: ReadonlySet<Id>, most: number): void {
    if (this.#entries.size <= most) return;
    for (const id of this.#entries.keys()) if (!kept.has(id)) this.#entries.delete(id);
  }
}

/** What a person may want to know the author of. */
export type AuthoredType = 'pet.removed' | 'order.placed' | 'order.completed';

/** What each of them was before: the correction of an order has another author than the reservation or the sale. */
const AUTHORED: Readonly<Record<AuthoredType, readonly (OrderStatus | undefined)[]>> = {
  'pet.removed': [undefined],
  'order.placed': [undefined],
  'order.completed': [undefined, 'placed'],
};

/** Who has removed, reserved or sold something. */
interface Author {
  /** Such as `order.placed 17`. */
  readonly id: string;
  readonly at: string;
  /** Null for the command line. */
  readonly keyName: string | null;
}

/** What is in the lists and the panel on the page. */
export interface OnPage {
  readonly animals: ReadonlySet<bigint>;
  readonly orders: ReadonlySet<bigint>;
}

/** More than the lists of one view can have. Beyond, what is not on the page is forgotten. */
const MOST = 3000;

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
  /** Those that the list of activity shows. An event never changes. */
  readonly events = new Table<string, Event>(this.sequence);
  readonly #authors = new Table<string, Author>(this.sequence);
  readonly #orderIds = new Map<bigint, Signal<ReadonlySet<bigint>>>();
  /** The animals whose orders were asked for. */
  readonly #asked = new Map<bigint, Signal<boolean>>();

  /** The orders of an animal that are known, the latest first. */
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

  /** The orders of these animals were asked for, and those that were found are in the table. */
  noteAsked(petIds: readonly bigint[]): void {
    for (const id of petIds) emplace(this.#asked, id, false).value = true;
  }

  /** Who has done it, as far as that was loaded; null for the command line. */
  authorOf(type: AuthoredType, id: bigint): string | null | undefined {
    return this.#authors.get(`${type} ${id}`)?.keyName;
  }

  noteAuthors(events: readonly Event[]): void {
    batch(() => {
      for (const { type, pet, order, at, before, keyName } of events) {
        if (!AUTHORED[type as AuthoredType]?.includes(before?.orderStatus)) continue;
        const id = `${type} ${type === 'pet.removed' ? pet?.id : order?.id}`;
        // Of several completions, the latest counts.
        if ((this.#authors.peek(id)?.at ?? '') <= at) this.#authors.change({ id, at, keyName });
      }
    });
  }

  /** Applies an event of the stream. Returns what it could not be applied to: the service has to be asked. */
  apply(event: Event): { readonly animals: readonly bigint[]; readonly orders: readonly bigint[] } {
    const animals: bigint[] = [];
    const orders: bigint[] = [];
    const { pet, order, category } = event;
    batch(() => {
      this.noteAuthors([event]);
      if (pet && !this.animals.applyEvent(pet.id, animalOf(event, pet))) animals.push(pet.id);
      if (order && !this.orders.applyEvent(order.id, order)) orders.push(order.id);
      if (category) this.#applyCategory(event, category);
    });
    return { animals, orders };
  }

  /** The event has the name alone; how many animals it has is asked for after every change. */
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
    this.#authors.trim(new Set(), 2 * MOST);
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
