import { signal } from '@preact/signals';
import type { Inventory } from '../../../../client/index.ts';
import type { Api } from './api.ts';
import type { Sequence } from './cache/table.ts';

/** How many animals there are by status, as the service counts them: of all, and of the category on screen. */
export class Counts {
  /** Of every category. */
  readonly all = signal<Inventory | undefined>(undefined);
  /** Of the chosen category; of all, if none is chosen. */
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
    // An answer under way is about another category.
    this.#shownAsOf = this.#sequence.next();
    this.shown.value = category === undefined ? this.all.peek() : undefined;
  }

  async load(): Promise<void> {
    const asked = this.#sequence.next();
    const category = this.#category;
    const [all, shown] = await Promise.all([
      this.#count(undefined),
      category === undefined ? undefined : this.#count(category),
    ]);
    if (asked > this.#allAsOf) {
      this.all.value = all;
      this.#allAsOf = asked;
    }
    if (asked > this.#shownAsOf && category === this.#category) {
      this.shown.value = shown ?? all;
      this.#shownAsOf = asked;
    }
  }

  #count(categoryId: bigint | undefined): Promise<Inventory> {
    return this.#api.read((client, options) => client.getInventory({ ...options, categoryId }));
  }
}
