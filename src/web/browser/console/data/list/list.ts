import { batch, computed, signal } from '@preact/signals';
import type { Page } from '../../../../../client/index.ts';
import { isEqual } from '../cache/is-equal.ts';
import type { Sequence } from '../cache/table.ts';
import { fillPage } from './fill-page.ts';
import type { Source } from './source.ts';

export const PAGE = 50;
/** The most that the service returns for one request. */
export const MOST = 100;

/**
 * A list on screen. Rows do not appear, move or disappear until the person asks for it: new items are counted, and wait. The list has only
 * ids; the items are in the table, and change there.
 */
export class List<Id, T extends { readonly id: Id }, Query> {
  /** Undefined until the first page has arrived. */
  readonly ids = signal<readonly Id[] | undefined>(undefined);
  /** The rows, as they are now. */
  readonly items = computed(() => this.ids.value && this.#itemsOf(this.ids.value));
  readonly next = signal<string | undefined>(undefined);
  readonly #unseen = signal<ReadonlySet<Id>>(new Set());
  /** How many items the service has that would be among the shown ones. */
  readonly unseen = computed(() => this.#unseen.value.size);
  /** Those items, as they are now: with them a count is true before they are shown. */
  readonly unseenItems = computed(() => this.#itemsOf([...this.#unseen.value]));
  /** What is shown belongs to another query. */
  readonly loading = signal(false);
  readonly loadingMore = signal(false);
  readonly #source: Source<Id, T, Query>;
  readonly #sequence: Sequence;
  #query: Query | undefined;
  /** What the rows were read for. */
  #shownQuery: Query | undefined;
  /** Increases with every opening, which makes the answers to earlier ones obsolete. */
  #version = 0;
  /** When each item was noticed that has changed while pages are being read: the pages may be older. */
  readonly #noticed = new Map<Id, number>();
  /** When each item was put in front while pages are being read. */
  readonly #prepended = new Map<Id, number>();
  #readings = 0;

  constructor(source: Source<Id, T, Query>, sequence: Sequence) {
    this.#source = source;
    this.#sequence = sequence;
  }

  #itemsOf(ids: readonly Id[]): readonly T[] {
    return ids.map((id) => this.#source.table.get(id)).filter((item) => item !== undefined);
  }

  /** Shows another list, or the same one with what is new. The old one stays, marked as loading, until the new one is there. */
  async open(query: Query, count = PAGE): Promise<void> {
    this.#query = query;
    const version = ++this.#version;
    this.loading.value = true;
    try {
      await this.#reading(async () => {
        const { items, next } = await this.#read(query, count, version);
        if (version === this.#version) this.#show(items, next);
      });
    } catch (error) {
      if (version === this.#version) this.#giveUp();
      throw error;
    }
  }

  /** Afterwards, what has changed since the reading began is noticed again. */
  async #reading(read: () => Promise<void>): Promise<void> {
    const asked = this.#sequence.next();
    this.#readings++;
    try {
      await read();
    } finally {
      this.#readings--;
      for (const [id, moment] of this.#noticed) {
        const item = this.#source.table.peek(id);
        if (item && moment > asked) this.notice(item);
      }
      const late = [...this.#prepended].filter(([, moment]) => moment > asked);
      this.prepend(late.map(([id]) => this.#source.table.peek(id)).filter((item) => item !== undefined));
      if (this.#readings === 0) {
        this.#noticed.clear();
        this.#prepended.clear();
      }
    }
  }

  /** Reads the beginning of the list, with at least `count` items if there are as many. */
  async #read(query: Query, count: number, version: number): Promise<Page<T>> {
    const limit = Math.min(Math.max(count, PAGE), MOST);
    const first = await this.#page(query, undefined, limit);
    return this.#fill(query, first, count, limit, version);
  }

  #fill(query: Query, first: Page<T>, count: number, pageSize: number, version: number): Promise<Page<T>> {
    const { shortPages } = this.#source;
    const nextPage = (address: string) => this.#page(query, address, pageSize);
    return fillPage(first, {
      count,
      pageSize,
      shortPages,
      nextPage,
      isCurrent: () => version === this.#version,
    });
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
      this.#unseen.value = new Set();
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
      this.#unseen.value = new Set();
    });
  }

  /** Brings all rows up to date, and counts what is new. */
  async refresh(): Promise<void> {
    const shown = this.ids.peek();
    const query = this.#query;
    if (query === undefined || this.loading.peek()) return;
    if (shown) await this.#reading(() => this.#refresh(query, shown));
    else await this.open(query);
  }

  async #refresh(query: Query, shown: readonly Id[]): Promise<void> {
    const version = this.#version;
    const { items: head, next } = await this.#read(query, shown.length, version);
    if (version !== this.#version) return;
    if (shown.length === 0) {
      // The placeholder of an empty list stays while nothing has changed, so that no click on it is lost.
      if (head.length > 0 || next === undefined) this.#show(head, next);
      return;
    }
    const found = new Set(head.map(({ id }) => id));
    const missing = shown.filter((id) => !found.has(id));
    if (missing.length > 0) await this.#source.lookUp(missing);
    if (version === this.#version) this.#unseen.value = new Set(this.#newAmong(head));
  }

  /** Those of `head`, the present beginning of the list, that belong among the rows. What follows the last row is not new. */
  #newAmong(head: readonly T[]): Id[] {
    const known = new Set(this.ids.peek());
    const last = head.findLastIndex(({ id }) => known.has(id));
    const end = this.next.peek() === undefined || last < 0 ? head.length : last;
    const isNew = (item: T) => last >= 0 || this.#isAmongRows(item, this.ids.peek() ?? []);
    return head
      .slice(0, end)
      .filter(isNew)
      .map(({ id }) => id)
      .filter((id) => !known.has(id));
  }

  /** Takes note of an item that has changed elsewhere. Where only the service can tell whether it belongs here, a refresh does. */
  notice(item: T): void {
    if (this.#readings > 0) this.#noticed.set(item.id, this.#sequence.next());
    const ids = this.ids.peek();
    if (!ids || this.#query === undefined || ids.includes(item.id) || !this.#source.matches) return;
    const unseen = new Set(this.#unseen.peek());
    unseen.delete(item.id);
    if (this.#source.matches(item, this.#query) && this.#isAmongRows(item, ids)) unseen.add(item.id);
    this.#unseen.value = unseen;
  }

  #isAmongRows(item: T, ids: readonly Id[]): boolean {
    const lastId = ids.at(-1);
    const last = lastId === undefined ? undefined : this.#source.table.peek(lastId);
    return this.next.peek() === undefined || last === undefined || this.#source.compare(item, last) < 0;
  }

  /** Shows what has been counted as new. */
  async showUnseen(): Promise<void> {
    if (this.#query === undefined) return;
    await this.open(this.#query, (this.ids.peek()?.length ?? 0) + this.unseen.peek());
  }

  async more(): Promise<void> {
    const next = this.next.peek();
    const query = this.#query;
    if (next === undefined || query === undefined || this.loading.peek() || this.loadingMore.peek()) return;
    this.loadingMore.value = true;
    const version = this.#version;
    try {
      await this.#reading(async () => {
        const first = await this.#page(query, next, PAGE);
        const page = await this.#fill(query, first, PAGE, PAGE, version);
        if (version !== this.#version) return;
        batch(() => {
          this.ids.value = [...new Set([...(this.ids.peek() ?? []), ...page.items.map(({ id }) => id)])];
          this.next.value = page.next;
          this.#unseen.value = this.#unseen.peek().difference(new Set(this.ids.peek()));
        });
      });
    } finally {
      this.loadingMore.value = false;
    }
  }

  /** Puts items that the person has just added in front, if they belong to the list. */
  prepend(items: readonly T[]): void {
    // An answer under way may be older, and would replace the rows.
    if (this.#readings > 0) for (const { id } of items) this.#prepended.set(id, this.#sequence.next());
    const shown = this.ids.peek();
    const query = this.#query;
    if (!shown || query === undefined) return;
    const wanted = items.filter((item) => this.#source.matches?.(item, query) ?? true);
    this.ids.value = [...new Set([...wanted.map(({ id }) => id), ...shown])];
    this.#unseen.value = this.#unseen.peek().difference(new Set(this.ids.peek()));
  }
}

/** What a view needs of a list of any kind. */
export type ShownList = Pick<
  List<unknown, { readonly id: unknown }, never>,
  'ids' | 'next' | 'unseen' | 'loading' | 'loadingMore' | 'more' | 'showUnseen'
>;
