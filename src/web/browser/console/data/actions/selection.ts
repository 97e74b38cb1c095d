import { computed, signal } from '@preact/signals';
import { counted } from '../../parts/wording.ts';
import type { Animal } from '../cache/animal.ts';
import type { Shop } from '../shop.ts';
import { move } from './corrections.ts';
import { remove } from './removal.ts';
import { sell } from './selling.ts';

/** What can be done with several animals at once. */
export type BulkAction =
  | { readonly kind: 'sell' }
  | { readonly kind: 'move'; readonly categoryId: bigint }
  | { readonly kind: 'remove'; readonly reason?: string | undefined };

interface Progress {
  readonly done: number;
  readonly of: number;
}

const DONE = { sell: 'sold', move: 'moved', remove: 'removed' } as const;

/** The ticked rows, and what is done with them: one after the other. What fails stays ticked, with its reason in its row. */
export class Selection {
  readonly #shop: Shop;
  readonly #ticked = signal<ReadonlySet<bigint>>(new Set());
  /** The ticked rows that are on the page: nothing is done with an animal that nobody sees. */
  readonly ids = computed<ReadonlySet<bigint>>(() =>
    this.#ticked.value.intersection(new Set(this.#shop.animalList.ids.value)),
  );
  readonly progress = signal<Progress | undefined>(undefined);
  readonly animals = computed(() =>
    [...this.ids.value].map((id) => this.#shop.cache.animals.get(id)).filter((one) => one !== undefined),
  );
  /** The row that was ticked last: with Shift, all rows from there are. */
  #anchor: bigint | undefined;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  has(id: bigint): boolean {
    return this.ids.value.has(id);
  }

  toggle(id: bigint): void {
    this.#anchor = id;
    const ids = new Set(this.ids.peek());
    if (!ids.delete(id)) ids.add(id);
    this.#ticked.value = ids;
  }

  /** Ticks every row from the one that was ticked last to this one, in the order of the rows. */
  extendTo(id: bigint, rows: readonly bigint[]): void {
    const from = this.#anchor === undefined ? -1 : rows.indexOf(this.#anchor);
    const to = rows.indexOf(id);
    const between = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
    if (from < 0 || to < 0) this.toggle(id);
    else this.#ticked.value = new Set([...this.ids.peek(), ...between]);
  }

  selectAll(rows: readonly bigint[]): void {
    this.#ticked.value = new Set(rows);
  }

  clear(): void {
    this.#ticked.value = new Set();
    this.#anchor = undefined;
  }

  /** Does it with every ticked animal, and offers one Undo for all that were done. */
  async run(what: BulkAction): Promise<void> {
    if (this.progress.peek()) return;
    const animals = this.animals.peek();
    const undos: (() => Promise<boolean>)[] = [];
    await this.#each(animals, async (animal) => {
      if (!(await this.#do(animal, what))) return;
      const now = () => this.#shop.outcomes.at(`animal-${animal.id}`);
      const undo = now()?.offer;
      // One that was undone in its row meanwhile is done, and offers nothing.
      if (undo) undos.unshift(async () => (now()?.kind === 'done' && !now()?.offer) || undo.run());
      this.#ticked.value = this.ids.peek().difference(new Set([animal.id]));
    });
    const failures = animals.length - undos.length;
    const sentence = `${counted(undos.length, 'animal', 'animals')} ${DONE[what.kind]}`;
    const text = failures > 0 ? `${sentence}, ${failures} not` : sentence;
    const run = () => this.#undo(undos, DONE[what.kind]);
    this.#shop.outcomes.report(
      'selection',
      {
        kind: failures > 0 ? 'failed' : 'done',
        text,
        offer: undos.length > 0 ? { label: 'Undo', description: `Undo: ${sentence}`, run } : undefined,
      },
      `${text}.`,
    );
  }

  #do(animal: Animal, what: BulkAction): Promise<boolean> {
    switch (what.kind) {
      case 'sell':
        return sell(this.#shop, animal);
      case 'move':
        return move(this.#shop, animal, what.categoryId);
      case 'remove':
        return remove(this.#shop, animal, what.reason);
    }
  }

  async #undo(undos: readonly (() => Promise<boolean>)[], what: string): Promise<boolean> {
    if (this.progress.peek()) return false;
    let failures = 0;
    await this.#each(undos, async (undo) => {
      if (!(await undo())) failures++;
    });
    const sentence = `Undone: ${counted(undos.length - failures, 'animal', 'animals')} ${what}`;
    const text = failures > 0 ? `${sentence}, ${failures} not undone` : sentence;
    this.#shop.outcomes.report('selection', { kind: failures > 0 ? 'failed' : 'done', text }, `${text}.`);
    return failures === 0;
  }

  async #each<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
    try {
      for (const [index, item] of items.entries()) {
        this.progress.value = { done: index, of: items.length };
        await each(item);
      }
    } finally {
      this.progress.value = undefined;
    }
  }
}
