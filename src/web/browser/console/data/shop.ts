import { signal } from '@preact/signals';
import type { Event, Key, Order } from '../../../../client/index.ts';
import type { Api } from './api.ts';
import { type Animal, Cache } from './cache.ts';
import type { Bounds } from './calendar.ts';
import { Categories, Counts } from './categories.ts';
import { List, MOST_ROWS, type ShownList } from './list.ts';
import { Messages, Running } from './messages.ts';
import {
  type ActivityQuery,
  type AnimalQuery,
  AnimalSource,
  eventSource,
  historyOf,
  keySource,
  type OrderQuery,
  OrderSource,
} from './sources.ts';

/** Changes within this time are loaded together. */
const SOON_MS = 300;
/** The next refresh waits for at least this many times as long as the last one took. */
const REST = 10;

/** What a view needs to have loaded. */
export type Screen =
  | { readonly of: 'animals'; readonly query: AnimalQuery }
  | { readonly of: 'orders'; readonly sold: Bounds }
  | { readonly of: 'activity'; readonly query: ActivityQuery }
  | { readonly of: 'categories' }
  | { readonly of: 'keys' }
  | { readonly of: 'nothing' };

/** A key that was just made: it is shown until the person has it, and nowhere else. */
export interface Secret {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

/** The shop as one key sees it: its data, the lists on screen and the messages. It ends with the session. */
export class Shop {
  readonly api: Api;
  readonly cache = new Cache();
  readonly categories: Categories;
  readonly counts: Counts;
  readonly animals: AnimalSource;
  readonly orders: OrderSource;
  readonly animalList: List<bigint, Animal, AnimalQuery>;
  /** Every order that is placed. */
  readonly reservedList: List<bigint, Order, OrderQuery>;
  /** The sales of a period. */
  readonly soldList: List<bigint, Order, OrderQuery>;
  readonly activityList: List<string, Event, ActivityQuery>;
  readonly keyList: List<string, Key, object>;
  readonly panel: AnimalPanel;
  readonly messages = new Messages();
  readonly running = new Running();
  /** The animals that were just added in the form. */
  readonly added = signal<readonly bigint[]>([]);
  readonly secret = signal<Secret | undefined>(undefined);
  /** Increases when everything on screen was loaded and nothing has changed meanwhile: only then can a count and a list be compared. */
  readonly loads = signal(0);
  #screen: Screen = { of: 'nothing' };
  #soon: ReturnType<typeof setTimeout> | undefined;
  #isOutdated = false;
  #lastTook = 0;

  constructor(api: Api) {
    const { cache } = this;
    const { sequence } = cache;
    this.api = api;
    this.categories = new Categories(api, cache);
    this.counts = new Counts(api, sequence);
    this.orders = new OrderSource(api, cache);
    this.animals = new AnimalSource(api, cache, this.orders);
    this.animalList = new List(this.animals, sequence);
    this.reservedList = new List(this.orders, sequence);
    this.soldList = new List(this.orders, sequence);
    this.activityList = new List(eventSource(api, cache), sequence);
    this.keyList = new List(keySource(api, cache), sequence);
    this.panel = new AnimalPanel(this);
  }

  /** Loads what a view needs, with as many rows as were shown when the person left it. */
  async open(screen: Screen, count?: number): Promise<void> {
    const before = this.#screen.of;
    this.#screen = screen;
    this.counts.choose(screen.of === 'animals' ? screen.query.category : undefined);
    await this.#load(this.#openLists(screen, before, count));
  }

  #openLists(screen: Screen, before: Screen['of'], count: number | undefined): readonly Promise<unknown>[] {
    switch (screen.of) {
      case 'animals':
        return [this.animalList.open(screen.query, count)];
      case 'orders':
        return [
          // A new period of sales only refreshes the reservations: they are above the sales, which must not move.
          before === 'orders'
            ? this.reservedList.refresh()
            : this.reservedList.open({ status: 'placed' }, MOST_ROWS),
          this.soldList.open({ completed: screen.sold }, MOST_ROWS),
        ];
      case 'activity':
        return [
          this.activityList.open(screen.query, count),
          // The filter offers these keys.
          ...(this.api.may('keys:read') ? [this.keyList.open({}, MOST_ROWS)] : []),
        ];
      case 'keys':
        return [this.keyList.open({}, MOST_ROWS)];
      default:
        return [];
    }
  }

