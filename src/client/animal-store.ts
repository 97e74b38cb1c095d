import { change } from './change.ts';
import { int64Text, toJson, toQuery } from './encode.ts';
import { invalidArgument } from './errors.ts';
import { follow } from './events.ts';
import type {
  Category,
  CreatedKey,
  CurrentKey,
  Event,
  Inventory,
  Key,
  KeyRotation,
  KeyUpdate,
  ListedPet,
  NewCategory,
  NewKey,
  NewOrder,
  NewPet,
  Order,
  OrderUpdate,
  Pet,
  PetUpdate,
  RotatedKey,
} from './models.ts';
import type { CategoryQuery, EventQuery, Id, KeyQuery, OrderQuery, PetQuery } from './queries.ts';
import { checkIfMatch, create, get, list, readPet, valueAs, walk } from './requests.ts';
import { createTransport, type Transport } from './transport.ts';
import type {
  AnimalStoreOptions,
  CallOptions,
  ChangeOptions,
  CreateOptions,
  FollowQuery,
  InventoryOptions,
  Page,
  PetWithEtag,
  RemoveOptions,
  StreamOptions,
} from './types.ts';

/**
 * A client of one Animal Store service.
 *
 * Every call takes a `signal`, a `timeoutMs` and a `maxRetries`, and rejects with an {@link AnimalStoreError} when it fails. After 429, 502,
 * 503, 504 or a lost connection it is tried again until its time is used up, with growing pauses and not before the service asks for
 * it; a create is still done only once. Only an update of an animal's status and a new API key are not tried again once they may have taken effect.
 * Identifiers and counts are bigints, so that no digit is ever lost.
 *
 * @example
 * ```ts
 * const store = new AnimalStore({ baseUrl: 'https://shop.example/v1', apiKey });
 * const rex = await store.createPet({ name: 'Rex', categoryId: 7 });
 * for await (const pet of store.pets({ status: 'available' })) console.log(pet.id, pet.name);
 * ```
 */
export class AnimalStore {
  readonly #transport: Transport;

  /** Makes no request. Throws an {@link AnimalStoreError} when an option is invalid. */
  constructor(options: AnimalStoreOptions) {
    this.#transport = createTransport(options);
  }

  /**
   * One page of the animals, newest first.
   *
   * @param query Filters and page size, or the `next` of the page before.
   */
  listPets(query: PetQuery | string = {}, options: CallOptions = {}): Promise<Page<ListedPet>> {
    return this.#transport.run(options, (call) => list<ListedPet>(this.#transport, call, '/pets', query));
  }

  /**
   * Every animal that matches, newest first, page by page. Each animal that exists at the start is returned exactly once,
   * even during concurrent writes. `signal` stops it; `timeoutMs` and `maxRetries` apply to each page.
   */
  pets(query: PetQuery = {}, options: CallOptions = {}): AsyncGenerator<ListedPet, void, undefined> {
    return walk((page) => this.listPets(page, options), query);
  }

