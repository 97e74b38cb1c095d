import { type Signal, signal } from '@preact/signals';
import type { Event } from '../../../../client/index.ts';
import type { Api } from './api.ts';
import type { Cache } from './cache/cache.ts';
import type { AnimalFinder } from './find/animals.ts';
import type { EventFinder } from './find/events.ts';
import type { OrderFinder } from './find/orders.ts';

/** The latest orders of the animal in the panel. */
const ORDERS = 20;

/** What is known of one animal beyond itself and its orders. */
interface History {
  /** Its events, the latest first; undefined until they are loaded, or if the key does not allow to see them. */
  readonly eventIds: Signal<readonly string[] | undefined>;
  /** Whether its orders were loaded, so that it can be told that there is none. */
  readonly hasOrders: Signal<boolean>;
}

/** The animal in the panel, with its orders and its history. What belongs to one animal never shows in the panel of another. */
export class AnimalPanel {
  readonly #api: Api;
  readonly #cache: Cache;
  readonly #animals: AnimalFinder;
  readonly #orders: OrderFinder;
  readonly #events: EventFinder;
  readonly #histories = new Map<bigint, History>();
  #of: bigint | undefined;

  constructor(
    api: Api,
    cache: Cache,
    finders: { animals: AnimalFinder; orders: OrderFinder; events: EventFinder },
  ) {
    this.#api = api;
    this.#cache = cache;
    this.#animals = finders.animals;
    this.#orders = finders.orders;
    this.#events = finders.events;
  }

  #history(petId: bigint): History {
    let history = this.#histories.get(petId);
    if (!history) {
      history = { eventIds: signal(undefined), hasOrders: signal(false) };
      this.#histories.set(petId, history);
    }
    return history;
  }

  /** What has happened to an animal, the latest first; undefined while it is not known. */
  historyOf(petId: bigint): readonly Event[] | undefined {
    const ids = this.#history(petId).eventIds.value;
    return ids?.map((id) => this.#cache.events.get(id)).filter((event) => event !== undefined);
  }

  /** Whether the orders of an animal are known: if none of them is open, none waits for it. */
  hasOrdersOf(petId: bigint): boolean {
    return this.#history(petId).hasOrders.value;
  }

  /** Shows this animal, or none, and loads what belongs to it. */
  async open(petId: bigint | undefined): Promise<void> {
    this.#of = petId;
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const petId = this.#of;
    if (petId === undefined) return;
    await Promise.all([
      this.#api.may('pets:read') && this.#animals.lookUp([petId]),
      this.#api.may('store:read') && this.#loadOrders(petId),
      this.#api.may('events:read') && this.#loadHistory(petId),
    ]);
  }

  async #loadOrders(petId: bigint): Promise<void> {
    const known = this.#cache.reservationOf(petId);
    const found = await this.#orders.loadOf(petId, { limit: ORDERS });
    // An older one that waits is asked for by its id.
    if (known && !found.some(({ id }) => id === known.id)) await this.#orders.lookUp([known.id]);
    this.#history(petId).hasOrders.value = true;
  }

  async #loadHistory(petId: bigint): Promise<void> {
    const { eventIds } = this.#history(petId);
    const before = eventIds.peek();
    const found = (await this.#events.ofAnimal(petId)).map(({ id }) => id);
    // What the stream has told meanwhile is not in an answer that is older.
    const arrived = (eventIds.peek() ?? []).filter((id) => !before?.includes(id) && !found.includes(id));
    eventIds.value = [...arrived, ...found];
  }

  /** Adds an event of the stream to the history of its animal. */
  applyEvent({ id, pet, order }: Event): void {
    const petId = pet?.id ?? order?.petId;
    const eventIds = petId === undefined ? undefined : this.#histories.get(petId)?.eventIds;
    const known = eventIds?.peek() ?? [];
    if (eventIds && !known.includes(id)) eventIds.value = [id, ...known];
  }
}
