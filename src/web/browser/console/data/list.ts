import { batch, signal } from '@preact/signals';
import type { Page } from '../../../../client/index.ts';
import { fillPage } from './fill-page.ts';

export const PAGE = 50;
/** The most that the service returns for one request. */
const MOST = 100;

export interface Item {
  readonly id: bigint | string;
}

/** Where a list comes from. */
export interface Source<T, Query> {
  page(query: (Query & { limit: number }) | string): Promise<Page<T>>;
  /** The present state of these items, as far as it can be told, whether or not they still match the query. */
  lookUp(items: readonly T[]): Promise<readonly T[]>;
  /** How many items are looked up at a time. */
  readonly lookUps: number;
  /** Whether an item can still change. */
  mayChange(item: T): boolean;
  /** How many short pages are followed at a time, where that is not as usual. */
  readonly shortPages?: number;
}

/**
 * A list of the service that stands still: while it is on screen no row appears, moves or disappears by itself. `refresh` changes
 * rows in place, also those that no longer match the query, and counts what is new, which waits until the person asks for it.
 */
export class List<T extends Item, Query> {
  /** Undefined until the first page has arrived. */
  readonly items = signal<readonly T[] | undefined>(undefined);
  readonly next = signal<string | undefined>(undefined);
  /** How many items the service has that would be among the shown ones. */
  readonly news = signal(0);
  /** What is shown belongs to another query. */
  readonly loading = signal(false);
  readonly loadingMore = signal(false);
  readonly #source: Source<T, Query>;
  #query: Query;
  /** Increases with everything that makes an answer under way obsolete. */
  #version = 0;
  /** The version of the opening that is under way. */
  #opening: number | undefined;
  /** Which of the rows beyond the first request are refreshed next. */
  #turn = 0;

  constructor(query: Query, source: Source<T, Query>) {
    this.#query = query;
    this.#source = source;
  }

  /** Shows another list, or the same one with its news. The old one stays, marked as loading, until the new one is there. */
  async open(query: Query, count = PAGE): Promise<void> {
    this.loading.value = true;
    await this.#load(query, count);
  }

  async #load(query: Query, count: number): Promise<void> {
    this.#query = query;
    const version = ++this.#version;
    this.#opening = version;
    try {
      const limit = Math.min(Math.max(count, PAGE), MOST);
      const first = await this.#source.page({ ...query, limit });
      const { items, next } = await this.#fill(first, count, limit, version);
      if (version === this.#version) this.#show(items, next);
    } catch (error) {
      if (version === this.#version && this.loading.peek()) this.clear();
      throw error;
    }
  }

  #fill(first: Page<T>, count: number, pageSize: number, version: number): Promise<Page<T>> {
    const { shortPages } = this.#source;
    const nextPage = (address: string) => this.#source.page(address);
    const isCurrent = () => version === this.#version;
    return fillPage(first, { count, pageSize, shortPages, nextPage, isCurrent });
  }

  #show(items: readonly T[], next: string | undefined): void {
    batch(() => {
      this.loading.value = false;
      this.items.value = items;
      this.next.value = next;
      this.news.value = 0;
    });
  }

  clear(): void {
    this.#version++;
    batch(() => {
      this.loading.value = false;
      this.items.value = undefined;
      this.next.value = undefined;
      this.news.value = 0;
    });
  }

  /** Brings the shown rows up to date: their first hundred each time, and of the others some by turns. */
  async refresh(): Promise<void> {
    if (this.loadingMore.peek()) return;
    const shown = this.items.peek();
    if (this.loading.peek() && this.#opening === this.#version) return;
    if (!shown || this.loading.peek()) return this.open(this.#query);
    const version = ++this.#version;
    const head = await this.#source.page({
      ...this.#query,
      limit: Math.min(Math.max(shown.length, PAGE), MOST),
    });
    if (shown.length === 0) {
      // The placeholder of an empty list is not replaced while nothing has changed, so that no click on it is lost. A search that found nothing
      // only reads its first page again: new animals are there.
      const isNews = head.items.length > 0 || head.next === undefined;
      if (isNews && version === this.#version) this.#show(head.items, head.next);
      return;
    }
    const current = new Map<Item['id'], T>(head.items.map((item) => [item.id, item]));
    const rest = this.#nextTurn(
      shown.filter((item) => !current.has(item.id) && this.#source.mayChange(item)),
    );
    for (const item of rest.length > 0 ? await this.#source.lookUp(rest) : []) current.set(item.id, item);
    if (version !== this.#version) return;
    batch(() => {
      this.#replace(current);
      this.news.value = newItems(head.items, shown, this.next.peek() === undefined);
    });
  }

  #nextTurn(rest: readonly T[]): readonly T[] {
    if (this.#turn >= rest.length) this.#turn = 0;
    const turn = rest.slice(this.#turn, this.#turn + this.#source.lookUps);
    this.#turn += this.#source.lookUps;
    return turn;
  }

  #replace(current: ReadonlyMap<Item['id'], T>): void {
    const shown = this.items.peek() ?? [];
    const items = shown.map((item) => {
      const now = current.get(item.id);
      return now && !isSame(item, now) ? now : item;
    });
    if (items.some((item, index) => item !== shown[index])) this.items.value = items;
  }

  /** Shows what has been counted as new. */
  async showNews(): Promise<void> {
    await this.open(this.#query, (this.items.peek()?.length ?? 0) + this.news.peek());
  }

  async more(): Promise<void> {
    const next = this.next.peek();
    if (next === undefined || this.loading.peek() || this.loadingMore.peek()) return;
    this.loadingMore.value = true;
    const version = ++this.#version;
    try {
      const page = await this.#fill(await this.#source.page(next), PAGE, PAGE, version);
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
    this.#replace(new Map([[changed.id, changed]]));
  }

  /** Puts an item that the person has just added in front. */
  prepend(added: T): void {
    this.#version++;
    const shown = this.items.peek();
    if (shown && !shown.some(({ id }) => id === added.id)) this.items.value = [added, ...shown];
  }
}

/** How many of `head`, the present beginning of the list, belong among the shown rows. What follows the last row is no news. */
function newItems(head: readonly Item[], shown: readonly Item[], isComplete: boolean): number {
  const known = new Set(shown.map(({ id }) => id));
  const last = head.findLastIndex(({ id }) => known.has(id));
  const end = isComplete || last < 0 ? head.length : last;
  return head.slice(0, end).filter(({ id }) => !known.has(id)).length;
}

/** A field that is gone, such as a note, is a difference as well. */
function isSame<T extends object>(one: T, other: T): boolean {
  const fields = Object.keys({ ...one, ...other }) as (keyof T)[];
  return fields.every((field) => one[field] === other[field]);
}

/** What a view needs of a list of any kind. */
export type ShownList<T extends Item> = Pick<
  List<T, never>,
  'items' | 'next' | 'news' | 'loading' | 'loadingMore' | 'more' | 'showNews'
>;