  /** Adds an animal. It is durable when the promise resolves, and added only once, even if the request is sent several times. */
  createPet(pet: NewPet, options: CreateOptions = {}): Promise<PetWithEtag> {
    return create(this.#transport, '/pets', pet, options, readPet);
  }

  /** Adds 1 to 100 animals, all of them or none, and returns them in the same order. Otherwise as {@link createPet}. */
  createPets(pets: readonly NewPet[], options: CreateOptions = {}): Promise<Pet[]> {
    return create(this.#transport, '/pets/batch', { pets }, options);
  }

  /**
   * Changes the given fields of an animal; without any, only returns it. Rejects with `pet_not_found`, with `precondition_failed` (see
   * `ifMatch`), or with `pet_has_open_order` or `pet_sold_by_order` when the status is to change
   * although the animal is ordered, or was sold by an order.
   *
   * With a `status` it is tried again after 429 only: another client may have sold the animal since an attempt that took effect.
   */
  async updatePet(
    id: Id,
    update: PetUpdate,
    { ifMatch, ...options }: ChangeOptions = {},
  ): Promise<PetWithEtag> {
    checkIfMatch(ifMatch);
    const atMostOnce = update.status !== undefined;
    const url = this.#petUrl(id);
    const outgoing = { method: 'PATCH', url, body: toJson(update), ifMatch, atMostOnce } as const;
    return change(this.#transport, outgoing, options, readPet);
  }

  /**
   * Removes an animal from every list and count. Rejects with `pet_not_found`, with `precondition_failed` (see `ifMatch`), or with
   * `pet_has_open_order`. When the response to an attempt was lost and the next one finds no animal, a call without `ifMatch` resolves:
   * the animal is gone either way.
   */
  async removePet(id: Id, { ifMatch, reason, ...options }: RemoveOptions = {}): Promise<void> {
    checkIfMatch(ifMatch);
    const url = this.#petUrl(id, toQuery({ reason }));
    const outgoing = { method: 'DELETE', url, ifMatch } as const;
    return change<void>(this.#transport, outgoing, options, valueAs, ({ refusal, failure }) => {
      if (ifMatch !== undefined || refusal.code !== 'pet_not_found') throw failure;
    });
  }

  /**
   * Brings a removed animal back as it was. Rejects with `pet_not_found`, or with `pet_not_removed`. When the response to an attempt was
   * lost and the next one finds the animal there, the call resolves.
   */
  async restorePet(id: Id, options: CallOptions = {}): Promise<PetWithEtag> {
    const outgoing = { method: 'POST', url: this.#petUrl(id, '/restore') } as const;
    return change(this.#transport, outgoing, options, readPet, async ({ call, refusal, failure }) => {
      if (refusal.code !== 'pet_not_removed') throw failure;
      // An update without a field returns the animal with its etag, which a list has not.
      const read = { method: 'PATCH', url: this.#petUrl(id), body: '{}' } as const;
      return readPet(await this.#transport.send(call, read));
    });
  }

  /**
   * One animal by its identifier. Rejects with `pet_not_found` when there is none.
   *
   * @deprecated Will be removed on 5 December 2030. Use {@link listPets} with `id` instead.
   */
  async getPet(id: Id, options: CallOptions = {}): Promise<PetWithEtag> {
    return get(this.#transport, `/pets/${int64Text('id', id)}`, options, readPet);
  }

  /**
   * One page of the categories that have a name, in order of name.
   *
   * @param query Filter and page size, or the `next` of the page before.
   */
  listCategories(query: CategoryQuery | string = {}, options: CallOptions = {}): Promise<Page<Category>> {
    return this.#transport.run(options, (call) =>
      list<Category>(this.#transport, call, '/categories', query),
    );
  }

  /** Every category that matches, in order of name, page by page, with the guarantees of {@link pets}. */
  categories(
    query: CategoryQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<Category, void, undefined> {
    return walk((page) => this.listCategories(page, options), query);
  }

  /** The category with this identifier. Rejects with `category_not_found` when the identifier has no name. */
  async getCategory(id: Id, options: CallOptions = {}): Promise<Category> {
    return get(this.#transport, `/categories/${int64Text('id', id)}`, options);
  }

  /** Adds a category with a new identifier: no animal uses it, and no category ever had it. Rejects with `category_exists` when another one has the name. */
  createCategory(category: NewCategory, options: CreateOptions = {}): Promise<Category> {
    return create(this.#transport, '/categories', category, options);
  }

  /** Names an identifier, or renames it. Rejects with `category_exists` when another category has the name. */
  async setCategory(id: Id, category: NewCategory, options: CallOptions = {}): Promise<Category> {
    const outgoing = { method: 'PUT', url: this.#categoryUrl(id), body: toJson(category) } as const;
    return change<Category>(this.#transport, outgoing, options, valueAs);
  }

  /**
   * Removes the name of a category. Rejects with `category_not_found`, or with `category_in_use` while an animal has it. Resolves after
   * a lost response as {@link removePet} does.
   */
  async removeCategory(id: Id, options: CallOptions = {}): Promise<void> {
    const outgoing = { method: 'DELETE', url: this.#categoryUrl(id) } as const;
    return change<void>(this.#transport, outgoing, options, valueAs, ({ refusal, failure }) => {
      if (refusal.code !== 'category_not_found') throw failure;
    });
  }

  /**
   * One page of the orders, newest first; with `completedFrom` or `completedBefore`, the latest completion first.
   *
   * @param query Filters and page size, or the `next` of the page before.
   */
  listOrders(query: OrderQuery | string = {}, options: CallOptions = {}): Promise<Page<Order>> {
    return this.#transport.run(options, (call) => list<Order>(this.#transport, call, '/store/orders', query));
  }

  /** Every order that matches, in the order of {@link listOrders}, page by page, with the guarantees of {@link pets}. */
  orders(query: OrderQuery = {}, options: CallOptions = {}): AsyncGenerator<Order, void, undefined> {
    return walk((page) => this.listOrders(page, options), query);
  }

  /** One order by its identifier. Rejects with `order_not_found` when there is none. */
  async getOrder(id: Id, options: CallOptions = {}): Promise<Order> {
    return get<Order>(this.#transport, `/store/orders/${int64Text('id', id)}`, options);
  }

  /**
   * Orders an available animal, which becomes `pending`. Rejects with `pet_not_found`, or with `pet_not_available` when it is ordered
   * or sold already: of any number of buyers, one succeeds.
   */
  createOrder(order: NewOrder, options: CreateOptions = {}): Promise<Order> {
    return create<Order>(this.#transport, '/store/orders', order, options);
  }

  /**
   * Changes the status of an order, its note, or both. `completed` makes its animal `sold`, `cancelled` makes it `available` again. `returned`
   * takes a sale back: the animal of a completed order becomes `available` again. A `note` can change at any time; null removes it. Rejects with `order_not_found`, with `order_closed` when the order is closed already, or
   * with `order_not_completed` or `pet_not_sold` when there is no sale to take back.
   *
   * When the response to an attempt was lost, the next attempt cannot tell whether the order was closed by this call or by another one. It
   * then looks the order up, and resolves if the order has the status and the note that were asked for.
   */
  async updateOrder(id: Id, update: OrderUpdate, options: CallOptions = {}): Promise<Order> {
    const url = this.#transport.url(`/store/orders/${int64Text('id', id)}`);
    const outgoing = { method: 'PATCH', url, body: toJson(update) } as const;
    return change<Order>(this.#transport, outgoing, options, valueAs, async ({ call, refusal, failure }) => {
      if (refusal.code !== 'order_closed') throw refusal;
      const order = valueAs<Order>(await this.#transport.send(call, { method: 'GET', url }));
      const { status, note = order.note } = update;
      if (order.status === status && order.note === (note ?? undefined)) return order;
      // What this call has done may have been changed since: a sale may be taken back, and a note may change. Any other status is final.
      const mayBeOurs = order.status === status || (order.status === 'returned' && status === 'completed');
      throw mayBeOurs ? failure : refusal;
    });
  }

  /**
   * One page of the changes, oldest first. Rejects with `cursor_expired` when the event of `after` is no longer kept.
   *
   * @param query Where it begins, filters and page size, or the `next` of the page before.
   */
  listEvents(query: EventQuery | string = {}, options: CallOptions = {}): Promise<Page<Event>> {
    return this.#transport.run(options, (call) => list<Event>(this.#transport, call, '/events', query));
  }

  /**
   * Events as they happen, from now on or after the event `after`. Whenever the connection is lost, it connects again and continues, without a
   * gap or a repetition. The loop ends when you leave it. It throws when the `signal` is aborted, when the service refuses the key or the query, and
   * with `cursor_expired` when the events after `after` are no longer kept. `timeoutMs` applies to each attempt to connect, `maxRetries` to
   * failures in a row. `onLiveness` reports whether it is connected.
   */
  events(query: FollowQuery = {}, options: StreamOptions = {}): AsyncGenerator<Event, void, undefined> {
    return follow(this.#transport, query, options);
  }

  /** How many animals there are by status, exactly, in all or in one category. */
  async getInventory({ categoryId, ...options }: InventoryOptions = {}): Promise<Inventory> {
    return get<Inventory>(this.#transport, `/store/inventory${toQuery({ categoryId })}`, options);
  }

  /**
   * One page of the API keys, newest first; never the keys themselves.
   *
   * @param query Page size, or the `next` of the page before.
   */
  listKeys(query: KeyQuery | string = {}, options: CallOptions = {}): Promise<Page<Key>> {
    return this.#transport.run(options, (call) => list<Key>(this.#transport, call, '/keys', query));
  }

  /** Every API key, newest first, page by page, with the guarantees of {@link pets}. */
  keys(query: KeyQuery = {}, options: CallOptions = {}): AsyncGenerator<Key, void, undefined> {
    return walk((page) => this.listKeys(page, options), query);
  }

  /**
   * Creates an API key, which works at once. Its `key` is in this result only. Rejects with `insufficient_scope` when it is to have
   * a scope that the key of this client lacks.
   *
   * It is tried again after 429 only: the secret of a key whose response was lost cannot be had again. {@link listKeys} shows
   * whether it was created.
   */
  async createKey(key: NewKey, options: CallOptions = {}): Promise<CreatedKey> {
    const outgoing = {
      method: 'POST',
      url: this.#transport.url('/keys'),
      body: toJson(key),
      atMostOnce: true,
    } as const;
    return change<CreatedKey>(this.#transport, outgoing, options, valueAs);
  }

  /**
   * Changes the given fields of an API key and returns it, without the key itself; `expiresAt: null` lets it never expire. Takes effect within a
   * second. Rejects with `key_not_found`, with `key_not_active`, or with `insufficient_scope` when it has or is to have a scope that the key of
   * this client lacks.
   */
  async updateKey(id: string, update: KeyUpdate, options: CallOptions = {}): Promise<Key> {
    const outgoing = { method: 'PATCH', url: this.#keyUrl(id), body: toJson(update) } as const;
    return change<Key>(this.#transport, outgoing, options, valueAs);
  }

  /** Revokes an API key: it is rejected within a second, for good. Rejects with `key_not_found`, or with `insufficient_scope`. */
  async revokeKey(id: string, options: CallOptions = {}): Promise<void> {
    const outgoing = { method: 'DELETE', url: this.#keyUrl(id) } as const;
    return change<void>(this.#transport, outgoing, options, valueAs);
  }

  /**
   * Creates an API key that replaces another one, which works until the end of the overlap. Rejects with `key_not_found`, with
   * `key_not_active`, or with `insufficient_scope`. It is tried again only as {@link createKey} is.
   */
  async rotateKey(id: string, rotation: KeyRotation = {}, options: CallOptions = {}): Promise<RotatedKey> {
    const outgoing = {
      method: 'POST',
      url: this.#keyUrl(id, '/rotate'),
      body: toJson(rotation),
      atMostOnce: true,
    } as const;
    return change<RotatedKey>(this.#transport, outgoing, options, valueAs);
  }

  /** The API key of this client: its name, its scopes and when it expires. */
  getCurrentKey(options: CallOptions = {}): Promise<CurrentKey> {
    return get<CurrentKey>(this.#transport, '/keys/current', options);
  }

  #petUrl(id: Id, suffix = ''): URL {
    return this.#transport.url(`/pets/${int64Text('id', id)}${suffix}`);
  }

  #keyUrl(id: string, suffix = ''): URL {
    if (!/^[\w-]+$/.test(id)) throw invalidArgument('id must be the id of an API key.');
    return this.#transport.url(`/keys/${id}${suffix}`);
  }

  #categoryUrl(id: Id): URL {
    return this.#transport.url(`/categories/${int64Text('id', id)}`);
  }
}
