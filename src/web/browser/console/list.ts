import { batch, signal } from '@preact/signals';
import type { Page } from '../../../client/index.ts';

const PAGE = 20;
const MOST = 100;

interface Item {
  readonly id: bigint;
}

/** A list of the service as far as it has been loaded. `refresh` brings it up to date. */
export class List<T extends Item, Query> {
  /** Undefined until the first page has arrived. */
  readonly items = signal<readonly T[] | undefined>(undefined);
  readonly next = signal<string | undefined>(undefined);
  /** What is shown belongs to another query. */
  readonly loading = signal(false);
  readonly loadingMore = signal(false);
  /** Items that were added by others while the list was on screen. */
  readonly added = signal<ReadonlySet<bigint>>(new Set());
  readonly #load: (query: (Query & { limit: number }) | string) => Promise<Page<T>>;
  #query: Query;
  /** Increases with everything that makes an answer under way obsolete. */
  #version = 0;

  constructor(query: Query, load: (query: (Query & { limit: number }) | string) => Promise<Page<T>>) {
    this.#query = query;
    this.#load = load;
  }

  /** Shows another list. The old one stays, marked as loading, until the new one is there. */
  async open(query: Query): Promise<void> {
    this.#query = query;
    this.loading.value = true;
    const version = this.#version + 1;
    try {
      await this.#replace(PAGE, []);
    } catch (error) {
      if (version === this.#version) this.clear();
      throw error;
    }
  }

  clear(): void {
    this.#version++;
    batch(() => {
      this.loading.value = false;
      this.items.value = undefined;
      this.next.value = undefined;
      this.added.value = new Set();
    });
  }

  /** Loads again what is on screen, in one request: its first hundred items at most. */
  async refresh(): Promise<void> {
    if (this.loadingMore.peek()) return;
    const shown = this.loading.peek() ? [] : (this.items.peek() ?? []);
    await this.#replace(Math.min(Math.max(shown.length, PAGE), MOST), shown);
  }

  async #replace(limit: number, shown: readonly T[]): Promise<void> {
    const version = ++this.#version;
    const page = await this.#load({ ...this.#query, limit });
    if (version !== this.#version) return;
    const head = new Set(page.items.map(({ id }) => id));
    const rest = shown.slice(limit).filter(({ id }) => !head.has(id));
    const known = new Set(shown.map(({ id }) => id));
    const added = page.items.map(({ id }) => id).filter((id) => !known.has(id));
    batch(() => {
      this.loading.value = false;
      this.items.value = [...page.items, ...rest];
      if (rest.length === 0) this.next.value = page.next;
      this.added.value = new Set(shown.length > 0 ? added : []);
    });
  }

  async more(): Promise<void> {
    const next = this.next.peek();
    if (next === undefined || this.loading.peek() || this.loadingMore.peek()) return;
    this.loadingMore.value = true;
    const version = ++this.#version;
    try {
      const page = await this.#load(next);
      if (version !== this.#version) return;
      const known = new Set(this.items.peek()?.map(({ id }) => id));
      batch(() => {
        this.items.value = [...(this.items.peek() ?? []), ...page.items.filter(({ id }) => !known.has(id))];
        this.next.value = page.next;
      });
    } finally {
      this.loadingMore.value = false;
    }
  }

  /** Shows the new state of an item at once. An answer under way may be older and is dropped. */
  update(changed: T): void {
    this.#version++;
    this.items.value = this.items.peek()?.map((item) => (item.id === changed.id ? changed : item));
  }
}

/** What a view needs of a list of any kind. */
export type ShownList<T extends Item> = Pick<
  List<T, never>,
  'items' | 'next' | 'loading' | 'loadingMore' | 'added' | 'more'
>;