  #shownLists(): readonly (Pick<ShownList, 'ids'> & { refresh: () => Promise<void> })[] {
    switch (this.#screen.of) {
      case 'animals':
        return [this.animalList];
      case 'orders':
        return [this.reservedList, this.soldList];
      case 'activity':
        return [this.activityList];
      case 'keys':
        return [this.keyList];
      default:
        return [];
    }
  }

  /** How many rows the first list on screen has. */
  get shownRows(): number | undefined {
    return this.#shownLists()[0]?.ids.peek()?.length;
  }

  /** Loads what is on screen again. */
  async refresh(): Promise<void> {
    this.#isOutdated = false;
    const begunAt = performance.now();
    await this.#load([...this.#shownLists().map((list) => list.refresh()), this.panel.refresh()]);
    this.#lastTook = performance.now() - begunAt;
    this.#trim();
  }

  /** Loads these lists and what every view needs, as far as the key allows it. */
  async #load(lists: readonly Promise<unknown>[]): Promise<void> {
    const { api } = this;
    await Promise.all([
      ...lists,
      api.may('store:read') && this.counts.load(),
      api.may('pets:read') && this.#loadCategories(),
    ]);
    if (!this.#isOutdated) this.loads.value++;
  }

  async #loadCategories(): Promise<void> {
    await this.categories.load();
    if (this.#screen.of === 'categories') await this.categories.loadUnnamed();
  }

  /** Applies an event of the stream, and asks for what could not be applied. */
  apply(event: Event): void {
    // First, so that what fails below is loaded again.
    this.changed();
    const { animals, orders } = this.cache.apply(event);
    this.panel.applyEvent(event);
    if (animals.length + orders.length > 0)
      void this.api.load('event', () =>
        Promise.all([this.animals.lookUp(animals), this.orders.lookUp(orders)]),
      );
  }

  /** To be called after a change, here or elsewhere. Loads what is on screen again shortly, one refresh at a time. */
  changed(): void {
    this.#isOutdated = true;
    if (this.#soon !== undefined || this.api.signal.aborted) return;
    this.#soon = setTimeout(() => void this.#refreshSoon(), Math.max(SOON_MS, this.#lastTook * REST));
  }

  async #refreshSoon(): Promise<void> {
    try {
      await this.api.load('screen', () => this.refresh());
    } finally {
      this.#soon = undefined;
      if (this.#isOutdated) this.changed();
    }
  }

  #trim(): void {
    const { animalList, reservedList, soldList, activityList, panel } = this;
    const lists = [animalList, reservedList, soldList, activityList];
    // A list that reads several pages shows their items only after the last one.
    if (lists.some((list) => list.loading.peek() || list.loadingMore.peek())) return;
    const orders = [reservedList, soldList].flatMap((list) => [
      ...(list.items.peek() ?? []),
      ...list.unseenItems.peek(),
    ]);
    const animals = [
      ...(animalList.ids.peek() ?? []),
      ...orders.map(({ petId }) => petId),
      ...this.added.peek(),
      ...(panel.id === undefined ? [] : [panel.id]),
    ];
    const onPage = { animals: new Set(animals), orders: new Set(orders.map(({ id }) => id)) };
    this.cache.trim(onPage, new Set(activityList.ids.peek()));
  }
}

/** The animal in the panel, with its orders and its history. */
class AnimalPanel {
  readonly #shop: Shop;
  /** What has happened to it, the latest first; undefined until that is loaded, or if the key does not allow it. */
  readonly history = signal<readonly Event[] | undefined>(undefined);
  id: bigint | undefined;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  /** Shows this animal, or none, and loads what belongs to it. */
  async open(id: bigint | undefined): Promise<void> {
    if (id !== this.id) this.history.value = undefined;
    this.id = id;
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const { id } = this;
    const { api, animals, orders } = this.#shop;
    if (id === undefined) return;
    await Promise.all([
      api.may('pets:read') && animals.lookUp([id]),
      api.may('store:read') && orders.loadAllOf(id),
      api.may('events:read') && this.#loadHistory(id),
    ]);
  }

  async #loadHistory(id: bigint): Promise<void> {
    const before = this.history.peek() ?? [];
    const found = await historyOf(this.#shop.api, id);
    if (id !== this.id) return;
    // An older answer lacks the events that have arrived on the stream meanwhile.
    const isIn = (events: readonly Event[], event: Event) => events.some((one) => one.id === event.id);
    const arrived = (this.history.peek() ?? []).filter((one) => !isIn(before, one) && !isIn(found, one));
    this.history.value = [...arrived, ...found];
  }

  /** Adds an event of the stream to the history. */
  applyEvent(event: Event): void {
    const known = this.history.peek();
    const petId = event.pet?.id ?? event.order?.petId;
    if (!known || petId !== this.id || known.some(({ id }) => id === event.id)) return;
    this.history.value = [event, ...known];
  }
}
