import { batch, computed, signal } from '@preact/signals';
import type { Page } from '../../../../client/index.ts';
import { isEqual, type Sequence, type Table } from './cache.ts';

const PAGE = 50;
/** The most that the service returns for one request. */
export const MOST = 100;
/** The most rows on the page. */
export const MOST_ROWS = 1000;
/** The most short pages followed for one action of the person. At 20,000 animals for each request, these are half a million. */
const SHORT_PAGES = 25;

export interface Source<Id, T extends { readonly id: Id }, Query> {
  /** Where its items are stored. */
  readonly table: Table<Id, T>;
  /** A page of the items that match: the first one, or the one at `address`, which is the `next` of the page before. */
  page(query: Query, address: string | undefined, limit: number): Promise<Page<T>>;
  /** Asks for the present state of items that are no longer on the pages, if that can be asked for. */
  lookUp?(ids: readonly Id[]): Promise<void>;
  /** The order of the first hundred items, where it is not that of the pages. */
  order?(query: Query): ((one: T, other: T) => number) | undefined;
}

/**
 * A list on screen. Rows do not appear, move or disappear until the person asks for it: new items are counted, and wait. The list has only
 * ids; the items are in the table, and change there. The service decides which items belong to it, so a refresh asks.
 */
export class List<Id, T extends { readonly id: Id }, Query> {
  /** Undefined until the first page has arrived. */
  readonly ids = signal<readonly Id[] | undefined>(undefined);
  readonly items = computed(() => this.ids.value && this.#itemsOf(this.ids.value));
  readonly next = signal<string | undefined>(undefined);
  readonly #unseen = signal<readonly Id[]>([]);
  /** How many items the service has that would be among the shown ones. */
  readonly unseen = computed(() => this.#unseen.value.length);
  /** These items. With them, a view can count correctly before they are shown. */
  readonly unseenItems = computed(() => this.#itemsOf(this.#unseen.value));
  /** Whether the rows belong to an earlier query. */
  readonly loading = signal(false);
  readonly loadingMore = signal(false);
  readonly #source: Source<Id, T, Query>;
  readonly #sequence: Sequence;
  #query: Query | undefined;
  /** How many rows were asked for. */
  #count = PAGE;
  /** The query that the rows were read for. */
  #shownQuery: Query | undefined;
  /** Increases with every opening, which makes the answers to earlier ones obsolete. */
  #version = 0;
  /** The latest opening. A refresh meanwhile waits for it, and fails with it. */
  #opening: Promise<void> | undefined;
  /** Increases with every refresh, so that an earlier one no longer reports what is new. */
  #refreshes = 0;

  constructor(source: Source<Id, T, Query>, sequence: Sequence) {
    this.#source = source;
    this.#sequence = sequence;
  }

  #itemsOf(ids: readonly Id[]): readonly T[] {
    return ids.map((id) => this.#source.table.get(id)).filter((item) => item !== undefined);
  }

  /** The query of the rows, or of those that are loading. */
  get query(): Query | undefined {
    return this.#query;
  }

  /** Shows another list, or the same one with the new items. The old one stays, marked as loading, until the new one is there. */
  open(query: Query, count = PAGE): Promise<void> {
    this.#opening = this.#open(query, count);
    return this.#opening;
  }

  async #open(query: Query, count: number): Promise<void> {
    this.#query = query;
    this.#count = count;
    const version = ++this.#version;
    this.loading.value = true;
    try {
      const { items, next } = await this.#read(query, Math.min(count, MOST_ROWS), version);
      if (version === this.#version) this.#show(items, next);
    } catch (error) {
      if (version === this.#version) this.#giveUp();
      throw error;
    }
  }

  /** Reads the beginning of the list, with at least `count` items if there are as many. */
  async #read(query: Query, count: number, version: number): Promise<Page<T>> {
    const order = this.#source.order?.(query);
    const wanted = order ? Math.max(count, MOST) : count;
    const limit = Math.min(Math.max(wanted, PAGE), MOST);
    const first = await this.#page(query, undefined, limit);
    const { items, next } = await this.#fill(query, first, wanted, limit, version);
    return { items: order ? [...items.slice(0, MOST).sort(order), ...items.slice(MOST)] : items, next };
  }

  /**
   * Follows the pages until there are enough items, each of them once. A page of a search may be short or empty although there are more.
   * Only some of those are followed, so that every action of a person comes to an end; `next` then leads on.
   */
  async #fill(query: Query, first: Page<T>, count: number, limit: number, version: number): Promise<Page<T>> {
    const items = new Map(first.items.map((item) => [item.id, item]));
    let page = first;
    let followed = 0;
    while (page.next !== undefined && items.size < count && version === this.#version) {
      if (page.items.length < limit && ++followed > SHORT_PAGES) break;
      page = await this.#page(query, page.next, limit);
      for (const item of page.items) items.set(item.id, item);
    }
    return { items: [...items.values()], next: page.next };
  }

  async #page(query: Query, address: string | undefined, limit: number): Promise<Page<T>> {
    const asked = this.#sequence.next();
    const page = await this.#source.page(query, address, limit);
    this.#source.table.receive(page.items, asked);
    return page;
  }

  #show(items: readonly T[], next: string | undefined): void {
    batch(() => {
      this.loading.value = false;
      this.#shownQuery = this.#query;
      this.ids.value = items.map(({ id }) => id);
      this.next.value = next;
      this.#unseen.value = [];
    });
  }

