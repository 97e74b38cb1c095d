import {
  AnimalStoreError,
  type Event,
  type Key,
  type Order,
  type OrderStatus,
  type Page,
  type PetQuery,
  type PetStatus,
} from '../../../../client/index.ts';
import type { Api } from './api.ts';
import { type Animal, animalFrom, type Cache } from './cache.ts';
import type { Bounds } from './calendar.ts';
import { MOST, type Source } from './list.ts';
import { byMatch, idIn } from './text.ts';

/** How many orders are requested by id at the same time. */
const LOOK_UPS = 20;
/** The most events, and the most orders, that are loaded for one animal. */
const HISTORY = 50;
/** Commits may be slightly out of the order of their times. */
const OUT_OF_ORDER_MS = 60_000;

export interface AnimalQuery {
  readonly status?: PetStatus | undefined;
  readonly category?: bigint | undefined;
  /** Words of the name, or an id. */
  readonly text?: string | undefined;
  readonly removed?: boolean | undefined;
  /** Only animals whose status no order explains. */
  readonly withoutOrder?: boolean | undefined;
}

/** Finds animals, with the orders that explain their status. */
export class AnimalSource implements Source<bigint, Animal, AnimalQuery> {
  readonly table: Cache['animals'];
  readonly #api: Api;
  readonly #cache: Cache;
  readonly #orders: OrderSource;

  constructor(api: Api, cache: Cache, orders: OrderSource) {
    this.table = cache.animals;
    this.#api = api;
    this.#cache = cache;
    this.#orders = orders;
  }

