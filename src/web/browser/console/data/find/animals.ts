import type { Page, PetQuery, PetStatus } from '../../../../../client/index.ts';
import { byName } from '../../parts/natural-order.ts';
import type { Api } from '../api.ts';
import { type Animal, animalFrom } from '../cache/animal.ts';
import type { Cache } from '../cache/cache.ts';
import { MOST } from '../list/list.ts';
import type { Source } from '../list/source.ts';
import { type Part, pageInParts } from './in-parts.ts';
import { contains, idIn } from './text.ts';

/** More categories than these are not searched for one text. */
const CATEGORIES = 5;

/** The animals that a person looks at. */
export interface AnimalQuery {
  readonly status?: PetStatus | undefined;
  readonly category?: bigint | undefined;
  /** A part of the name, of the name of the category or of the note of a reservation, or an id. */
  readonly text?: string | undefined;
  readonly removed?: boolean | undefined;
}

/** Finds animals, and knows them by their id. */
export class AnimalFinder implements Source<bigint, Animal, AnimalQuery> {
  readonly table: Cache['animals'];
  readonly #api: Api;
  readonly #cache: Cache;
  /** The categories whose name contains a text. */
  readonly #categoriesNamed: (text: string) => readonly bigint[];

  constructor(api: Api, cache: Cache, categoriesNamed: (text: string) => readonly bigint[]) {
    this.table = cache.animals;
    this.#api = api;
    this.#cache = cache;
    this.#categoriesNamed = categoriesNamed;
  }

  page(query: AnimalQuery, address: string | undefined, limit: number): Promise<Page<Animal>> {
    return pageInParts(this.#parts(query), address, limit);
  }

  #parts({ status, category: categoryId, text, removed }: AnimalQuery): readonly Part<Animal>[] {
    const filter = removed ? { removed } : { status, categoryId };
    if (text === undefined) return [this.#listed(filter)];
    const id = idIn(text);
    const categories = categoryId === undefined && !removed ? this.#categoriesNamed(text) : [];
    return [
      ...(id === undefined ? [] : [this.#listed({ ...filter, id })]),
      ...(removed || !this.#api.may('store:read') ? [] : [this.#reservedWith(text, filter)]),
      // A litter is in the order of its numbers.
      this.#listed({ ...filter, name: text }, byName),
      ...categories.slice(0, CATEGORIES).map((one) => this.#listed({ ...filter, categoryId: one })),
    ];
  }

  #listed(query: PetQuery, order?: (one: Animal, other: Animal) => number): Part<Animal> {
    return async (address, limit) => {
      const page = await this.#list(address ?? { ...query, limit });
      return order ? { ...page, items: page.items.toSorted(order) } : page;
    };
  }

  /** The animals whose reservation has this text in its note. */
  #reservedWith(note: string, filter: PetQuery): Part<Animal> {
    return async (address, limit) => {
      const asked = this.#cache.sequence.next();
      const { items: orders, next } = await this.#api.read((client, options) =>
        client.listOrders(address ?? { note, status: 'placed', limit }, options),
      );
      this.#cache.orders.receive(orders, asked);
      const id = orders.map(({ petId }) => petId);
      const items = id.length > 0 ? (await this.#list({ ...filter, id, limit })).items : [];
      return { items, next };
    };
  }

  async #list(query: PetQuery | string): Promise<Page<Animal>> {
    const { items, next } = await this.#api.read((client, options) => client.listPets(query, options));
    return { items: items.map(animalFrom), next };
  }

  /** Asks for these animals. One that is not in the inventory was removed. */
  async lookUp(ids: readonly bigint[]): Promise<void> {
    for (let from = 0; from < ids.length; from += MOST) await this.#lookUpSome(ids.slice(from, from + MOST));
  }

  async #lookUpSome(id: readonly bigint[]): Promise<void> {
    const { sequence, animals } = this.#cache;
    const asked = sequence.next();
    const found = (await this.#list({ id, limit: MOST })).items;
    animals.receive(found, asked);
    const missing = id.filter((one) => !found.some((animal) => animal.id === one));
    if (missing.length === 0) return;
    const askedAgain = sequence.next();
    const removed = (await this.#list({ id: missing, removed: true, limit: MOST })).items;
    animals.receive(removed, askedAgain);
    animals.receiveAbsent(
      missing.filter((one) => !removed.some((animal) => animal.id === one)),
      asked,
    );
  }

  matches(animal: Animal, { status, category, text, removed = false }: AnimalQuery): boolean {
    if ((animal.removed !== undefined) !== removed) return false;
    if (status !== undefined && animal.status !== status) return false;
    if (category !== undefined && animal.categoryId !== category) return false;
    return text === undefined || this.#isFoundBy(animal, text, category === undefined);
  }

  #isFoundBy({ id, name, categoryId, removed }: Animal, text: string, byCategory: boolean): boolean {
    if (contains(name, text) || id === idIn(text)) return true;
    const note = removed ? undefined : this.#cache.reservationOf(id)?.note;
    return (
      contains(note ?? '', text) ||
      (!removed && byCategory && this.#categoriesNamed(text).includes(categoryId))
    );
  }

  /** The newest come first, and of the removed ones those that were removed last. */
  compare(one: Animal, other: Animal): number {
    const [a, b] = [one.removed?.at ?? '', other.removed?.at ?? ''];
    return a === b ? Number(other.id > one.id) - Number(other.id < one.id) : a < b ? 1 : -1;
  }
}