  /** Nothing could be read. Rows of the same query stay, so that they can be read offline; those of another one would mislead. */
  #giveUp(): void {
    this.#version++;
    batch(() => {
      this.loading.value = false;
      if (isEqual(this.#query, this.#shownQuery)) return;
      this.ids.value = undefined;
      this.next.value = undefined;
      this.#unseen.value = [];
    });
  }

  /** Brings all rows up to date, and counts what is new. */
  async refresh(): Promise<void> {
    const shown = this.ids.peek();
    const query = this.#query;
    if (query === undefined) return;
    if (this.loading.peek()) return this.#opening;
    if (!shown) return this.open(query, this.#count);
    const version = this.#version;
    const refresh = ++this.#refreshes;
    const { items: head, next } = await this.#read(query, shown.length, version);
    if (version !== this.#version) return;
    if (shown.length === 0) {
      // The placeholder of an empty list stays while nothing has changed, so that no click on it is lost.
      if (head.length > 0 || next === undefined) this.#show(head, next);
      return;
    }
    const found = new Set(head.map(({ id }) => id));
    const missing = shown.filter((id) => !found.has(id));
    if (missing.length > 0) await this.#source.lookUp?.(missing);
    if (version === this.#version && refresh === this.#refreshes) this.#unseen.value = this.#newAmong(head);
  }

  /** The items of `head`, the present beginning of the list, that belong among the rows. What follows the last row is not new. */
  #newAmong(head: readonly T[]): Id[] {
    const known = new Set(this.ids.peek());
    const ids = head.map(({ id }) => id);
    const isNew = (id: Id) => !known.has(id);
    if (this.next.peek() === undefined) return ids.filter(isNew);
    const last = ids.findLastIndex((id) => known.has(id));
    if (last >= 0) return ids.slice(0, last).filter(isNew);
    // Either everything in `head` is new, or all rows have left the list, such as animals that were sold. New items have higher ids.
    return ids.filter((id) => [...known].every((one) => !isNumber(one) || (isNumber(id) && id > one)));
  }

  /** Shows what has been counted as new. */
  async showUnseen(): Promise<void> {
    const wanted = (this.ids.peek()?.length ?? 0) + this.unseen.peek();
    if (this.#query !== undefined) await this.open(this.#query, Math.max(wanted, PAGE));
  }

  async more(): Promise<void> {
    const next = this.next.peek();
    const query = this.#query;
    if (next === undefined || query === undefined || this.loading.peek() || this.loadingMore.peek()) return;
    this.loadingMore.value = true;
    const version = this.#version;
    try {
      const room = Math.min(MOST, MOST_ROWS - (this.ids.peek()?.length ?? 0));
      const page = await this.#fill(query, await this.#page(query, next, room), room, room, version);
      if (version !== this.#version) return;
      batch(() => {
        const ids = new Set([...(this.ids.peek() ?? []), ...page.items.map(({ id }) => id)]);
        this.ids.value = [...ids].slice(0, MOST_ROWS);
        this.next.value = page.next;
        const shown = new Set(this.ids.peek());
        this.#unseen.value = this.#unseen.peek().filter((id) => !shown.has(id));
      });
    } finally {
      this.loadingMore.value = false;
    }
  }
}

const isNumber = (id: unknown): id is bigint => typeof id === 'bigint';

/** What a view needs of a list of any kind. */
export type ShownList = Pick<
  List<unknown, { readonly id: unknown }, never>,
  'ids' | 'next' | 'unseen' | 'loading' | 'loadingMore' | 'more' | 'showUnseen'
>;