  async page(query: AnimalQuery, address: string | undefined, limit: number): Promise<Page<Animal>> {
    const { status, category: categoryId, text: name, removed, withoutOrder } = query;
    const filter: PetQuery = removed ? { removed } : { status, categoryId };
    const page = await listAnimals(this.#api, address ?? { ...filter, name, limit });
    const id = name === undefined || address !== undefined ? undefined : idIn(name);
    const called = id === undefined ? [] : (await listAnimals(this.#api, { ...filter, id })).items;
    const items = [...called, ...page.items];
    await this.#orders.loadOf(items.slice(0, MOST));
    const isWanted = (animal: Animal) => !withoutOrder || this.#cache.isWithoutOrder(animal);
    return { items: items.filter(isWanted), next: page.next };
  }

  /** The best matches come first. */
  order({ text }: AnimalQuery): ((one: Animal, other: Animal) => number) | undefined {
    return text === undefined ? undefined : byMatch(text);
  }

  /** Asks for these animals, and for the orders that explain their status. */
  async lookUp(ids: readonly bigint[]): Promise<void> {
    for (let from = 0; from < ids.length; from += MOST) {
      const id = ids.slice(from, from + MOST);
      await this.#orders.loadOf(await lookUpAnimals(this.#api, this.#cache, id));
    }
  }
}

async function listAnimals(api: Api, query: PetQuery | string): Promise<Page<Animal>> {
  const { items, next } = await api.read((client, options) => client.listPets(query, options));
  return { items: items.map(animalFrom), next };
}

/** Asks for these animals, a hundred at most. One that is not in the inventory was removed. Returns the others. */
async function lookUpAnimals(api: Api, { sequence, animals }: Cache, id: readonly bigint[]) {
  const asked = sequence.next();
  const found = (await listAnimals(api, { id, limit: MOST })).items;
  animals.receive(found, asked);
  const missing = id.filter((one) => !found.some((animal) => animal.id === one));
  if (missing.length === 0) return found;
  const askedAgain = sequence.next();
  const removed = (await listAnimals(api, { id: missing, removed: true, limit: MOST })).items;
  animals.receive(removed, askedAgain);
  const absent = missing.filter((one) => !removed.some((animal) => animal.id === one));
  animals.receiveAbsent(absent, asked);
  return found;
}

/** Orders with a status, or the sales of a period. */
export interface OrderQuery {
  readonly status?: OrderStatus | undefined;
  readonly completed?: Bounds | undefined;
}

/** Finds orders, and with them their animals. */
export class OrderSource implements Source<bigint, Order, OrderQuery> {
  readonly table: Cache['orders'];
  readonly #api: Api;
  readonly #cache: Cache;

  constructor(api: Api, cache: Cache) {
    this.table = cache.orders;
    this.#api = api;
    this.#cache = cache;
  }

  async page(query: OrderQuery, address: string | undefined, limit: number): Promise<Page<Order>> {
    const { status, completed: { from, before } = {} } = query;
    const filter = { status, completedFrom: from, completedBefore: before, limit };
    const page = await this.#api.read((client, options) => client.listOrders(address ?? filter, options));
    const id = [...new Set(page.items.map(({ petId }) => petId))];
    if (id.length > 0 && this.#api.may('pets:read')) await lookUpAnimals(this.#api, this.#cache, id);
    return page;
  }

  /** Asks for the orders that explain why these animals, a hundred at most, are reserved or sold: one request for each status. */
  async loadOf(animals: readonly Animal[]): Promise<void> {
    if (!this.#api.may('store:read')) return;
    const withStatus = (status: PetStatus) =>
      animals.filter((animal) => animal.status === status).map(({ id }) => id);
    await Promise.all([
      this.#loadExplaining('placed', withStatus('pending')),
      this.#loadExplaining('completed', withStatus('sold')),
    ]);
  }

  async #loadExplaining(status: OrderStatus, petId: readonly bigint[]): Promise<void> {
    if (petId.length === 0) return;
    const asked = this.#cache.sequence.next();
    const { items } = await this.#api.read((client, options) =>
      client.listOrders({ petId, status, limit: MOST }, options),
    );
    this.table.receive(items, asked);
    this.#cache.noteAsked(petId);
    // An order that no longer has this status was changed elsewhere.
    const found = new Set(items.map(({ id }) => id));
    const before = petId.flatMap((id) => this.#cache.ordersOf(id));
    await this.lookUp(
      before.filter((one) => one.status === status && !found.has(one.id)).map(({ id }) => id),
    );
  }

  /** Asks for the latest orders of one animal. */
  async loadAllOf(petId: bigint): Promise<void> {
    const asked = this.#cache.sequence.next();
    const { items } = await this.#api.read((client, options) =>
      client.listOrders({ petId, limit: HISTORY }, options),
    );
    this.table.receive(items, asked);
    this.#cache.noteAsked([petId]);
  }

  async lookUp(ids: readonly bigint[]): Promise<void> {
    for (let from = 0; from < ids.length; from += LOOK_UPS)
      await Promise.all(ids.slice(from, from + LOOK_UPS).map((id) => this.#load(id)));
  }

  async #load(id: bigint): Promise<void> {
    const asked = this.#cache.sequence.next();
    try {
      const order = await this.#api.read((client, options) => client.getOrder(id, options));
      this.table.receive([order], asked);
    } catch (error) {
      if (!(error instanceof AnimalStoreError) || error.status !== 404) throw error;
      this.table.receiveAbsent([id], asked);
    }
  }
}

export interface ActivityQuery {
  readonly keyId?: string | undefined;
  /** Only the events of one day. */
  readonly happened?: Bounds | undefined;
}

/** Finds events, the latest first. They do not change. */
export const eventSource = (api: Api, cache: Cache): Source<string, Event, ActivityQuery> => ({
  table: cache.events,
  async page({ keyId, happened }, address, limit) {
    const page = await api.read((client, options) =>
      client.listEvents(address ?? { keyId, order: 'newest', limit }, options),
    );
    if (!happened) return page;
    const [from, before] = [happened.from.getTime(), happened.before.getTime()];
    const timeOf = ({ at }: Event) => Date.parse(at);
    const last = page.items.at(-1);
    return {
      items: page.items.filter((event) => timeOf(event) >= from && timeOf(event) < before),
      next: last && timeOf(last) < from - OUT_OF_ORDER_MS ? undefined : page.next,
    };
  },
});

/** The history of an animal, the latest first. */
export const historyOf = async (api: Api, petId: bigint): Promise<readonly Event[]> =>
  (
    await api.read((client, options) =>
      client.listEvents({ petId, order: 'newest', limit: HISTORY }, options),
    )
  ).items;

/** The keys, newest first. A key cannot be requested by its id, and no event is about one. */
export const keySource = (api: Api, cache: Cache): Source<string, Key, object> => ({
  table: cache.keys,
  page: (_query, address, limit) =>
    api.read((client, options) => client.listKeys(address ?? { limit }, options)),
});
