import {
  AnimalStoreError,
  type Order,
  type OrderQuery as OrderFilter,
  type OrderStatus,
  type Page,
} from '../../../../../client/index.ts';
import type { Api } from '../api.ts';
import type { Cache } from '../cache/cache.ts';
import { MOST } from '../list/list.ts';
import type { Source } from '../list/source.ts';
import type { AnimalFinder } from './animals.ts';
import { type Part, pageInParts } from './in-parts.ts';
import { contains, idIn } from './text.ts';

/** Animals per page when orders are searched by the name of their animal. */
const ANIMALS = 10;
/** Each is a request of its own. */
const LOOK_UPS = 20;
/** A page of a search takes a dozen requests. */
const SHORT_PAGES = 5;

/** The orders that a person looks at. */
export interface OrderQuery {
  readonly status?: OrderStatus | undefined;
  readonly petId?: bigint | undefined;
  /** Those that were completed in this time. */
  readonly completed?: { readonly from: Date; readonly before: Date } | undefined;
  /** A part of the name of the animal or of the note, or an id. */
  readonly text?: string | undefined;
}

/** Finds orders, and with them their animals. */
export class OrderFinder implements Source<bigint, Order, OrderQuery> {
  readonly table: Cache['orders'];
  readonly shortPages = SHORT_PAGES;
  readonly #api: Api;
  readonly #cache: Cache;
  readonly #animals: AnimalFinder;

  constructor(api: Api, cache: Cache, animals: AnimalFinder) {
    this.table = cache.orders;
    this.#api = api;
    this.#cache = cache;
    this.#animals = animals;
  }

  async page(query: OrderQuery, address: string | undefined, limit: number): Promise<Page<Order>> {
    const page = await pageInParts(this.#parts(query), address, limit);
    await this.#loadAnimals(page.items);
    return page;
  }

  #parts({ status, petId, completed, text }: OrderQuery): readonly Part<Order>[] {
    if (text !== undefined) return this.#search(text, { status, petId });
    const { from, before } = completed ?? {};
    return [this.#listed({ status, petId, completedFrom: from, completedBefore: before })];
  }

  #search(text: string, filter: Pick<OrderQuery, 'status' | 'petId'>): readonly Part<Order>[] {
    const { status, petId } = filter;
    const id = idIn(text);
    const byAnimal = petId === undefined;
    return [
      ...(id === undefined ? [] : [this.#withId(id, filter)]),
      // An animal that was removed is not found by its name, but its orders are by its id.
      ...(id === undefined || !byAnimal ? [] : [this.#listed({ petId: id, status })]),
      this.#listed({ note: text, status, petId }),
      ...(byAnimal && this.#api.may('pets:read') ? [this.#ofAnimals(text, status)] : []),
    ];
  }

  #listed(query: OrderFilter): Part<Order> {
    return (address, limit) =>
      this.#api.read((client, options) => client.listOrders(address ?? { ...query, limit }, options));
  }

  #withId(id: bigint, filter: OrderQuery): Part<Order> {
    return async () => {
      const order = await this.#order(id);
      return { items: order && this.matches(order, filter) ? [order] : [], next: undefined };
    };
  }

  /** The orders of the animals with this text in their name. */
  #ofAnimals(name: string, status: OrderStatus | undefined): Part<Order> {
    return async (address) => {
      const { items: pets, next } = await this.#api.read((client, options) =>
        client.listPets(address ?? { name, limit: ANIMALS }, options),
      );
      const pages = await Promise.all(
        pets.map(({ id }) => this.#listed({ petId: id, status })(undefined, MOST)),
      );
      return { items: pages.flatMap((page) => page.items).toSorted(newestFirst), next };
    };
  }

  async #loadAnimals(orders: readonly Order[]): Promise<void> {
    const ids = [...new Set(orders.map(({ petId }) => petId))];
    if (ids.length > 0 && this.#api.may('pets:read')) await this.#animals.lookUp(ids);
  }

  #order(id: bigint): Promise<Order | undefined> {
    const read = this.#api.read((client, options) => client.getOrder(id, options));
    return read.catch((error) => {
      if (error instanceof AnimalStoreError && error.status === 404) return undefined;
      throw error;
    });
  }

  /** Asks for these orders. */
  async lookUp(ids: readonly bigint[]): Promise<void> {
    for (let from = 0; from < ids.length; from += LOOK_UPS)
      await Promise.all(ids.slice(from, from + LOOK_UPS).map((id) => this.load(id)));
  }

  /** Asks for an order. */
  async load(id: bigint): Promise<Order | undefined> {
    const asked = this.#cache.sequence.next();
    const order = await this.#order(id);
    if (order) this.table.receive([order], asked);
    else this.table.receiveAbsent([id], asked);
    return order;
  }

  /** Asks for the latest orders of an animal. */
  async loadOf(petId: bigint, filter: { status?: OrderStatus; limit: number }): Promise<readonly Order[]> {
    const asked = this.#cache.sequence.next();
    const { items } = await this.#api.read((client, options) =>
      client.listOrders({ petId, ...filter }, options),
    );
    this.table.receive(items, asked);
    return items;
  }

  matches(order: Order, { status, petId, completed, text }: OrderQuery): boolean {
    const { id, note = '', completedAt } = order;
    if (status !== undefined && order.status !== status) return false;
    if (petId !== undefined && order.petId !== petId) return false;
    if (completed) {
      const at = completedAt === undefined ? Number.NaN : Date.parse(completedAt);
      if (!(at >= completed.from.getTime() && at < completed.before.getTime())) return false;
    }
    if (text === undefined) return true;
    const animal = this.#cache.animals.peek(order.petId);
    const name = animal && !animal.removed && petId === undefined ? animal.name : '';
    return contains(note, text) || contains(name, text) || [id, order.petId].includes(idIn(text) ?? -1n);
  }

  /** The latest completion comes first, and of what was not completed the latest order. */
  compare(one: Order, other: Order): number {
    const [a = '', b = ''] = [one.completedAt, other.completedAt];
    return a === b ? newestFirst(one, other) : a < b ? 1 : -1;
  }
}

const newestFirst = (one: Order, other: Order): number => (one.id < other.id ? 1 : -1);
