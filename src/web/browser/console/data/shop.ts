import { signal } from '@preact/signals';
import type { Event, Key, Order } from '../../../../client/index.ts';
import { now } from '../parts/clock.ts';
import type { Route, View } from '../route.ts';
import { Outcomes } from './actions/outcomes.ts';
import { AnimalPanel } from './animal-panel.ts';
import type { Api } from './api.ts';
import type { Animal } from './cache/animal.ts';
import { Cache } from './cache/cache.ts';
import { Categories } from './categories.ts';
import { Counts } from './counts.ts';
import { AnimalFinder, type AnimalQuery } from './find/animals.ts';
import { type ActivityQuery, EventFinder } from './find/events.ts';
import { KeyFinder } from './find/keys.ts';
import { OrderFinder, type OrderQuery } from './find/orders.ts';
import { Drafts } from './forms/drafts.ts';
import { List } from './list/list.ts';
import { activityQuery, animalQuery, orderQuery, permissionFor, salesQuery } from './views.ts';

/** Reservations and sales are loaded as a whole up to this number, so that they can be counted. */
export const ALL = 1000;
/** Changes that come together are counted together. */
const SOON_MS = 300;

/** A key that was just made: it is shown until the person has it, and nowhere else. */
export interface Secret {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

/** The shop as one key sees it: what is known of it, the lists on screen, and what actions have led to. It ends with the session. */
export class Shop {
  readonly api: Api;
  readonly cache = new Cache();
  readonly categories: Categories;
  readonly counts: Counts;
  readonly animals: AnimalFinder;
  readonly orders: OrderFinder;
  readonly events: EventFinder;
  readonly animalList: List<bigint, Animal, AnimalQuery>;
  /** What waits: every order that is placed, in every view, for its note. */
  readonly reservedList: List<bigint, Order, OrderQuery>;
  /** The sales of a period. */
  readonly soldList: List<bigint, Order, OrderQuery>;
  /** Orders that were searched for. */
  readonly foundOrders: List<bigint, Order, OrderQuery>;
  readonly activityList: List<string, Event, ActivityQuery>;
  readonly keyList: List<string, Key, object>;
  readonly panel: AnimalPanel;
  readonly outcomes = new Outcomes();
  /** Notes that were typed for animals, by their id. */
  readonly notes = new Drafts();
  /** Notes of orders that are being changed, by the id of the order. */
  readonly noteEdits = new Drafts();
  /** A key that was just made. */
  readonly secret = signal<Secret | undefined>(undefined);
  /** When everything on the page was last loaded. */
  readonly loadedAt = signal<Date | undefined>(undefined);
  #view: Route = { view: 'more' };
  #soon: ReturnType<typeof setTimeout> | undefined;
  #isCountedAgain = false;

  constructor(api: Api) {
    const { cache } = this;
    const { sequence } = cache;
    this.api = api;
    this.categories = new Categories(api, cache);
    this.counts = new Counts(api, sequence);
    this.animals = new AnimalFinder(api, cache, this.categories.containing);
    this.orders = new OrderFinder(api, cache, this.animals);
    this.events = new EventFinder(api, cache);
    this.animalList = new List(this.animals, sequence);
    this.reservedList = new List(this.orders, sequence);
    this.soldList = new List(this.orders, sequence);
    this.foundOrders = new List(this.orders, sequence);
    this.activityList = new List(this.events, sequence);
    this.keyList = new List(new KeyFinder(api, cache), sequence);
    this.panel = new AnimalPanel(api, cache, this);
  }

  /** Whether the key opens what is shown there. */
  mayOpen(view: View): boolean {
    const permission = permissionFor(view);
    return permission === undefined || this.api.may(permission);
  }

  /** Loads what an address asks for, with as many rows as were shown when the person left it. */
  async open(view: Route, count?: number): Promise<void> {
    this.#view = view;
    this.counts.choose(view.view === 'animals' ? view.category : undefined);
    await this.#load(this.mayOpen(view.view) ? this.#openLists(view, count) : []);
  }

  #openLists(view: Route, count: number | undefined): readonly Promise<unknown>[] {
    switch (view.view) {
      case 'animals':
        return [this.animalList.open(animalQuery(view), count)];
      case 'removed':
        return [
          this.animalList.open(animalQuery(view), count),
          this.#loadAuthors('pet.removed', new Date(0)),
        ];
      case 'orders': {
        const query = orderQuery(view);
        if (query) return [this.foundOrders.open(query, count)];
        const sales = salesQuery(view, now.peek());
        return [
          this.reservedList.open({ status: 'placed' }, ALL),
          this.soldList.open(sales, ALL),
          this.#loadAuthors('order.completed', sales.completed?.from ?? new Date(0)),
        ];
      }
      case 'activity':
        return [this.activityList.open(activityQuery(view), count)];
      case 'keys':
        return [this.keyList.open({}, count)];
      case 'categories':
        return [this.categories.loadUnnamed()];
      case 'more':
        return [];
    }
  }

