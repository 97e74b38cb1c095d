import { computed, signal } from '@preact/signals';
import type { Category } from '../../../../client/index.ts';
import { foldName } from '../../../../contract/name-key.ts';
import { byName } from '../parts/natural-order.ts';
import type { Api } from './api.ts';
import type { Cache } from './cache/cache.ts';
import { contains } from './find/text.ts';

/** More than a person chooses from; further ones are shown by their number. */
const MOST = 1000;
const PAGE = 100;

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
  /** The categories of the newest animals, as far as they were looked for. */
  readonly #used = signal<readonly bigint[]>([]);
  /** Those of them that nobody has named. None until it is known which ones have a name. */
  readonly unnamed = computed<readonly bigint[]>(() =>
    this.isLoaded.value ? this.#used.value.filter((id) => !this.#cache.categoryIds.value.has(id)) : [],
  );

  constructor(api: Api, cache: Cache) {
    this.#api = api;
    this.#cache = cache;
  }

  nameOf(id: bigint): string | undefined {
    return this.#cache.categories.get(id)?.name;
  }

  /** The category with this name, ignoring case. */
  called(name: string): Category | undefined {
    const wanted = foldName(name);
    return this.all.value.find((category) => foldName(category.name) === wanted);
  }

  /** Those whose name contains a text. */
  readonly containing = (text: string): readonly bigint[] =>
    this.all.value.filter(({ name }) => contains(name, text)).map(({ id }) => id);

  async load(): Promise<void> {
    const asked = this.#cache.sequence.next();
    const found: Category[] = [];
    let page = await this.#api.read((client, options) => client.listCategories({ limit: PAGE }, options));
    found.push(...page.items);
    while (page.next !== undefined && found.length < MOST) {
      const { next } = page;
      page = await this.#api.read((client, options) => client.listCategories(next, options));
      found.push(...page.items);
    }
    const ids = new Set(found.map(({ id }) => id));
    const missing = [...this.#cache.categoryIds.peek()].filter((id) => !ids.has(id));
    this.#cache.categories.receive(found, asked);
    if (page.next === undefined) this.#cache.categories.receiveAbsent(missing, asked);
    this.isLoaded.value = true;
  }

  /** Looks for categories that only have a number, such as those of imported animals: among the newest animals. */
  async loadUnnamed(): Promise<void> {
    const { items } = await this.#api.read((client, options) => client.listPets({ limit: PAGE }, options));
    this.#used.value = [...new Set(items.map(({ categoryId }) => categoryId))].sort(byNumber);
  }
}

export const byNumber = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
