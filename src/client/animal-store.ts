import { int64Text } from './encode.ts';
import { create, get, list, walk } from './requests.ts';
import { createTransport, type Transport } from './transport.ts';
import type {
  AnimalStoreOptions,
  CallOptions,
  CreateOptions,
  Id,
  Inventory,
  NewOrder,
  NewPet,
  Order,
  OrderQuery,
  OrderUpdate,
  Page,
  Pet,
  PetQuery,
} from './types.ts';
import { closeOrder } from './update-order.ts';

/**
 * A client of one Animal Store service.
 *
 * Every call takes a `signal` and a `timeoutMs`, and rejects with an {@link AnimalStoreError} when it fails. After 429, 503 or a lost
 * connection it is tried again, with growing pauses and at least as late as the service asks; a create is still done only once.
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
  listPets(query: PetQuery | string = {}, options: CallOptions = {}): Promise<Page<Pet>> {
    return this.#transport.run(options, (call) => list<Pet>(this.#transport, call, '/pets', query));
  }

  /**
   * Every animal that matches, newest first, page by page. Each animal that exists at the start is returned exactly once,
   * even during concurrent writes. `signal` stops it; `timeoutMs` applies to each page.
   */
  pets(query: PetQuery = {}, options: CallOptions = {}): AsyncGenerator<Pet, void, undefined> {
    return walk((page) => this.listPets(page, options), query);
  }

  /** Adds an animal. It is durable when the promise resolves, and added only once, even if the request is sent several times. */
  createPet(pet: NewPet, options: CreateOptions = {}): Promise<Pet> {
    return create<Pet>(this.#transport, '/pets', pet, options);
  }

  /**
   * One animal by its identifier. Rejects with `pet_not_found` when there is none.
   *
   * @deprecated The service removes this operation on 5 December 2030. Use {@link listPets} with `id` instead.
   */
  async getPet(id: Id, options: CallOptions = {}): Promise<Pet> {
    return get<Pet>(this.#transport, `/pets/${int64Text('id', id)}`, options);
  }

  /**
   * One page of the orders, newest first.
   *
   * @param query Filter and page size, or the `next` of the page before.
   */
  listOrders(query: OrderQuery | string = {}, options: CallOptions = {}): Promise<Page<Order>> {
    return this.#transport.run(options, (call) => list<Order>(this.#transport, call, '/store/orders', query));
  }

  /** Every order that matches, newest first, page by page, with the guarantees of {@link pets}. */
  orders(query: OrderQuery = {}, options: CallOptions = {}): AsyncGenerator<Order, void, undefined> {
    return walk((page) => this.listOrders(page, options), query);
  }

  /**
   * Orders an available animal, which becomes `pending`. Rejects with `pet_not_found`, or with `pet_not_available` when it is ordered
   * or sold already: of any number of buyers, one succeeds.
   */
  createOrder(order: NewOrder, options: CreateOptions = {}): Promise<Order> {
    return create<Order>(this.#transport, '/store/orders', order, options);
  }

  /**
   * Closes an order: `completed` makes its animal `sold`, `cancelled` makes it `available` again. Rejects with `order_not_found`, or with
   * `order_closed` when the order is closed already.
   *
   * When the response to an attempt was lost, the next attempt cannot tell whether the order was closed by this call or by another one. It
   * then looks the order up, and resolves if the order has the status that was asked for.
   */
  updateOrder(id: Id, update: OrderUpdate, options: CallOptions = {}): Promise<Order> {
    return closeOrder(this.#transport, id, update, options);
  }

  /** How many animals there are by status, exactly. */
  getInventory(options: CallOptions = {}): Promise<Inventory> {
    return get<Inventory>(this.#transport, '/store/inventory', options);
  }
}
