import { computed, signal } from '@preact/signals';
import type { Category, Inventory } from '../../../../client/index.ts';
import { foldName } from '../../../../contract/name-key.ts';
import type { Api } from './api.ts';
import type { Cache, Sequence } from './cache.ts';
import { byName, compareIds, short } from './text.ts';

/** More than a person chooses from. Further categories are shown by their number. */
const MOST = 1000;
const PAGE = 100;
/** The animals of each category without a name are counted by a separate request. */
const MOST_UNNAMED = 10;

/** The categories that have a name, with how many animals each has. */
export class Categories {
  readonly #api: Api;
  readonly #cache: Cache;
  /** In order of name. */
  readonly all = computed<readonly Category[]>(() =>
    [...this.#cache.categoryIds.value]
      .map((id) => this.#cache.categories.get(id))
      .filter((category) => category !== undefined)
      .sort(byName),
  );
  readonly isLoaded = signal(false);
  readonly #used = signal<readonly Pick<Category, 'id' | 'inventory'>[]>([]);
  #usedAsOf = 0;
  /** Categories of the newest animals that have no name, such as those of an import. */
  readonly unnamed = computed(() =>
    this.#used.value.filter(({ id }) => !this.#cache.categoryIds.value.has(id)),
  );

  constructor(api: Api, cache: Cache) {
    this.#api = api;
    this.#cache = cache;
  }

  nameOf(id: bigint): string | undefined {
    return this.#cache.categories.get(id)?.name;
  }

  /** The category for a sentence: its name, or its number if it has none. */
  wordFor(id: bigint): string {
    const name = this.nameOf(id);
    return name === undefined ? `category ${id}` : short(name);
  }

  /** The category with this name, ignoring case. */
  called(name: string): Category | undefined {
    const wanted = foldName(name);
    return this.all.value.find((category) => foldName(category.name) === wanted);
  }

  async load(): Promise<void> {
    const asked = this.#cache.sequence.next();
    const found: Category[] = [];
    let next: string | undefined;
    do {
      const query = next ?? { limit: PAGE };
      const page = await this.#api.read((client, options) => client.listCategories(query, options));
      found.push(...page.items);
      next = page.next;
    } while (next !== undefined && found.length < MOST);
    const ids = new Set(found.map(({ id }) => id));
    const missing = [...this.#cache.categoryIds.peek()].filter((id) => !ids.has(id));
    this.#cache.categories.receive(found, asked);
    if (next === undefined) this.#cache.categories.receiveAbsent(missing, asked);
    this.isLoaded.value = true;
  }

  /** Looks for categories that only have a number, among the newest animals, and counts them. */
  async loadUnnamed(): Promise<void> {
    const asked = this.#cache.sequence.next();
    const { items } = await this.#api.read((client, options) => client.listPets({ limit: PAGE }, options));
    const ids = [...new Set(items.map(({ categoryId }) => categoryId))].sort(compareIds);
    const unnamed = ids.filter((id) => !this.#cache.categoryIds.peek().has(id)).slice(0, MOST_UNNAMED);
    if (!this.#api.may('store:read')) return;
    const used = await Promise.all(
      unnamed.map(async (id) => ({ id, inventory: await countAnimals(this.#api, id) })),
    );
    if (asked < this.#usedAsOf) return;
    this.#usedAsOf = asked;
    this.#used.value = used;
  }
}

const countAnimals = (api: Api, categoryId: bigint | undefined): Promise<Inventory> =>
  api.read((client, options) => client.getInventory({ ...options, categoryId }));

/** How many animals an inventory has. */
export const sum = ({ available, pending, sold }: Inventory): bigint => available + pending + sold;

/** How many animals there are by status, as the service counts them, in the whole shop and in the category on screen. */
export class Counts {
  readonly all = signal<Inventory | undefined>(undefined);
  /** The counts of the chosen category, or `all` if none is chosen. */
  readonly shown = signal<Inventory | undefined>(undefined);
  readonly #api: Api;
  readonly #sequence: Sequence;
  #category: bigint | undefined;
  #shownAsOf = 0;
  #allAsOf = 0;

  constructor(api: Api, sequence: Sequence) {
    this.#api = api;
    this.#sequence = sequence;
  }

  /** Counts this category from now on. */
  choose(category: bigint | undefined): void {
    if (category === this.#category) return;
    this.#category = category;
    // A pending answer is about another category.
    this.#shownAsOf = this.#sequence.next();
    this.shown.value = category === undefined ? this.all.peek() : undefined;
  }

  async load(): Promise<void> {
    const asked = this.#sequence.next();
    const category = this.#category;
    const [all, shown] = await Promise.all([
      countAnimals(this.#api, undefined),
      category === undefined ? undefined : countAnimals(this.#api, category),
    ]);
    if (asked > this.#allAsOf) {
      this.all.value = all;
      this.#allAsOf = asked;
    }
    if (asked > this.#shownAsOf) {
      this.shown.value = shown ?? all;
      this.#shownAsOf = asked;
    }
  }
}
