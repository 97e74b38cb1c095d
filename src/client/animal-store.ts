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
import { change, list, readPet, request, walk } from './requests.ts';
import { createTransport, type Transport } from './transport.ts';
import type {
  AnimalStoreOptions,
  CallOptions,
  ChangeOptions,
  FollowQuery,
  InventoryOptions,
  Page,
  PetChangeOptions,
  PetWithEtag,
  RemoveOptions,
  StreamOptions,
} from './types.ts';

/**
 * A client of one Animal Store service.
 *
 * Every call takes a `signal`, a `timeoutMs` and a `maxRetries`, and rejects with an {@link AnimalStoreError} when it fails. After 429, 502,
 * 503, 504 or a lost connection it is tried again until its time is used up, with growing pauses and not before the service asks for
 * it. A change of animals, orders or categories is still made only once. Only {@link createKey} and {@link rotateKey} are not tried again
 * once they may have taken effect. Identifiers and counts are bigints, so that no digit is ever lost.
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
    return list<ListedPet>(this.#transport, '/pets', query, options);
  }

  /**
   * Every animal that matches, newest first, page by page. Each animal that exists at the start is returned exactly once,
   * even during concurrent writes. `signal` stops it; `timeoutMs` and `maxRetries` apply to each page.
   */
  pets(query: PetQuery = {}, options: CallOptions = {}): AsyncGenerator<ListedPet, void, undefined> {
    return walk((page) => this.listPets(page, options), query);
  }

  /** Adds an animal. It is durable when the promise resolves. */
  createPet(pet: NewPet, options: ChangeOptions = {}): Promise<PetWithEtag> {
    return change(this.#transport, { method: 'POST', path: '/pets', fields: pet }, options, readPet);
  }

  /** Adds 1 to 100 animals, all of them or none, and returns them in the same order. */
  createPets(pets: readonly NewPet[], options: ChangeOptions = {}): Promise<Pet[]> {
    return change(this.#transport, { method: 'POST', path: '/pets/batch', fields: { pets } }, options);
  }

  /**
   * Changes the given fields of an animal; without any, only returns it. Rejects with `pet_not_found`, with `precondition_failed` (see
   * `ifMatch`), or with `pet_has_open_order` or `pet_sold_by_order` when the status is to change
   * although the animal is ordered, or was sold by an order.
   */
  async updatePet(
    id: Id,
    update: PetUpdate,
    { ifMatch, idempotencyKey, ...options }: PetChangeOptions = {},
  ): Promise<PetWithEtag> {
    const outgoing = { method: 'PATCH', path: petPath(id), fields: update, ifMatch } as const;
    // Without a field it is a read, for which the service should remember nothing.
    if (toJson(update) === '{}') return request(this.#transport, outgoing, options, readPet);
    return change(this.#transport, outgoing, { ...options, idempotencyKey }, readPet);
  }

  /**
   * Removes an animal from every list and count. Rejects with `pet_not_found`, with `precondition_failed` (see `ifMatch`), or with
   * `pet_has_open_order`.
   */
  async removePet(id: Id, { ifMatch, reason, ...options }: RemoveOptions = {}): Promise<void> {
    const path = `${petPath(id)}${toQuery({ reason })}`;
    return change(this.#transport, { method: 'DELETE', path, ifMatch }, options);
  }

  /** Brings a removed animal back as it was. Rejects with `pet_not_found`, or with `pet_not_removed`. */
  async restorePet(id: Id, options: ChangeOptions = {}): Promise<PetWithEtag> {
    return change(this.#transport, { method: 'POST', path: `${petPath(id)}/restore` }, options, readPet);
  }

  /**
   * One animal by its identifier. Rejects with `pet_not_found` when there is none.
   *
   * @deprecated Will be removed on 5 December 2030. Use {@link listPets} with `id` instead.
   */
  async getPet(id: Id, options: CallOptions = {}): Promise<PetWithEtag> {
    return request(this.#transport, { path: petPath(id) }, options, readPet);
  }

  /**
   * One page of the categories that have a name, in order of name.
   *
   * @param query Filter and page size, or the `next` of the page before.
   */
  listCategories(query: CategoryQuery | string = {}, options: CallOptions = {}): Promise<Page<Category>> {
    return list<Category>(this.#transport, '/categories', query, options);
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
    return request(this.#transport, { path: categoryPath(id) }, options);
  }

  /** Adds a category with a new identifier: no animal uses it, and no category ever had it. Rejects with `category_exists` when another one has the name. */
  createCategory(category: NewCategory, options: ChangeOptions = {}): Promise<Category> {
    return change(this.#transport, { method: 'POST', path: '/categories', fields: category }, options);
  }

  /** Names an identifier, or renames it. Rejects with `category_exists` when another category has the name. */
  async setCategory(id: Id, category: NewCategory, options: ChangeOptions = {}): Promise<Category> {
    return change(this.#transport, { method: 'PUT', path: categoryPath(id), fields: category }, options);
  }

  /** Removes the name of a category. Rejects with `category_not_found`, or with `category_in_use` while an animal has it. */
  async removeCategory(id: Id, options: ChangeOptions = {}): Promise<void> {
    return change(this.#transport, { method: 'DELETE', path: categoryPath(id) }, options);
  }

  /**
   * One page of the orders, newest first; with `completedFrom` or `completedBefore`, the latest completion first.
   *
   * @param query Filters and page size, or the `next` of the page before.
   */
  listOrders(query: OrderQuery | string = {}, options: CallOptions = {}): Promise<Page<Order>> {
    return list<Order>(this.#transport, '/store/orders', query, options);
  }

  /** Every order that matches, in the order of {@link listOrders}, page by page, with the guarantees of {@link pets}. */
  orders(query: OrderQuery = {}, options: CallOptions = {}): AsyncGenerator<Order, void, undefined> {
    return walk((page) => this.listOrders(page, options), query);
  }

  /** One order by its identifier. Rejects with `order_not_found` when there is none. */
  async getOrder(id: Id, options: CallOptions = {}): Promise<Order> {
    return request(this.#transport, { path: orderPath(id) }, options);
  }

  /**
   * Orders an available animal, which becomes `pending`; with the status `completed`, sells it at once, so that it becomes `sold`. Rejects
   * with `pet_not_found`, or with `pet_not_available` when it is ordered or sold already: of any number of buyers, one succeeds.
   */
  createOrder(order: NewOrder, options: ChangeOptions = {}): Promise<Order> {
    return change(this.#transport, { method: 'POST', path: '/store/orders', fields: order }, options);
  }

  /**
   * Changes the status of an order, its note, or both. A `placed` order can become `completed` (its animal is `sold`) or `cancelled`
   * (`available` again), and a `completed` one `returned` (`available` again). What was done by mistake can be corrected: `completed` can become
   * `placed` or `cancelled`, `cancelled` can become `placed`, and `returned` can become `completed`. A `note` can change at any time; null
   * removes it.
   *
   * Rejects with `order_not_found`; with `order_closed`, or `order_not_completed` for a return, when the order cannot go from its status to
   * this one; with `pet_not_sold` or `pet_not_available` when something else has happened to the animal since.
   */
  async updateOrder(id: Id, update: OrderUpdate, options: ChangeOptions = {}): Promise<Order> {
    return change(this.#transport, { method: 'PATCH', path: orderPath(id), fields: update }, options);
  }

  /**
   * One page of the changes, oldest first. Rejects with `cursor_expired` when the event of `after` is no longer kept.
   *
   * @param query Where it begins, filters and page size, or the `next` of the page before.
   */
  listEvents(query: EventQuery | string = {}, options: CallOptions = {}): Promise<Page<Event>> {
    return list<Event>(this.#transport, '/events', query, options);
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
    return request(this.#transport, { path: `/store/inventory${toQuery({ categoryId })}` }, options);
  }

  /**
   * One page of the API keys, newest first; never the keys themselves.
   *
   * @param query Page size, or the `next` of the page before.
   */
  listKeys(query: KeyQuery | string = {}, options: CallOptions = {}): Promise<Page<Key>> {
    return list<Key>(this.#transport, '/keys', query, options);
  }

  /** Every API key, newest first, page by page, with the guarantees of {@link pets}. */
  keys(query: KeyQuery = {}, options: CallOptions = {}): AsyncGenerator<Key, void, undefined> {
    return walk((page) => this.listKeys(page, options), query);
  }

  /**
   * Creates an API key, which works at once. Its `key` is in this result only. Rejects with `insufficient_scope` when it is to have
   * a scope that the key of this client lacks.
   *
   * It is tried again only after 429 and a refused connection: the secret of a key whose response was lost cannot be had again.
   * {@link listKeys} shows whether it was created.
   */
  createKey(key: NewKey, options: CallOptions = {}): Promise<CreatedKey> {
    const outgoing = { method: 'POST', path: '/keys', fields: key, atMostOnce: true } as const;
    return request(this.#transport, outgoing, options);
  }

  /**
   * Changes the given fields of an API key and returns it, without the key itself; `expiresAt: null` lets it never expire. Takes effect within a
   * second. Rejects with `key_not_found`, with `key_not_active`, or with `insufficient_scope` when it has or is to have a scope that the key of
   * this client lacks.
   */
  async updateKey(id: string, update: KeyUpdate, options: CallOptions = {}): Promise<Key> {
    return request(this.#transport, { method: 'PATCH', path: keyPath(id), fields: update }, options);
  }

  /** Revokes an API key: it is rejected within a second, for good. Rejects with `key_not_found`, or with `insufficient_scope`. */
  async revokeKey(id: string, options: CallOptions = {}): Promise<void> {
    return request(this.#transport, { method: 'DELETE', path: keyPath(id) }, options);
  }

  /**
   * Creates an API key that replaces another one, which works until the end of the overlap. Rejects with `key_not_found`, with
   * `key_not_active`, or with `insufficient_scope`. It is tried again only as {@link createKey} is.
   */
  async rotateKey(id: string, rotation: KeyRotation = {}, options: CallOptions = {}): Promise<RotatedKey> {
    const path = `${keyPath(id)}/rotate`;
    const outgoing = { method: 'POST', path, fields: rotation, atMostOnce: true } as const;
    return request(this.#transport, outgoing, options);
  }

  /** The API key of this client: its name, its scopes and when it expires. */
  getCurrentKey(options: CallOptions = {}): Promise<CurrentKey> {
    return request(this.#transport, { path: '/keys/current' }, options);
  }
}

const petPath = (id: Id): string => `/pets/${int64Text('id', id)}`;
const categoryPath = (id: Id): string => `/categories/${int64Text('id', id)}`;
const orderPath = (id: Id): string => `/store/orders/${int64Text('id', id)}`;

function keyPath(id: string): string {
  if (!/^[\w-]+$/.test(id)) throw invalidArgument('id must be the id of an API key.');
  return `/keys/${id}`;
}