  /** Loads what is on screen again. */
  refresh(): Promise<void> {
    return this.#load(this.mayOpen(this.#view.view) ? this.#shownLists().map((list) => list.refresh()) : []);
  }

  /** The lists on screen. */
  #shownLists(): readonly Pick<Shop['animalList'], 'refresh'>[] {
    const view = this.#view;
    switch (view.view) {
      case 'animals':
      case 'removed':
        return [this.animalList];
      case 'orders':
        return orderQuery(view) ? [this.foundOrders] : [this.soldList];
      case 'activity':
        return [this.activityList];
      case 'keys':
        return [this.keyList];
      default:
        return [];
    }
  }

  /** Loads what every view needs, as far as the key allows it. */
  async #load(lists: readonly Promise<unknown>[]): Promise<void> {
    const { api } = this;
    await Promise.all([
      ...lists,
      api.may('store:read') && this.counts.load(),
      api.may('pets:read') && this.categories.load(),
      api.may('store:read') && this.#loadReservations(),
      this.panel.refresh(),
    ]);
    this.loadedAt.value = new Date();
  }

  async #loadReservations(): Promise<void> {
    const isOnScreen = this.#view.view === 'orders' && !orderQuery(this.#view);
    if (isOnScreen && this.reservedList.ids.peek()) await this.reservedList.refresh();
    else if (!this.reservedList.loading.peek()) await this.#openReservations();
  }

  /** Reads what waits. An order that was there and is not any more was closed elsewhere. */
  async #openReservations(): Promise<void> {
    const { reservedList, orders } = this;
    const isWaiting = (id: bigint) => this.cache.orders.peek(id)?.status === 'placed';
    const before = (reservedList.ids.peek() ?? []).filter(isWaiting);
    await reservedList.open({ status: 'placed' }, ALL);
    const now = new Set(reservedList.ids.peek());
    await orders.lookUp(before.filter((id) => !now.has(id) && isWaiting(id)));
  }

  async #loadAuthors(type: 'pet.removed' | 'order.completed', since: Date): Promise<void> {
    if (this.api.may('events:read')) await this.events.loadAuthors(type, since);
  }

  /** Applies a change that the stream tells of. What it does not tell is asked for. */
  apply(event: Event): void {
    const { isChange, unclear } = this.cache.apply(event);
    const { animals, orders } = unclear;
    if (isChange) this.#outdate(event);
    const [animal, order] = [event.pet && this.cache.animals.peek(event.pet.id), event.order];
    const { view } = this.#view;
    // A list that is not on screen is read again when it is opened.
    if (animal && (view === 'animals' || view === 'removed')) this.animalList.notice(animal);
    if (order && view === 'orders')
      for (const list of [this.reservedList, this.soldList, this.foundOrders]) list.notice(order);
    if (view === 'activity') this.activityList.notice(event);
    this.panel.applyEvent(event);
    if (event.imported) this.refresh().catch((error) => this.api.report(error));
    const asked = [
      ...(animals.length > 0 ? [this.animals.lookUp(animals)] : []),
      ...(orders.length > 0 ? [this.orders.lookUp(orders)] : []),
    ];
    Promise.all(asked).catch((error) => this.api.report(error));
    this.changed();
  }

  /** What was done here with an animal is over when it changes elsewhere. A note that was being typed for a reservation is kept. */
  #outdate({ pet, order }: Event): void {
    const petId = pet?.id ?? order?.petId;
    if (petId !== undefined) this.outcomes.outdate(`animal-${petId}`);
    const typed = order && order.status !== 'placed' ? this.noteEdits.of(order.id).peek() : undefined;
    if (!order || typed === undefined) return;
    this.noteEdits.forget(order.id);
    if (typed !== (order.note ?? '')) this.notes.of(order.petId).value ??= typed;
  }

  /** Something has changed here or elsewhere: animals are counted again shortly, once at a time. */
  changed(): void {
    this.#isCountedAgain = true;
    if (this.#soon !== undefined || this.api.signal.aborted) return;
    this.#soon = setTimeout(() => void this.#count(), SOON_MS);
  }

  async #count(): Promise<void> {
    const { api } = this;
    this.#isCountedAgain = false;
    try {
      await Promise.all([
        api.may('store:read') && this.counts.load(),
        api.may('pets:read') && this.categories.load(),
      ]);
    } catch (error) {
      api.report(error);
    } finally {
      this.#soon = undefined;
      if (this.#isCountedAgain) this.changed();
    }
  }
}
